"""Two bodies share a point, and an axis of each keeps its angle to that of the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.link import Vector3, angle_problems, cosine, direction, link_vector
from condyle.spatial import unit
from condyle.spatial.checks import axis_problems


@final
@dataclass(frozen=True)
class Universal(Constraint):
    """`point_b` stays on `point_a` [m], and the axes keep the `angle` [rad] between them: four equations.

    g = (p_b - p_a [m], axis_a.axis_b - cos(angle)), in the axes of `body_a` (paper 004, equations 2 to 19).
    The axes need not be at a right angle: the classical joint of an ankle has its two anatomical axes.
    """

    body_a: str = ""
    body_b: str = ""
    point_a: Vector3 = (0.0, 0.0, 0.0)
    point_b: Vector3 = (0.0, 0.0, 0.0)
    axis_a: Vector3 = (1.0, 0.0, 0.0)
    axis_b: Vector3 = (0.0, 1.0, 0.0)
    angle: float = field(default=pi / 2, metadata={"dimension": "angle"})

    @property
    def size(self) -> int:
        return 4

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        pair = (self.body_a, self.body_b)
        d = link_vector(configuration, pair, (self.point_a, self.point_b))
        s_b = direction(configuration, pair, self.axis_b)
        return ca.vertcat(d, ca.dot(unit(self.axis_a), s_b) - cosine(self.angle))

    def problems(self) -> list[str]:
        axes = axis_problems("axis_a", self.axis_a) + axis_problems("axis_b", self.axis_b)
        return axes + angle_problems("angle", self.angle)
