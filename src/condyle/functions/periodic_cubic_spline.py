"""Cubic spline that repeats itself."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, final

import casadi as ca

from condyle.functions.banded import solve_banded
from condyle.functions.base import Function
from condyle.functions.cubic import slopes, steps
from condyle.functions.interpolant import points_problems
from condyle.functions.leaves import finite_problems, leaves
from condyle.functions.pieces import Pieces


@final
@dataclass(frozen=True)
class PeriodicCubicSpline(Function):
    """The C2 cubic spline through (x[k], y[k]) with y(x + period) = y(x); x increases within one period."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    period: float = 2.0 * pi

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", leaves(self.x))
        object.__setattr__(self, "y", leaves(self.y))

    def problems(self) -> list[str]:
        found = points_problems(self.x, self.y, 3) + finite_problems("period", self.period)
        numeric = not any(isinstance(value, ca.SX) for value in (*self.x, self.period))
        if not found and numeric and not self.x[-1] - self.x[0] < self.period:
            reach = f"x reaches from {self.x[0]} to {self.x[-1]}"
            found.append(f"{reach}, which must be less than the period {self.period}; do not repeat a point")
        return found

    def pieces(self) -> Pieces:
        """Taylor coefficients at the points of one period, the first point again at its end."""
        x, y = [*self.x, self.x[0] + self.period], [*self.y, self.y[0]]
        h, slope = steps(x), slopes(x, y)
        c = _second_derivatives(h, slope)
        first_derivative = [slope[k] - h[k] * (2.0 * c[k] + c[k + 1]) for k in range(len(h))]
        shared = [(y[k], first_derivative[k % len(h)], 3.0 * c[k]) for k in range(len(x))]
        return Pieces(x, shared, [(c[k + 1] - c[k]) / h[k] for k in range(len(h))])

    def __call__(self, *x: ca.SX) -> ca.SX:
        (argument,) = x
        turns = ca.floor((argument - self.x[0]) / self.period)
        return self.pieces()(argument - self.period * turns, "continue")


def _second_derivatives(h: list[Any], slope: list[Any]) -> list[Any]:
    """c = y''/6 at the points, the first again at the end.

    All rows say that both sides of a point have one slope. With c[0] set aside the others are tridiagonal:
    they are solved for what they are without c[0] and for what they change with it.
    """
    count = len(h)
    rows, right, share = [], [], []
    for k in range(1, count):
        row = {k - 1: 2.0 * (h[k - 1] + h[k])}
        if k > 1:
            row[k - 2] = h[k - 1]
        if k < count - 1:
            row[k] = h[k]
        rows.append(row)
        right.append(slope[k] - slope[k - 1])
        share.append(-(h[0] if k == 1 else 0.0) - (h[-1] if k == count - 1 else 0.0))
    fixed, moved = solve_banded(rows, right), solve_banded(rows, share)
    pivot = 2.0 * (h[-1] + h[0]) + h[0] * moved[0] + h[-1] * moved[-1]
    first = (slope[0] - slope[-1] - h[0] * fixed[0] - h[-1] * fixed[-1]) / pivot
    return [first, *(a + first * b for a, b in zip(fixed, moved, strict=True)), first]
