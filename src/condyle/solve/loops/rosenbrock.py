"""The loop of Rosenbrock methods; the tableau is data.

Stages are solved for rates k_i = U_i / h in Hairer and Wanner's transformed variables (Solving Ordinary
Differential Equations II, section IV.7, eq. 7.25):
(I / gamma - h J) k_i = f(t + alpha_i h, y + h sum a_ij k_j) + sum c_ij k_j + gamma_i h df/dt.
"""

from __future__ import annotations

from math import sqrt

from condyle.kernels.by_address import call
from condyle.solve.loops.advance import advance
from condyle.solve.loops.closing import close_stage
from condyle.solve.loops.control import choose_sizes, fetch, judge, scaled_squares
from condyle.solve.loops.newton_matrix import factor_stage_matrices, solve_stage_matrix
from condyle.solve.loops.rounds import interrupted
from condyle.solve.loops.sweeps import combine, fold
from condyle.solve.native.language import native
from condyle.solve.state import (
    BUDGET,
    ERROR,
    FINISHED,
    INFINITY,
    NEW,
    POINTER_BYTES,
    RUNNING,
    SCRATCH,
    SIZE,
    SPARE,
    STAGE,
    STAGES,
    TIME,
    TIME_STAGE,
    ZERO,
    K,
    State,
    Y,
)


@native
def rosenbrock(s: State, rounds: int) -> int:
    """Up to `rounds` trials of all lanes; returns why it stopped. All state is in the struct: call again."""
    for _ in range(rounds):
        if choose_sizes(s):
            attempt(s)
        judge(s, s.last - 1)
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
    factor_stage_matrices(s, 1.0 / s.diagonal, 1.0)
    for stage in range(s.last):
        source = K + s.first
        if stage > 0:
            source = K + stage
            combine(s, STAGE, Y, s.starts[stage], s.starts[stage + 1])
            for lane in range(s.width):
                s.flow[TIME_STAGE, lane] = s.flow[TIME, lane] + s.nodes[stage] * s.flow[SIZE, lane]
            close_stage(s)
            call(s.rhs, s.pointers + POINTER_BYTES * (STAGES + stage), 1)
        for lane in range(s.width):
            if s.phase[lane] == RUNNING:
                solve_stage(s, stage, source, lane)
    combine(s, NEW, Y, s.starts[s.last], s.starts[s.last + 1])
    combine(s, SPARE, ZERO, s.starts[s.last + 1], s.starts[s.last + 2])
    scaled_squares(s, SPARE, SCRATCH)
    fold(s, SCRATCH, ERROR)
    for lane in range(s.width):
        error = sqrt(s.flow[ERROR, lane] / max(s.n_free, 1))
        s.flow[ERROR, lane] = error if s.searching[lane] else INFINITY


@native
def solve_stage(s: State, stage: int, source: int, lane: int) -> None:
    """work[K + stage] of one lane, from f in work[source]."""
    slope = s.slopes[stage] * s.flow[SIZE, lane]
    for row in range(s.n):
        entry = row * s.width + lane
        if row >= s.n_free:
            slope = 0.0
        total = s.work[source, entry] + slope * s.slope[min(row, s.n_free - 1) * s.width + lane]
        for before in range(stage):
            total += s.couplings[stage, before] * s.work[K + before, entry]
        s.vector[lane, row] = total
    solve_stage_matrix(s, 1.0 / s.diagonal, 1.0, lane)
    for row in range(s.n_free, s.n):
        s.vector[lane, row] *= s.diagonal  # a prediction only: closing states follow from the others
    for row in range(s.n):
        s.work[K + stage, row * s.width + lane] = s.vector[lane, row]
