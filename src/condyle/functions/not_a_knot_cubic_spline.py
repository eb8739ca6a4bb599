"""Cubic spline without a break at its second and last but one points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from condyle.functions.cubic import not_a_knot_pieces
from condyle.functions.interpolant import Interpolant
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class NotAKnotCubicSpline(Interpolant):
    """The C2 cubic spline whose first two pieces are one cubic, and whose last two are.

    Four points give their cubic, three their parabola, two their line. Outside, the end pieces continue by
    default, which keeps it C2 everywhere.
    """

    extrapolation: str = "continue"

    def pieces(self) -> Pieces:
        return not_a_knot_pieces(self.x, self.y)
