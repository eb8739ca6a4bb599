"""The loop of all explicit Runge-Kutta methods; the tableau is data."""

from __future__ import annotations

from math import sqrt

from condyle.kernels.by_address import call
from condyle.solve.loops.advance import advance
from condyle.solve.loops.closing import close_stage, close_trial
from condyle.solve.loops.control import choose_sizes, fetch, judge, scaled_squares
from condyle.solve.loops.rounds import interrupted
from condyle.solve.loops.sweeps import combine, fold
from condyle.solve.native.language import native
from condyle.solve.state import (
    BUDGET,
    ERROR,
    FINISHED,
    NEW,
    POINTER_BYTES,
    SCRATCH,
    SIZE,
    SPARE,
    STAGE,
    STAGES,
    SUM,
    TIME,
    TIME_STAGE,
    ZERO,
    State,
    Y,
)


@native
def explicit(s: State, rounds: int) -> int:
    """Up to `rounds` trials of all lanes; returns why it stopped. All state is in the struct: call again."""
    for _ in range(rounds):
        if choose_sizes(s):
            attempt(s)
        judge(s, s.last - 1 + s.fsal)
        if fetch(s) == 0:
            return FINISHED
        advance(s)
        reason = interrupted(s)
        if reason != BUDGET:
            return reason
    return BUDGET


@native
def attempt(s: State) -> None:
    """One trial step of every lane: work[NEW] and flow[ERROR] (norm of the error over the tolerance)."""
    for stage in range(1, s.last + 1):
        combine(s, NEW if stage == s.last else STAGE, Y, s.starts[stage], s.starts[stage + 1])
        if stage < s.last or s.fsal:
            for lane in range(s.width):
                s.flow[TIME_STAGE, lane] = s.flow[TIME, lane] + s.nodes[stage] * s.flow[SIZE, lane]
            if stage == s.last:
                close_trial(s)
            else:
                close_stage(s)
            call(s.rhs, s.pointers + POINTER_BYTES * (STAGES + stage), 1)
    if s.fixed:
        return
    row = s.last + s.extra + 1
    combine(s, SPARE, ZERO, s.starts[row], s.starts[row + 1])
    scaled_squares(s, SPARE, SCRATCH)
    fold(s, SCRATCH, ERROR)
    if s.estimates == 2:
        # Dormand-Prince 8(5,3): the fifth-order estimate damped by the third-order one (Hairer I, eq.
        # II.10.17).
        combine(s, SPARE, ZERO, s.starts[row + 1], s.starts[row + 2])
        scaled_squares(s, SPARE, SCRATCH)
        fold(s, SCRATCH, SUM)
        for lane in range(s.width):
            fifth = s.flow[ERROR, lane]
            total = fifth + 0.01 * s.flow[SUM, lane]
            s.flow[ERROR, lane] = 0.0 if total == 0.0 else fifth / sqrt(total * max(s.n_free, 1))
    else:
        for lane in range(s.width):
            s.flow[ERROR, lane] = sqrt(s.flow[ERROR, lane] / max(s.n_free, 1))
