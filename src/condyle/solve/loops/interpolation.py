"""Dense output: y(theta) = y + step * sum over columns j of b_j(theta) work[K + j], 0 <= theta <= 1."""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.loops.closing import close_output, close_stage
from condyle.solve.loops.manifold import normalise, project
from condyle.solve.loops.sweeps import combine, copy, spread
from condyle.solve.native.language import native
from condyle.solve.state import (
    OUT,
    POINTER_BYTES,
    PROJECT_OUT,
    SCRATCH,
    SIZE,
    STAGE,
    STAGES,
    THETA,
    TIME,
    TIME_OUT,
    TIME_STAGE,
    WEIGHT,
    K,
    State,
    Y,
)


@native
def interpolate(s: State) -> None:
    """work[OUT], flow[TIME_OUT] = state and time at flow[THETA]; dense[j, i] multiplies theta**(i + 1)."""
    for lane in range(s.width):
        s.flow[TIME_OUT, lane] = s.flow[TIME, lane] + s.flow[THETA, lane] * s.flow[SIZE, lane]
    copy(s, Y, OUT)
    for column in range(s.dense_columns):
        for lane in range(s.width):
            theta = s.flow[THETA, lane]
            weight = 0.0
            for power in range(s.dense_powers - 1, -1, -1):
                weight = (weight + s.dense[column, power]) * theta
            s.flow[WEIGHT, lane] = weight * s.flow[SIZE, lane]
        spread(s, WEIGHT, SCRATCH)
        for entry in range(s.size):
            s.work[OUT, entry] += s.work[SCRATCH, entry] * s.work[K + column, entry]


@native
def interpolate_on_manifold(s: State) -> None:
    """As `interpolate`, then bring the masked lanes onto the manifold."""
    interpolate(s)
    normalise(s, OUT)
    close_output(s)
    if s.position_kernel:
        project(s, s.position_kernel, PROJECT_OUT, OUT, s.position_tolerance)
        close_output(s)
    if s.velocity_kernel:
        project(s, s.velocity_kernel, PROJECT_OUT, OUT, s.velocity_tolerance)


@native
def extra_stages(s: State, done: int) -> None:
    """Evaluate the stages that only dense output needs, unless done; count them for the masked lanes."""
    for lane in range(s.width):
        if s.masked[lane] and s.extended[lane] == 0:
            s.extended[lane] = 1
            s.evaluations[s.member[lane]] += s.extra
    if done:
        return
    for stage in range(s.last + 1, s.last + 1 + s.extra):
        combine(s, STAGE, Y, s.starts[stage], s.starts[stage + 1])
        for lane in range(s.width):
            s.flow[TIME_STAGE, lane] = s.flow[TIME, lane] + s.nodes[stage] * s.flow[SIZE, lane]
        close_stage(s)
        call(s.rhs, s.pointers + POINTER_BYTES * (STAGES + stage), 1)
