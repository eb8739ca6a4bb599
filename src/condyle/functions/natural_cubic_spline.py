"""Cubic spline without curvature at its ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from condyle.functions.cubic import natural_pieces
from condyle.functions.interpolant import Interpolant
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class NaturalCubicSpline(Interpolant):
    """The C2 cubic spline with y'' = 0 at both ends; linear outside by default, and so C2 everywhere."""

    def pieces(self) -> Pieces:
        return natural_pieces(self.x, self.y)
