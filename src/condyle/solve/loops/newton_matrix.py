"""The matrix of implicit stages, one per lane: diagonal * I - step * factor * df/dy, and its LU factors."""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.lu import factor
from condyle.solve.native.language import native
from condyle.solve.state import JACOBIAN, POINTER_BYTES, RUNNING, SIZE, State


@native
def factor_stage_matrices(s: State, diagonal: float, scale: float) -> None:
    """Evaluate df/dy and df/dt at the accepted states and factor; `searching` is 1 where that succeeded."""
    call(s.jacobian_kernel, s.pointers + POINTER_BYTES * JACOBIAN, 1)
    for lane in range(s.width):
        s.searching[lane] = 0
        if s.phase[lane] == RUNNING:
            step = scale * s.flow[SIZE, lane]
            for row in range(s.n_free):
                for column in range(s.n_free):
                    entry = (row * s.n_free + column) * s.width + lane
                    s.matrix[lane, row, column] = 0.0 - step * s.jacobian[entry]
                s.matrix[lane, row, row] += diagonal
            s.searching[lane] = factor(s.matrix, s.pivots, lane, s.n_free)
