"""The size of a member's first step (Hairer, Norsett and Wanner I, section II.4)."""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.loops.closing import close_starting
from condyle.solve.loops.control import scaled_norm
from condyle.solve.loops.sweeps import spread
from condyle.solve.native.language import native
from condyle.solve.state import (
    AT_STAGE,
    POINTER_BYTES,
    SIZE,
    SPARE,
    STAGE,
    STARTING,
    STEP,
    TIME,
    TIME_STAGE,
    ZERO,
    K,
    State,
    Y,
)


@native
def first_steps(s: State) -> None:
    """Set next_step of the starting lanes from |y|, |f| and, by an Euler step, the change of f.

    Other lanes stay where they are; one evaluation serves all.
    """
    for lane in range(s.width):
        s.flow[SIZE, lane] = 0.0
        if s.phase[lane] == STARTING:
            state = scaled_norm(s, Y, ZERO, lane)
            rate = scaled_norm(s, K + s.first, ZERO, lane)
            size = 1e-6
            if state > 1e-5 and rate > 1e-5:
                size = 0.01 * state / rate
            s.flow[SIZE, lane] = min(size, min(s.max_step, s.end - s.flow[TIME, lane]))
            s.g_low[lane] = rate
            s.evaluations[s.member[lane]] += 1
        s.flow[TIME_STAGE, lane] = s.flow[TIME, lane] + s.flow[SIZE, lane]
    spread(s, SIZE, STEP)
    for entry in range(s.size):
        s.work[STAGE, entry] = s.work[Y, entry] + s.work[STEP, entry] * s.work[K + s.first, entry]
    close_starting(s)
    call(s.rhs, s.pointers + POINTER_BYTES * AT_STAGE, 1)
    for lane in range(s.width):
        if s.phase[lane] == STARTING:
            size = s.flow[SIZE, lane]
            bend = scaled_norm(s, SPARE, K + s.first, lane) / size
            steepest = max(bend, s.g_low[lane])
            other = max(1e-6, 1e-3 * size)
            if steepest > 1e-15:
                other = (0.01 / steepest) ** s.initial_exponent
            # Where the probe left the domain of f, `other` is not a number, and the probe's size has to do.
            s.next_step[lane] = min(100.0 * size, other) if other == other else size
