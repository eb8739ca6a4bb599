"""A direction of one body keeps its angle to the line between two points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.link import Vector3, link_vector
from condyle.spatial import unit
from condyle.spatial.checks import axis_problems, finite_problems


@final
@dataclass(frozen=True)
class VectorToLink(Constraint):
    """The way from `point_a` to `point_b` [m] has the component `along` [m] on the unit vector `axis_a`
    (axes of `body_a`): one equation.

    g = axis_a.(p_b - p_a) - along (paper 004, equation 23). With 0 the point stays in a plane of `body_a`.
    For a direction that is fixed on the other body, exchange the bodies and the sign of `along` (equation
    24).
    """

    body_a: str = ""
    body_b: str = ""
    point_a: Vector3 = (0.0, 0.0, 0.0)
    point_b: Vector3 = (0.0, 0.0, 0.0)
    axis_a: Vector3 = (0.0, 0.0, 1.0)
    along: float = field(default=0.0, metadata={"dimension": "length"})

    @property
    def size(self) -> int:
        return 1

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        d = link_vector(configuration, (self.body_a, self.body_b), (self.point_a, self.point_b))
        return ca.dot(unit(self.axis_a), d) - self.along

    def problems(self) -> list[str]:
        return axis_problems("axis_a", self.axis_a) + finite_problems("along", self.along)
