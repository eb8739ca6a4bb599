"""Evaluation of piecewise polynomials as few selects and one Horner form.

Pieces that meet at a knot share every Taylor coefficient there but the highest, so the graph picks an expansion point
(every second knot) and its coefficients, then the highest coefficient by the side of the point. Only numbers are
picked, never values of pieces: value, first and second derivative share what is picked, no piece is evaluated where
it does not hold, and NaN passes through the Horner form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from condyle.errors import closest
from condyle.functions.leaves import symbolic

#: Order of the Taylor polynomial that continues outside the data; None: the end piece itself.
EXTRAPOLATIONS: dict[str, int | None] = {"constant": 0, "linear": 1, "quadratic": 2, "continue": None, "nan": None}

#: More knots than this are looked up in a call node, so that a graph does not carry a long select chain each time.
INLINE_KNOTS = 16


@dataclass(frozen=True)
class Pieces:
    """A spline of degree p with p - 1 continuous derivatives, by its Taylor coefficients.

    `shared[k]` holds the coefficients of order 0 ... p - 1 at `knots[k]`, `highest[k]` that of order p between
    `knots[k]` and `knots[k + 1]`.
    """

    knots: Sequence[Any]
    shared: Sequence[Sequence[Any]]
    highest: Sequence[Any]

    def __call__(self, x: ca.SX, extrapolation: str) -> ca.SX:
        """Value at x."""
        if extrapolation == "nan":
            x = x + ca.if_else(self._inside(x), 0.0, float("nan"))
        h, *coefficients = self._local(x, EXTRAPOLATIONS[extrapolation])
        value = coefficients[-1]
        for coefficient in reversed(coefficients[:-1]):
            value = coefficient + h * value
        return value

    def _inside(self, x: ca.SX) -> ca.SX:
        return ca.logic_and(x >= self.knots[0], x <= self.knots[-1])

    def _local(self, x: ca.SX, kept: int | None) -> list[Any]:
        """Distance from the expansion point, and the Taylor coefficients of orders 0 ... p that hold at x."""
        last = len(self.knots) - 1
        degree = len(self.shared[0])
        # The ends are expansion points, so that extrapolation only drops orders.
        points = [*range(0, last, 2), last]
        after = [x >= self.knots[point + 1] for point in points[:-1]]
        h = x - _pick(after, [self.knots[point] for point in points])
        coefficients = [_pick(after, [self.shared[point][order] for point in points]) for order in range(degree)]
        left, right = list(self.highest[:1]) + list(self.highest), list(self.highest) + list(self.highest[-1:])
        if kept is not None and kept < degree:
            left[0] = right[-1] = 0.0
            if kept + 1 < degree:
                inside = self._inside(x)
                for order in range(kept + 1, degree):
                    coefficients[order] = ca.if_else(inside, coefficients[order], 0.0)
        below, above = _pick(after, [left[p] for p in points]), _pick(after, [right[p] for p in points])
        return [h, *coefficients, _select(h >= 0, above, below)]


def extrapolation_problems(extrapolation: str, allowed: Sequence[str] = tuple(EXTRAPOLATIONS)) -> list[str]:
    """Whether the word is one of the allowed ones."""
    if extrapolation in allowed:
        return []
    return [f"unknown extrapolation {extrapolation!r}{closest(str(extrapolation), allowed)}"]


def _pick(after: Sequence[ca.SX], values: Sequence[Any]) -> Any:
    """values[i] where i counts the true entries of `after`, which are true up to some index; a balanced tree."""
    if len(values) == 1:
        return values[0]
    middle = len(values) // 2
    return _select(
        after[middle - 1],
        _pick(after[middle:], values[middle:]),
        _pick(after[: middle - 1], values[:middle]),
    )


def _select(condition: ca.SX, yes: Any, no: Any) -> Any:
    if not symbolic((yes, no)) and yes == no:
        return yes
    return ca.if_else(condition, yes, no)
