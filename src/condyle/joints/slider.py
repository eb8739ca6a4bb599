"""Translation along one axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.alignment import across, alignment
from condyle.joints.base import Joint
from condyle.joints.checks import axis_problems
from condyle.spatial import Transform, constant, unit


@final
@dataclass(frozen=True)
class Slider(Joint):
    """One displacement [m] along the unit vector `axis` of P."""

    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("displacement",)

    def pose(self, q: ca.SX) -> Transform:
        return Transform(Transform.identity().R, constant(unit(self.axis) * q[0]))

    def hinge(self, q: ca.SX) -> ca.SX:
        return ca.vertcat(ca.SX(3, 1), unit(self.axis))

    def equations(self, X_PB: Transform) -> ca.SX:
        return ca.vertcat(across(self.axis, X_PB), alignment(X_PB))

    def own_problems(self) -> list[str]:
        return axis_problems("axis", self.axis)
