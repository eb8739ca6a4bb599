"""Spline surface over a grid of two inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.cubic import natural_pieces, not_a_knot_pieces
from condyle.functions.leaves import choice_problems, finite_problems, increasing_problems, leaves
from condyle.functions.pieces import CALLED_KNOTS, EXTRAPOLATIONS, Location, called, horner

_ENDS = {"natural": natural_pieces, "not-a-knot": not_a_knot_pieces}


@final
@dataclass(frozen=True)
class TensorSpline(Function):
    """The C2 bicubic spline with value z[i][j] at (x[i], y[j]): a spline along x of splines along y.

    `ends` are the end conditions along both inputs, "natural" or "not-a-knot". `extrapolation` acts on each
    input beyond its range as for the splines of one input: the default, "linear", is C2 for natural ends and
    C1 at the border for the others.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    z: tuple[tuple[float, ...], ...]
    ends: str = "natural"
    extrapolation: str = "linear"

    def __post_init__(self) -> None:
        for label in ("x", "y", "z"):
            object.__setattr__(self, label, leaves(getattr(self, label)))

    @property
    def inputs(self) -> int:
        return 2

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        return ((self.x[0], self.x[-1]), (self.y[0], self.y[-1])) if self.x and self.y else None

    def problems(self) -> list[str]:
        for label in ("x", "y", "z"):
            if not isinstance(getattr(self, label), tuple):
                return [f"{label} must be a sequence of numbers, found {getattr(self, label)!r}"]
        found = choice_problems("ends", self.ends, tuple(_ENDS))
        found += choice_problems("extrapolation", self.extrapolation, tuple(EXTRAPOLATIONS))
        for label in ("x", "y"):
            values = getattr(self, label)
            if len(values) < 2:
                found.append(f"{label} has {len(values)} entries, at least 2 are needed")
            found += finite_problems(label, values) + increasing_problems(label, values)
        found += finite_problems("z", self.z)
        if len(self.z) != len(self.x):
            found.append(f"z has {len(self.z)} rows and x {len(self.x)} entries; one row per x is needed")
        for index, row in enumerate(self.z):
            if not isinstance(row, tuple) or len(row) != len(self.y):
                size = len(row) if isinstance(row, tuple) else "no"
                found.append(f"z[{index}] has {size} entries and y {len(self.y)}; one per y is needed")
        return found

    def __call__(self, *x: ca.SX) -> ca.SX:
        numbers = (self.x, self.y, self.z, self.ends, self.extrapolation)
        large = len(self.x) * len(self.y) >= 4 * CALLED_KNOTS
        picked = called(self._pick, x, numbers) if large else self._pick(*x)
        h, g = x[0] - picked[0], x[1] - picked[1]
        return horner(h, [horner(g, picked[k : k + 4]) for k in range(2, 18, 4)])

    def _pick(self, x: ca.SX, y: ca.SX) -> list[Any]:
        """The expansion point, then the 16 Taylor coefficients there, order in x first."""
        pieces = _ENDS[self.ends]
        along_x, along_y = Location(self.x, x, self.extrapolation), Location(self.y, y, self.extrapolation)
        rows = [pieces(self.y, row) for row in self.z]

        def column(values: Sequence[Any]) -> list[Any]:
            """Taylor coefficients along x of one coefficient along y, given at every x."""
            spline = pieces(self.x, values)
            return along_x.coefficients(spline.shared, spline.highest)

        points = set(along_y.points)
        shared = [
            [column([row.shared[k][order] for row in rows]) for order in range(3)] if k in points else None
            for k in range(len(self.y))
        ]
        highest = [column([row.highest[k] for row in rows]) for k in range(len(self.y) - 1)]
        found = [along_x.origin, along_y.origin]
        for order in range(4):
            at_points = [[values[order] for values in some] if some else (0.0,) * 3 for some in shared]
            found += along_y.coefficients(at_points, [values[order] for values in highest])
        return found
