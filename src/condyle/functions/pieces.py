"""Evaluation of piecewise polynomials as few selects and one Horner form.

Pieces that meet at a knot share every Taylor coefficient there but the highest. So the graph picks an
expansion point (every second knot will do) with its coefficients, then the highest one by the side of the
point. Only numbers are picked, never values of pieces: the value and all its derivatives share what is
picked, no piece is evaluated where it does not hold, and NaN passes through the Horner form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import casadi as ca

from condyle.functions.leaves import symbolic

#: Order of the Taylor polynomial that continues outside the data; None: the end piece itself.
EXTRAPOLATIONS: dict[str, int | None] = {
    "constant": 0,
    "linear": 1,
    "quadratic": 2,
    "continue": None,
    "nan": None,
}

#: From this many knots on, picking is a call node, so that a long table is in the code once. Measured for
#: value, slope and curvature of a cubic spline, one core, ns scalar / in 8 lanes: 12 knots 6.9 / 1.1 inline
#: and 15.8 / 3.3 called; 60 knots 31 / 4.5 and 42 / 6.3; 200 knots 95 / 15 and 114 / 14. A call per
#: derivative order, each with its own picking, took 357 / 73 at 200 knots.
CALLED_KNOTS = 64


@dataclass(frozen=True)
class Pieces:
    """A spline of degree p with p - 1 continuous derivatives, by its Taylor coefficients.

    `shared[k]` holds the coefficients of order 0 ... p - 1 at `knots[k]`, `highest[k]` that of order p
    between `knots[k]` and `knots[k + 1]`.
    """

    knots: Sequence[Any]
    shared: Sequence[Sequence[Any]]
    highest: Sequence[Any]

    def __call__(self, x: ca.SX, extrapolation: str) -> ca.SX:
        """Value at x."""

        def pick(x: ca.SX) -> list[Any]:
            location = Location(self.knots, x, extrapolation)
            return [location.origin, *location.coefficients(self.shared, self.highest)]

        numbers = (self.knots, self.shared, self.highest, extrapolation)
        picked = called(pick, (x,), numbers) if len(self.knots) >= CALLED_KNOTS else pick(x)
        return horner(x - picked[0], picked[1:])


class Location:
    """The expansion point that holds at x, and what picks the coefficients that belong to it."""

    def __init__(self, knots: Sequence[Any], x: ca.SX, extrapolation: str) -> None:
        last = len(knots) - 1
        self.kept = EXTRAPOLATIONS[extrapolation]
        # The ends are expansion points, so that extrapolation has only to drop orders.
        self.points = [*range(0, last, 2), last]
        self.after = [x >= knots[point + 1] for point in self.points[:-1]]
        self.origin = self.pick([knots[point] for point in self.points])
        self.right = x >= self.origin
        self.inside = ca.logic_and(x >= knots[0], x <= knots[-1])
        if extrapolation == "nan":
            self.origin = ca.if_else(self.inside, self.origin, float("nan"))

    def pick(self, values: Sequence[Any]) -> Any:
        """The value that belongs to the expansion point, out of one for each."""
        return _pick(self.after, values)

    def coefficients(self, shared: Sequence[Sequence[Any]], highest: Sequence[Any]) -> list[Any]:
        """Taylor coefficients of orders 0 ... p at the expansion point."""
        picked = [self.pick([shared[k][order] for k in self.points]) for order in range(len(shared[0]))]
        left, right = [*highest[:1], *highest], [*highest, *highest[-1:]]
        if self.kept is not None and self.kept < len(picked):
            left[0] = right[-1] = 0.0
            for order in range(self.kept + 1, len(picked)):
                picked[order] = _select(self.inside, picked[order], 0.0)
        below, above = (self.pick([side[k] for k in self.points]) for side in (left, right))
        return [*picked, _select(self.right, above, below)]


def horner(h: ca.SX, coefficients: Sequence[Any]) -> ca.SX:
    """Sum of coefficients[k] h^k."""
    value = ca.SX(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = coefficient + h * value
    return value


def called(pick: Callable[..., list[Any]], x: Sequence[ca.SX], numbers: Any) -> list[Any]:
    """`pick(*x)` as a call node; in the graph itself where some of the numbers are symbols.

    What is picked is constant inside a piece: the derivative functions that CasADi makes return zeros.
    """
    if symbolic(numbers):
        return pick(*x)
    arguments = [ca.SX.sym(f"x{k}") for k in range(len(x))]
    # Equal tables have one function, different ones different names: emitters know functions by name.
    name = "pick_" + sha256(repr(numbers).encode()).hexdigest()[:16]
    values = ca.cse(ca.vertcat(*pick(*arguments)))
    function = ca.Function(name, arguments, [values], {"never_inline": True})
    return ca.vertsplit(function(*x))


def _pick(after: Sequence[ca.SX], values: Sequence[Any]) -> Any:
    """values[i], i the number of true entries of `after`, the first ones being true; a balanced tree."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    return _select(
        after[half - 1], _pick(after[half:], values[half:]), _pick(after[: half - 1], values[:half])
    )


def _select(condition: ca.SX, yes: Any, no: Any) -> Any:
    if not symbolic((yes, no)) and yes == no:
        return yes
    return ca.if_else(condition, yes, no)
