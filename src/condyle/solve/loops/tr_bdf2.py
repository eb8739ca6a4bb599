"""The loop of TR-BDF2: two implicit stages with one matrix, simplified Newton iterations per lane."""

from __future__ import annotations

from math import sqrt

from condyle.kernels.by_address import call
from condyle.solve.loops.advance import advance
from condyle.solve.loops.closing import close_searching
from condyle.solve.loops.control import choose_sizes, fetch, judge, scaled_squares
from condyle.solve.loops.newton_matrix import factor_stage_matrices, solve_stage_matrix
from condyle.solve.loops.rounds import interrupted
from condyle.solve.loops.sweeps import combine, copy, fold
from condyle.solve.native.language import native
from condyle.solve.state import (
    ATOL,
    BUDGET,
    ERROR,
    FINISHED,
    INFINITY,
    NEW,
    POINTER_BYTES,
    SCRATCH,
    SIZE,
    SPARE,
    STAGE,
    STAGES,
    STEP,
    TIME,
    TIME_STAGE,
    ZERO,
    K,
    State,
    Y,
)

ITERATIONS = 10
ACCURACY = 1e-3  # of the error tolerance: what Newton leaves must not be seen by the error estimate
DIVERGED = 1e200
BASE = K + 3  # the explicit part of a stage


@native
def tr_bdf2(s: State, rounds: int) -> int:
    """Up to `rounds` trials of all lanes; returns why it stopped. All state is in the struct: call again."""
    for _ in range(rounds):
        if choose_sizes(s):
            attempt(s)
        judge(s, 0)
        if fetch(s) == 0:
            return FINISHED
        advance(s)
        reason = interrupted(s)
        if reason != BUDGET:
            return reason
    return BUDGET


@native
def attempt(s: State) -> None:
    """One trial step of every lane: work[NEW] and flow[ERROR] (norm of the error over the tolerance).

    Rows of the tableau: explicit parts of both stages, then guesses of both, then the error estimate.
    """
    factor_stage_matrices(s, 1.0, s.diagonal)
    for lane in range(s.width):
        s.high[lane] = DIVERGED if s.searching[lane] else INFINITY  # the error of a lane that gets no result
    for stage in range(1, 3):
        combine(s, BASE, Y, s.starts[stage], s.starts[stage + 1])
        combine(s, STAGE, Y, s.starts[stage + 2], s.starts[stage + 3])
        for lane in range(s.width):
            s.flow[TIME_STAGE, lane] = s.flow[TIME, lane] + s.nodes[stage] * s.flow[SIZE, lane]
        iterate(s, stage)
    copy(s, STAGE, NEW)
    combine(s, SPARE, ZERO, s.starts[5], s.starts[6])
    # The estimate of stiff components is far too large; the stage matrix damps it (Hosea and Shampine 1996).
    for lane in range(s.width):
        if s.searching[lane]:
            for row in range(s.n_free):
                s.vector[lane, row] = s.work[SPARE, row * s.width + lane]
            solve_stage_matrix(s, 1.0, s.diagonal, lane)
            for row in range(s.n_free):
                s.work[SPARE, row * s.width + lane] = s.vector[lane, row]
    scaled_squares(s, SPARE, SCRATCH)
    fold(s, SCRATCH, ERROR)
    for lane in range(s.width):
        error = sqrt(s.flow[ERROR, lane] / max(s.n_free, 1))
        s.flow[ERROR, lane] = error if s.searching[lane] else s.high[lane]


@native
def iterate(s: State, stage: int) -> None:
    """Solve work[STAGE] = work[BASE] + diagonal * step * f(work[STAGE]); work[K + stage] = f there.

    Lanes that are done stay as they are; `searching` becomes 0 for those that do not converge.
    """
    for lane in range(s.width):
        s.masked[lane] = s.searching[lane]
        s.low[lane] = 0.0
    for iteration in range(ITERATIONS):
        active = 0
        for lane in range(s.width):
            active += s.masked[lane]
        if active == 0:
            break
        close_searching(s)
        call(s.rhs, s.pointers + POINTER_BYTES * (STAGES + stage), 1)
        for lane in range(s.width):
            if s.masked[lane]:
                s.evaluations[s.member[lane]] += 1
                correct(s, stage, lane, iteration)
    for lane in range(s.width):
        if s.masked[lane]:
            s.searching[lane] = 0
    # The rate that satisfies the stage's equation, not f, which would magnify what Newton left over.
    for entry in range(s.size):
        step = s.diagonal * s.work[STEP, entry]
        s.work[K + stage, entry] = (s.work[STAGE, entry] - s.work[BASE, entry]) / max(step, 1e-300)


@native
def correct(s: State, stage: int, lane: int, iteration: int) -> None:
    """One Newton correction of one lane; `masked` becomes 0 when it has converged or cannot."""
    step = s.diagonal * s.flow[SIZE, lane]
    for row in range(s.n_free):
        entry = row * s.width + lane
        s.vector[lane, row] = s.work[BASE, entry] + step * s.work[K + stage, entry] - s.work[STAGE, entry]
    solve_stage_matrix(s, 1.0, s.diagonal, lane)
    total = 0.0
    for row in range(s.n_free):
        entry = row * s.width + lane
        scale = s.work[ATOL, entry] + s.rtol * max(abs(s.work[Y, entry]), abs(s.work[STAGE, entry]))
        ratio = s.vector[lane, row] / scale
        total += ratio * ratio
        s.work[STAGE, entry] += s.vector[lane, row]
    change = sqrt(total / max(s.n_free, 1))
    before = s.low[lane]
    s.low[lane] = change
    # What is left falls geometrically. Before the second correction the rate is that of earlier stages,
    # trusted half as much each time.
    rate = s.contraction[lane] * 2.0
    left = change * rate / (1.0 - rate) if rate < 0.5 else change
    if iteration > 0:
        rate = change / before
        left = change * rate / (1.0 - rate) if rate < 1.0 else DIVERGED
    s.contraction[lane] = rate
    if not change < INFINITY:
        s.high[lane] = INFINITY
    if change == 0.0 or left <= ACCURACY:
        s.masked[lane] = 0
    elif not left < DIVERGED:
        s.masked[lane] = 0
        s.searching[lane] = 0
