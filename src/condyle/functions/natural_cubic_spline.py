"""Cubic spline without curvature at its ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from condyle.functions.cubic import solved_cubic
from condyle.functions.interpolant import Interpolant
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class NaturalCubicSpline(Interpolant):
    """The C2 cubic spline with y'' = 0 at both ends; outside, linear by default, which keeps it C2 everywhere."""

    def pieces(self) -> Pieces:
        last = len(self.x) - 1
        return solved_cubic(self.x, self.y, ({0: 1.0}, 0.0), ({last: 1.0}, 0.0))

    def own_problems(self) -> list[str]:
        return []
