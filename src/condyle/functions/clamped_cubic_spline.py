"""Cubic spline with given slopes at its ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from condyle.functions.cubic import cubic_pieces, slopes, steps
from condyle.functions.interpolant import Interpolant
from condyle.functions.leaves import finite_problems
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class ClampedCubicSpline(Interpolant):
    """The C2 cubic spline with y' = start_slope at the first point and end_slope at the last.

    Outside it is linear by default: C1 at the ends, where y'' jumps to 0.
    """

    start_slope: float = 0.0
    end_slope: float = 0.0

    def pieces(self) -> Pieces:
        h, slope, last = steps(self.x), slopes(self.x, self.y), len(self.x) - 1
        first = ({0: 2.0 * h[0], 1: h[0]}, slope[0] - self.start_slope)
        return cubic_pieces(
            self.x, self.y, first, ({last - 1: h[-1], last: 2.0 * h[-1]}, self.end_slope - slope[-1])
        )

    def own_problems(self) -> list[str]:
        return finite_problems("start_slope", self.start_slope) + finite_problems("end_slope", self.end_slope)
