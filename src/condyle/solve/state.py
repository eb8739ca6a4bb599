"""The struct that Python and the compiled loops share: all numbers and arrays of one running ensemble.

Work arrays are [row][lane] with `width` lanes, so a sweep over the n * width entries of a row is contiguous
whatever the width, and vectorises. Numbers per lane that a kernel or a sweep reads are rows of `flow`.
"""

from __future__ import annotations

from condyle.solve.native.language import Floats1, Floats2, Floats3, Ints1, Ints2
from condyle.status import Status

# Rows of `work` (each n * width): accepted state, trial state, input of a stage, step size repeated over
# rows, scratch, output of kernels that is not yet adopted, interpolated state, absolute tolerance, zeros; the
# rates or increments of the stages follow.
Y, NEW, STAGE, STEP, SCRATCH, SPARE, OUT, ATOL, ZERO, K = range(10)

# Rows of `flow` (each width): times of the accepted, trial, stage and interpolated state, size of the step,
# position in the step, constraint residual, error norm, weight of a stage, sums.
TIME, TIME_NEW, TIME_STAGE, TIME_OUT, SIZE, THETA, RESIDUAL, ERROR, WEIGHT, SUM = range(10)
FLOW_ROWS = 10

# Rows of `values` (each n_events * width): event functions at the accepted, trial and interpolated state, and
# the places of their zeros in the step (NOWHERE where there is none).
G_OLD, G_NEW, G_OUT, ROOT = range(4)
VALUE_ROWS = 4
NOWHERE = 2.0

# The error of a trial that met a number that is not finite, or a singular matrix.
INFINITY = float("inf")

# Rows of the pointer table: which arrays a kernel call reads and writes.
AT_NEW, AT_STAGE, PROJECT_NEW, PROJECT_OUT, EVENT_NEW, EVENT_OUT, JACOBIAN = range(7)
CLOSE_NEW, CLOSE_STAGE, CLOSE_OUT, STAGES = range(7, 11)
POINTERS = 5
POINTER_BYTES = 8 * POINTERS

# What a lane is doing.
IDLE, RUNNING, STARTING = range(3)

# Why a loop returned: its budget of rounds is used, all lanes are idle, a lane waits for members, the log of
# events must be emptied.
BUDGET, FINISHED, HUNGRY, LOG_FULL = range(4)

# Status codes as plain integers, which native functions can read.
OK = int(Status.OK)
NOT_CONVERGED = int(Status.NOT_CONVERGED)
SINGULAR = int(Status.SINGULAR)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
TOO_MANY_STEPS = int(Status.TOO_MANY_STEPS)
EVENT = int(Status.EVENT)
UNFINISHED = int(Status.INTERRUPTED)  # a member that never ends is an interrupted one


class State:
    """See the module. Kernels are addresses, 0 where there is none."""

    # sizes
    n: int
    n_half: int  # speeds of a second-order system, 0 for others
    n_free: int  # states that are integrated; the closing ones stand behind them
    n_closing: int
    width: int
    size: int  # n * width
    n_parameters: int
    n_times: int
    n_events: int
    n_units: int
    # kernels
    rhs: int
    jacobian_kernel: int
    position_kernel: int
    velocity_kernel: int
    event_kernel: int
    closing_kernel: int
    pointers: int
    # method: see `families.Form`
    fixed: int
    fsal: int
    first: int
    next: int
    last: int
    extra: int
    estimates: int
    closes: int  # the last stage is the new state, and so closed already
    dense_columns: int
    dense_powers: int
    diagonal: float
    couplings: Floats2
    slopes: Floats1
    starts: Ints1
    columns: Ints1
    weights: Floats1
    nodes: Floats1
    dense: Floats2
    # control
    rtol: float
    position_tolerance: float
    velocity_tolerance: float
    step: float
    max_step: float
    start: float
    end: float
    n_steps: int
    max_steps: int
    exponent: float
    memory: float
    safety: float
    shrink: float
    grow: float
    initial_exponent: float
    # problem, one row per member
    initial: Floats2
    parameters: Floats2
    times: Floats1
    units: Ints1
    directions: Ints1
    terminal: Ints1
    order: Ints1
    queue_next: int
    queue_stop: int
    more: int
    # results, one row per member
    states: Floats3
    final: Floats2
    status: Ints1
    steps: Ints1
    rejections: Ints1
    evaluations: Ints1
    closing_steps: Ints1
    closing_solves: Ints1
    closing_most: Ints1
    final_time: Floats1
    position_residual: Floats1
    velocity_residual: Floats1
    log_rows: int
    log_capacity: int
    log_member: Ints1
    log_index: Ints1
    log_time: Floats1
    log_states: Floats2
    # lanes
    member: Ints1
    phase: Ints1
    accepted: Ints1
    masked: Ints1
    extended: Ints1  # the extra stages of this step have been counted
    changed: Ints1
    output: Ints1
    rejected: Ints1
    landing: Ints1  # this step ends at the end
    searching: Ints1
    closing: Ints1
    side: Ints1
    failed: Ints1
    next_step: Floats1
    error_before: Floats1
    contraction: Floats1  # of the error of an implicit stage, by one Newton correction
    low: Floats1
    high: Floats1
    g_low: Floats1
    g_high: Floats1
    cut: Floats1  # place in the step of the first terminal event
    # work
    work: Floats2
    flow: Floats2
    values: Floats2
    parameter_lanes: Floats1
    closing_step: Floats1
    # implicit methods
    jacobian: Floats1
    slope: Floats1
    matrix: Floats3
    pivots: Ints2
    vector: Floats2
    half: Floats2  # speeds of a second-order system
