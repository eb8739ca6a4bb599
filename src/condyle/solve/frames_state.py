"""The struct of the loop over frames: numbers and arrays that Python and the compiled loop share."""

from __future__ import annotations

from condyle.solve.native.language import Floats1, Floats2, Floats3, Ints1, Ints2

# Rows of the kernel's second output: largest entry of the full Newton step, weighted sum of squares of the
# residuals, largest residual that must vanish, how regular the equations are (0: singular).
CHANGE, MERIT, RESIDUAL, REGULARITY = range(4)
MEASURES = 4

# What the kernel is asked for: the residual at a trial state, or a shorter step from the accepted one.
TRYING, SHORTENING = range(2)


class FramesState:
    """Coordinates (n), targets and parameters are [row][lane] in the lanes; the kernel is an address."""

    n: int
    width: int
    n_targets: int
    n_parameters: int
    n_frames: int
    n_starts: int
    kernel: int
    pointers: int
    tolerance: float
    allowed: float  # residual that counts as vanished
    max_iterations: int
    # problem and results, one row per member
    start: Floats3  # one per member, or one per frame for as long as none has succeeded
    targets: Floats3
    parameters: Floats2
    queue_next: int
    queue_stop: int
    solution: Floats3
    residual: Floats2
    regularity: Floats2
    status: Ints2
    iterations: Ints2
    # lanes
    member: Ints1
    frame: Ints1
    phase: Ints1
    asked: Ints1
    count: Ints1
    followed: Ints1  # a frame has succeeded
    change: Floats1  # of the full step from the accepted state
    moved: Floats1  # by the step that is being tried
    merit: Floats1
    origin: Floats2  # the last accepted frame
    accepted: Floats2  # of this frame
    lowest: Floats1  # merit of the best accepted state, and what else is known of it
    best: Floats2
    best_residual: Floats1
    best_regularity: Floats1
    # work
    trial: Floats1
    target_lanes: Floats1
    parameter_lanes: Floats1
    scale: Floats1
    following: Floats1
    measures: Floats1
