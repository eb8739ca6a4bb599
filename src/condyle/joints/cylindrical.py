"""Rotation about an axis and, independently, translation along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.alignment import across, axis_alignment
from condyle.joints.base import Joint
from condyle.joints.checks import axis_problems
from condyle.spatial import Transform, constant, rotation_about, unit


@final
@dataclass(frozen=True)
class Cylindrical(Joint):
    """An angle [rad] about and a displacement [m] along the unit vector `axis` of P."""

    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("angle", "displacement")

    def pose(self, q: ca.SX) -> Transform:
        return Transform(rotation_about(self.axis, q[0]), constant(unit(self.axis) * q[1]))

    def hinge(self, q: ca.SX) -> ca.SX:
        axis = unit(self.axis)
        return ca.diagcat(axis, axis)

    def equations(self, X_PB: Transform) -> ca.SX:
        return ca.vertcat(across(self.axis, X_PB), axis_alignment(self.axis, X_PB))

    def own_problems(self) -> list[str]:
        return axis_problems("axis", self.axis)
