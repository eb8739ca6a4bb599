"""Two points keep their distance: a massless link with a ball at either end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.link import Vector3, link_vector
from condyle.spatial.checks import positive_problems


@final
@dataclass(frozen=True)
class Distance(Constraint):
    """`point_a` and `point_b` (each in its body's axes, m) stay `length` [m] apart: one equation.

    g = d.d - length^2 [m^2] with d = p_b - p_a (paper 004, equation 20). The tension of the link is
    -2 length times the multiplier [N]. The gradient 2 d vanishes with the length: use a ball for none.
    """

    body_a: str = ""
    body_b: str = ""
    point_a: Vector3 = (0.0, 0.0, 0.0)
    point_b: Vector3 = (0.0, 0.0, 0.0)
    length: float = field(default=1.0, metadata={"dimension": "length"})

    @property
    def size(self) -> int:
        return 1

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        d = link_vector(configuration, (self.body_a, self.body_b), (self.point_a, self.point_b))
        return ca.dot(d, d) - self.length**2

    def problems(self) -> list[str]:
        return length_problems(self.length, "a ball")


def length_problems(length: Any, instead: str) -> list[str]:
    """A link needs a length; `instead` is the constraint that keeps two points together."""
    if isinstance(length, int | float) and length == 0:
        return [
            "length 0: the gradient of d.d - length^2 vanishes when the points meet; "
            f"use {instead} constraint"
        ]
    return positive_problems("length", length)
