"""Quintic spline, for data whose fourth derivative must not jump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from condyle.functions.banded import solve_banded
from condyle.functions.cubic import steps
from condyle.functions.interpolant import Interpolant
from condyle.functions.pieces import Pieces

# Integral over 0 ... 1 of N_i''' N_j''' of the quintic Hermite functions for y, y', y'' at 0, then at 1.
_STIFFNESS = (
    (720.0, 360.0, 60.0, -720.0, 360.0, -60.0),
    (360.0, 192.0, 36.0, -360.0, 168.0, -24.0),
    (60.0, 36.0, 9.0, -60.0, 24.0, -3.0),
    (-720.0, -360.0, -60.0, 720.0, -360.0, 60.0),
    (360.0, 168.0, 24.0, -360.0, 192.0, -36.0),
    (-60.0, -24.0, -3.0, 60.0, -36.0, 9.0),
)


@final
@dataclass(frozen=True)
class QuinticSpline(Interpolant):
    """The natural C4 quintic spline: of all functions through the points, that of least integral of y'''^2.

    It is OpenSim's GCVSpline of half order 3 without smoothing. At the ends y''' = y'''' = 0; outside it is
    quadratic by default, and so C4 everywhere.
    """

    extrapolation: str = "quadratic"
    fewest: ClassVar[int] = 3

    @property
    def continuity(self) -> int:
        return 4

    def pieces(self) -> Pieces:
        return quintic_pieces(self.x, self.y)


def quintic_pieces(x: Sequence[Any], y: Sequence[Any], ends: Sequence[Sequence[Any]] = ()) -> Pieces:
    """The natural quintic spline, or the one with (y', y'') at both `ends`; ordinates are numbers,
    expressions, or arrays of one shape.
    """
    h = steps(x)
    first, second = _end_derivatives(h, y, ends)
    shared, highest = [], []
    for k, step in enumerate(h):
        # Taylor coefficients at the start of the piece, of s = (x - x[k]) / step, from its Hermite data.
        a, b, c = y[k], first[k] * step, second[k] * (step * step / 2.0)
        rise = y[k + 1] - a - b - c
        turn = first[k + 1] * step - b - 2.0 * c
        bend = second[k + 1] * (step * step / 2.0) - c
        d, e, f = (
            10.0 * rise - 4.0 * turn + bend,
            -15.0 * rise + 7.0 * turn - 2.0 * bend,
            6.0 * rise - 3.0 * turn + bend,
        )
        shared.append((a, first[k], second[k] / 2.0, d / step**3, e / step**4))
        highest.append(f / step**5)
    # Third and fourth order at the last point vanish by nature, or follow from the last piece.
    third, fourth = ((d + 4.0 * e + 10.0 * f) / step**3, (e + 5.0 * f) / step**4) if ends else (0.0, 0.0)
    shared.append((y[-1], first[-1], second[-1] / 2.0, third, fourth))
    return Pieces(x, shared, highest)


def _end_derivatives(
    h: Sequence[Any], y: Sequence[Any], ends: Sequence[Sequence[Any]]
) -> tuple[list[Any], list[Any]]:
    """y' and y'' at the points, by the stationarity of the integral: positive definite, half-width 3.

    What is given at the `ends` takes the place of its condition.
    """
    count = 2 * len(y)
    rows: list[dict[int, Any]] = [{} for _ in range(count)]
    right: list[Any] = [0.0] * count
    for k, step in enumerate(h):
        # Unknown number (None: a given ordinate) and scale of the six data of a piece.
        scales = (1.0, step, step * step) * 2
        places = (None, 2 * k, 2 * k + 1, None, 2 * k + 2, 2 * k + 3)
        for i, row in enumerate(places):
            if row is None:
                continue
            weight = scales[i] / step**5
            # The integral depends on the difference of the ordinates only, which keeps its rounding small.
            right[row] = right[row] - _STIFFNESS[i][3] * weight * (y[k + 1] - y[k])
            for j, column in enumerate(places):
                if column is not None:
                    rows[row][column] = rows[row].get(column, 0.0) + _STIFFNESS[i][j] * weight * scales[j]
    if ends:
        for row, value in zip((0, 1, count - 2, count - 1), (*ends[0], *ends[1]), strict=True):
            rows[row], right[row] = {row: 1.0}, value
    solution = solve_banded(rows, right)
    return solution[0::2], solution[1::2]
