"""The cubic spline of SIMM and OpenSim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from condyle.functions.cubic import cubic_pieces, natural_pieces, slopes, steps
from condyle.functions.interpolant import Interpolant
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class SIMMSpline(Interpolant):
    """The C2 cubic spline whose third derivative at each end is that of the cubic through four end points.

    With three points y'' is constant in the end pieces, with two it is a straight line. Outside the points it
    is linear by default, as in OpenSim: C1 at the ends, where y'' jumps to 0.
    """

    def pieces(self) -> Pieces:
        h, last = steps(self.x), len(self.x) - 1
        if last == 1:
            return natural_pieces(self.x, self.y)
        start, end = h[0] ** 2 * self._third_difference(0), h[-1] ** 2 * self._third_difference(last - 3)
        first = ({0: -h[0], 1: h[0]}, start)
        return cubic_pieces(self.x, self.y, first, ({last - 1: h[-1], last: -h[-1]}, -end))

    def _third_difference(self, k: int) -> Any:
        """Divided difference y[k, k+1, k+2, k+3]; 0 where there are only three points."""
        if len(self.x) < 4:
            return 0.0
        x, difference = self.x[k : k + 4], slopes(self.x[k : k + 4], self.y[k : k + 4])
        for order in (2, 3):
            difference = [
                (difference[i + 1] - difference[i]) / (x[i + order] - x[i]) for i in range(4 - order)
            ]
        return difference[0]
