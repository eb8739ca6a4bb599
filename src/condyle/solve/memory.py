"""One compiled loop's state: allocation, kernel addresses, pointers to the kernels' arrays."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from condyle.solve import state as rows
from condyle.solve.native.language import ARRAYS, fields
from condyle.solve.problem import Problem
from condyle.solve.state import State

S = TypeVar("S")


def aligned(*shape: int) -> np.ndarray:
    """Zeros that start at a cache line."""
    count = int(np.prod(shape))
    raw = np.zeros(count * 8 + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + count * 8].view(np.float64).reshape(shape)


def blank(struct: type[S]) -> S:
    """A struct with all numbers zero and all arrays empty."""
    result = struct()
    for name, note in fields(struct).items():
        if note in ARRAYS:
            element, axes = ARRAYS[note]
            setattr(result, name, np.zeros((0,) * axes, float if element == "double" else np.int64))
        else:
            setattr(result, name, 0 if note == "int" else 0.0)
    return result


def make_state(problem: Problem, width: int) -> State:
    """A state with all lanes idle and an empty queue."""
    form, system, n = problem.form, problem.system, problem.system.n_state
    control = problem.method.control
    state = blank(State)

    def address(kernel: Any) -> int:
        return 0 if kernel is None else kernel.address(width)

    state.n, state.width, state.size = n, width, n * width
    state.n_closing, state.n_free = system.n_closing, n - system.n_closing
    state.n_half = state.n_free // 2 if system.second_order else 0
    state.n_parameters, state.n_times = system.n_parameters, len(problem.times)
    state.n_events, state.n_units = system.n_events, len(problem.units)
    state.rhs = address(system.rhs)
    state.jacobian_kernel = address(system.jacobian) if form.implicit else 0
    state.position_kernel = address(system.position_projection)
    state.velocity_kernel = address(system.velocity_projection)
    state.event_kernel = address(system.events)
    state.closing_kernel = address(system.closing)

    state.fixed, state.fsal = control is None, form.first_same_as_last
    state.first, state.next, state.last = form.first, form.next, form.last
    state.closes = form.first_same_as_last and not form.implicit
    state.extra, state.estimates, state.diagonal = form.extra, form.estimates, form.diagonal
    state.starts, state.columns, state.weights, state.nodes = form.tableau
    state.dense = form.dense
    state.dense_columns, state.dense_powers = form.dense.shape

    if form.couplings is not None and form.slopes is not None:
        state.couplings, state.slopes = form.couplings, form.slopes

    state.rtol = problem.rtol
    state.position_tolerance, state.velocity_tolerance = problem.constraint_tolerances
    state.step, state.max_step = problem.step, problem.max_step
    state.start, state.end = float(problem.times[0]), float(problem.times[-1])
    state.n_steps, state.max_steps = problem.n_steps, problem.max_steps
    if control is not None:
        state.exponent, state.memory, state.safety = control.exponent, control.memory, control.safety
        state.shrink, state.grow = control.shrink, control.grow
        state.initial_exponent = 1.0 / control.error_order

    state.initial, state.parameters, state.times = problem.initial, problem.parameters, problem.times
    state.units, state.directions, state.terminal = problem.units, problem.directions, problem.terminal
    state.order, state.more = problem.order, 1
    state.states, state.final = problem.states, problem.final
    for name, values in problem.outcome.items():
        setattr(state, name, values)
    state.log_capacity = max(64, 4 * width * system.n_events) if system.n_events else 0
    state.log_member = np.zeros(state.log_capacity, np.int64)
    state.log_index = np.zeros(state.log_capacity, np.int64)
    state.log_time = np.zeros(state.log_capacity)
    state.log_states = np.zeros((state.log_capacity, n))

    for name in (
        *"member phase accepted masked extended changed output".split(),
        *"rejected landing searching side failed closing".split(),
    ):
        setattr(state, name, np.zeros(width, np.int64))
    for name in "next_step error_before contraction low high g_low g_high cut".split():
        setattr(state, name, np.zeros(width))
    state.work = aligned(rows.K + form.columns + form.spare_rows, n * width)
    state.work[rows.ATOL] = np.repeat(problem.atol, width)
    state.flow = aligned(rows.FLOW_ROWS, width)
    state.values = aligned(rows.VALUE_ROWS, max(1, system.n_events * width))
    state.parameter_lanes = aligned(max(1, system.n_parameters * width))
    state.closing_step = aligned(max(1, system.n_closing * width))
    if form.implicit:
        free = state.n_free
        state.jacobian, state.slope = aligned(free * free * width), aligned(free * width)
        state.matrix, state.vector = aligned(width, n, n), aligned(width, n)
        state.pivots = np.zeros((width, n), np.int64)
        state.half = aligned(width, max(1, state.n_half))
    return state


def make_pointers(problem: Problem, state: State) -> np.ndarray:
    """The pointer table; it must live as long as the state is used."""
    form = problem.form
    table = np.zeros((rows.STAGES + form.columns, rows.POINTERS), np.int64)
    p = state.parameter_lanes.ctypes.data if state.n_parameters else 0
    spare = state.work[rows.SPARE].ctypes.data
    residual = state.flow[rows.RESIDUAL].ctypes.data

    def fill(row: int, at: int, time: int, *outputs: int) -> None:
        table[row, : 3 + len(outputs)] = [
            state.work[at].ctypes.data,
            state.flow[time].ctypes.data,
            p,
            *outputs,
        ]

    # Where the last stage is f at the new state, another evaluation there must not overwrite all lanes of it.
    new_rate = spare if form.first_same_as_last else state.work[rows.K + form.next].ctypes.data
    fill(rows.AT_NEW, rows.NEW, rows.TIME_NEW, new_rate)
    fill(rows.AT_STAGE, rows.STAGE, rows.TIME_STAGE, spare)
    fill(rows.PROJECT_NEW, rows.NEW, rows.TIME_NEW, spare, residual)
    fill(rows.PROJECT_OUT, rows.OUT, rows.TIME_OUT, spare, residual)
    fill(rows.EVENT_NEW, rows.NEW, rows.TIME_NEW, state.values[rows.G_NEW].ctypes.data)
    fill(rows.EVENT_OUT, rows.OUT, rows.TIME_OUT, state.values[rows.G_OUT].ctypes.data)
    fill(rows.JACOBIAN, rows.Y, rows.TIME, state.jacobian.ctypes.data, state.slope.ctypes.data)
    if problem.system.closing is not None:
        step = state.closing_step.ctypes.data
        fill(rows.CLOSE_NEW, rows.NEW, rows.TIME_NEW, step)
        fill(rows.CLOSE_STAGE, rows.STAGE, rows.TIME_STAGE, step)
        fill(rows.CLOSE_OUT, rows.OUT, rows.TIME_OUT, step)
    for stage in range(form.columns):
        at_new = stage == form.last and form.first_same_as_last and not form.implicit
        at = rows.NEW if at_new else rows.STAGE
        fill(rows.STAGES + stage, at, rows.TIME_STAGE, state.work[rows.K + stage].ctypes.data)
    return table


class Lanes:
    """One loop over its share of the members. Final."""

    def __init__(self, problem: Problem, width: int) -> None:
        self.problem = problem
        self.state = make_state(problem, width)
        self._pointers = make_pointers(problem, self.state)
        self.state.pointers = self._pointers.ctypes.data
        self.log: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []

    def run(self, rounds: int) -> int:
        """Continue for up to `rounds` trials of all lanes; why it stopped (`state`)."""
        try:
            return self.problem.form.loop(self.state, rounds)
        finally:
            self._empty_log()

    def _empty_log(self) -> None:
        state, count = self.state, self.state.log_rows
        if count:
            columns = (state.log_member, state.log_index, state.log_time, state.log_states)
            member, index, time, states = (column[:count].copy() for column in columns)
            self.log.append((member, index, time, states))
            state.log_rows = 0
