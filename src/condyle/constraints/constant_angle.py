"""A direction of one body keeps its angle to a direction of another."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.link import Vector3, angle_problems, cosine, direction
from condyle.spatial import unit
from condyle.spatial.checks import axis_problems


@final
@dataclass(frozen=True)
class ConstantAngle(Constraint):
    """The unit vectors `axis_a` and `axis_b` (each in its body's axes) keep the `angle` [rad] between them:
    one equation.

    g = axis_a.axis_b - cos(angle) (paper 004, equation 22; normal for a right angle, which is the default).
    """

    body_a: str = ""
    body_b: str = ""
    axis_a: Vector3 = (1.0, 0.0, 0.0)
    axis_b: Vector3 = (0.0, 1.0, 0.0)
    angle: float = field(default=pi / 2, metadata={"dimension": "angle"})

    @property
    def size(self) -> int:
        return 1

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        s_b = direction(configuration, (self.body_a, self.body_b), self.axis_b)
        return ca.dot(unit(self.axis_a), s_b) - cosine(self.angle)

    def problems(self) -> list[str]:
        axes = axis_problems("axis_a", self.axis_a) + axis_problems("axis_b", self.axis_b)
        return axes + angle_problems("angle", self.angle)
