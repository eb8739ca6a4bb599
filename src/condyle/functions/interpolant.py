"""What splines of one input through given points share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import choice_problems, finite_problems, increasing_problems, leaves
from condyle.functions.pieces import EXTRAPOLATIONS, Pieces


@dataclass(frozen=True)
class Interpolant(Function):
    """A spline through the points (x[k], y[k]), x increasing; a subclass says which in `pieces`.

    `extrapolation` says what follows outside the points: "constant", "linear" and "quadratic" keep the end's
    value, slope and second derivative, so that only the derivatives kept are continuous there (and the next
    one where it is 0 at the end); "continue" goes on with the end piece; "nan" gives NaN.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    extrapolation: str = "linear"

    #: Fewest points that define the spline.
    fewest: ClassVar[int] = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", leaves(self.x))
        object.__setattr__(self, "y", leaves(self.y))

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        return ((self.x[0], self.x[-1]),) if self.x else None

    @abstractmethod
    def pieces(self) -> Pieces:
        """Taylor coefficients at the points, floats where the points are floats."""

    def own_problems(self) -> list[str]:
        """What a subclass finds beyond the points and the extrapolation."""
        return []

    def problems(self) -> list[str]:
        found = points_problems(self.x, self.y, self.fewest)
        found += choice_problems("extrapolation", self.extrapolation, tuple(EXTRAPOLATIONS))
        return found + self.own_problems()

    def __call__(self, *x: ca.SX) -> ca.SX:
        (argument,) = x
        return self.pieces()(argument, self.extrapolation)


def points_problems(x: Sequence[Any], y: Sequence[Any], fewest: int) -> list[str]:
    """Whether x and y are as long, enough, finite, and x strictly increasing."""
    for label, values in (("x", x), ("y", y)):
        if not isinstance(values, tuple):
            return [f"{label} must be a sequence of numbers, found {values!r}"]
    found = []
    if len(x) != len(y):
        found.append(f"x has {len(x)} entries and y has {len(y)}; one ordinate per abscissa is needed")
    if len(x) < fewest:
        found.append(f"{len(x)} point{'s' if len(x) != 1 else ''} given, at least {fewest} are needed")
    return found + finite_problems("x", x) + finite_problems("y", y) + increasing_problems("x", x)
