"""The cubic spline of SIMM and OpenSim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from condyle.functions.cubic import slopes, solved_cubic, steps
from condyle.functions.interpolant import Interpolant
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class SIMMSpline(Interpolant):
    """The C2 cubic spline whose third derivative at each end is that of the cubic through the four end points.

    With three points the end pieces are parabolas, with two it is a straight line. Outside the points it is linear by
    default, as in OpenSim: y'' then jumps to 0 at the ends, where the spline is only C1.
    """

    def pieces(self) -> Pieces:
        h = steps(self.x)
        last = len(self.x) - 1
        if last == 1:
            return solved_cubic(self.x, self.y, ({0: 1.0}, 0.0), ({1: 1.0}, 0.0))
        first = h[0] ** 2 * self._third_difference(0)
        final_ = h[-1] ** 2 * self._third_difference(last - 3)
        return solved_cubic(
            self.x, self.y, ({0: -h[0], 1: h[0]}, first), ({last - 1: h[-1], last: -h[-1]}, -final_)
        )

    def _third_difference(self, k: int) -> Any:
        """Divided difference y[k ... k+3]; 0 where there are only three points."""
        if len(self.x) < 4:
            return 0.0
        x, difference = self.x, slopes(self.x[k : k + 4], self.y[k : k + 4])
        for order in (2, 3):
            difference = [
                (difference[i + 1] - difference[i]) / (x[k + i + order] - x[k + i]) for i in range(len(difference) - 1)
            ]
        return difference[0]

    def own_problems(self) -> list[str]:
        return []
