"""Rotation about one axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.alignment import axis_alignment
from condyle.joints.base import Joint
from condyle.joints.checks import axis_problems
from condyle.spatial import Transform, rotation_about, unit


@final
@dataclass(frozen=True)
class Pin(Joint):
    """One angle [rad] about the unit vector `axis` of P."""

    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("angle",)

    def pose(self, q: ca.SX) -> Transform:
        return Transform(rotation_about(self.axis, q[0]), ca.SX(3, 1))

    def hinge(self, q: ca.SX) -> ca.SX:
        return ca.vertcat(unit(self.axis), ca.SX(3, 1))

    def turning_axes(self, R_PB: ca.SX) -> ca.SX:
        return ca.SX(unit(self.axis))

    def equations(self, X_PB: Transform) -> ca.SX:
        return ca.vertcat(X_PB.p, axis_alignment(self.axis, X_PB))

    def euler_parameters(self, q: ca.SX) -> ca.SX:
        return ca.vertcat(ca.cos(q[0] / 2), ca.sin(q[0] / 2) * unit(self.axis))

    def own_problems(self) -> list[str]:
        return axis_problems("axis", self.axis)
