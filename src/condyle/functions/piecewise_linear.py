"""Straight lines between points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from condyle.functions.cubic import slopes
from condyle.functions.interpolant import Interpolant
from condyle.functions.leaves import choice_problems
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class PiecewiseLinear(Interpolant):
    """Straight lines between the points, and beyond the ends by default.

    Its slope jumps at every point, so that velocities jump there and an integrator sees no force for it. That
    must be accepted: `accept_kinks=True`.
    """

    accept_kinks: bool = False

    @property
    def continuity(self) -> int:
        return 0

    def pieces(self) -> Pieces:
        return Pieces(self.x, [(y,) for y in self.y], slopes(self.x, self.y))

    def own_problems(self) -> list[str]:
        found: list[str] = []
        if self.extrapolation == "quadratic":
            found += choice_problems("extrapolation", "quadratic", ("constant", "linear", "continue", "nan"))
        if not self.accept_kinks:
            found.append(
                "the slope of a piecewise-linear function jumps at its points; say accept_kinks=True, "
                "or take NaturalCubicSpline"
            )
        return found
