"""The matrix of implicit stages, one per lane: diagonal * I - step * df/dy, its LU factors and solutions.

Where the states are (q, u) with qdot = u, and df/dy = [0 I; C D], the matrix times (x, y) = (r, s) is solved
for y alone: (diagonal I - step D - step^2 / diagonal C) y = s + step / diagonal C r, and x = (r + step y) /
diagonal.
"""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.lu import factor, solve
from condyle.solve.native.language import native
from condyle.solve.state import JACOBIAN, POINTER_BYTES, RUNNING, SIZE, State


@native
def factor_stage_matrices(s: State, diagonal: float, scale: float) -> None:
    """Evaluate df/dy and df/dt at the accepted states and factor; `searching` is 1 where that succeeded.

    The step is scale * flow[SIZE].
    """
    call(s.jacobian_kernel, s.pointers + POINTER_BYTES * JACOBIAN, 1)
    for lane in range(s.width):
        s.searching[lane] = 0
        if s.phase[lane] == RUNNING:
            step = scale * s.flow[SIZE, lane]
            if s.n_half:
                square = step * step / diagonal
                for row in range(s.n_half):
                    first = ((s.n_half + row) * s.n_free) * s.width + lane
                    for column in range(s.n_half):
                        by_angle = s.jacobian[first + column * s.width]
                        by_speed = s.jacobian[first + (s.n_half + column) * s.width]
                        s.matrix[lane, row, column] = 0.0 - step * by_speed - square * by_angle
                    s.matrix[lane, row, row] += diagonal
                s.searching[lane] = factor(s.matrix, s.pivots, lane, s.n_half)
            else:
                for row in range(s.n_free):
                    for column in range(s.n_free):
                        entry = (row * s.n_free + column) * s.width + lane
                        s.matrix[lane, row, column] = 0.0 - step * s.jacobian[entry]
                    s.matrix[lane, row, row] += diagonal
                s.searching[lane] = factor(s.matrix, s.pivots, lane, s.n_free)


@native
def solve_stage_matrix(s: State, diagonal: float, scale: float, lane: int) -> None:
    """Replace vector[lane] by the solution; the numbers are those that the matrix was factored with."""
    if s.n_half == 0:
        solve(s.matrix, s.pivots, s.vector, lane, s.n_free)
        return
    step = scale * s.flow[SIZE, lane]
    ratio = step / diagonal
    for row in range(s.n_half):
        first = ((s.n_half + row) * s.n_free) * s.width + lane
        total = 0.0
        for column in range(s.n_half):
            total += s.jacobian[first + column * s.width] * s.vector[lane, column]
        s.half[lane, row] = s.vector[lane, s.n_half + row] + ratio * total
    solve(s.matrix, s.pivots, s.half, lane, s.n_half)
    inverse = 1.0 / diagonal
    for row in range(s.n_half):
        speed = s.half[lane, row]
        s.vector[lane, row] = (s.vector[lane, row] + step * speed) * inverse
        s.vector[lane, s.n_half + row] = speed
