"""Quintic spline with given first and second derivatives at its ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from condyle.functions.interpolant import Interpolant
from condyle.functions.leaves import finite_problems
from condyle.functions.pieces import Pieces
from condyle.functions.quintic_spline import quintic_pieces


@final
@dataclass(frozen=True)
class ClampedQuinticSpline(Interpolant):
    """The C4 quintic spline with given y' (slope) and y'' (curvature) at its first and at its last point.

    Its second derivative converges with the fourth power of the step up to the ends, where a natural one
    does not. Outside it is quadratic by default, C2 at the ends.
    """

    extrapolation: str = "quadratic"
    start_slope: float = 0.0
    end_slope: float = 0.0
    start_curvature: float = 0.0
    end_curvature: float = 0.0
    fewest: ClassVar[int] = 2

    @property
    def continuity(self) -> int:
        return 4

    def pieces(self) -> Pieces:
        ends = ((self.start_slope, self.start_curvature), (self.end_slope, self.end_curvature))
        return quintic_pieces(self.x, self.y, ends)

    def own_problems(self) -> list[str]:
        labels = ("start_slope", "end_slope", "start_curvature", "end_curvature")
        return [text for label in labels for text in finite_problems(label, getattr(self, label))]
