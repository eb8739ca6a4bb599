"""Rotation about an axis with a translation along it in proportion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.alignment import across, axis_alignment
from condyle.joints.base import Joint
from condyle.joints.checks import axis_problems, finite_problems
from condyle.spatial import Transform, constant, perpendiculars, rotation_about, unit


@final
@dataclass(frozen=True)
class Screw(Joint):
    """One angle [rad] about the unit vector `axis` of P; B moves `pitch` [m/rad] along it [mobilizers, eq.
    5-7].
    """

    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    pitch: float = 0.0

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("angle",)

    def pose(self, q: ca.SX) -> Transform:
        return Transform(rotation_about(self.axis, q[0]), constant(unit(self.axis) * (self.pitch * q[0])))

    def hinge(self, q: ca.SX) -> ca.SX:
        axis = unit(self.axis)
        return constant(ca.vertcat(axis, self.pitch * axis))

    def equations(self, X_PB: Transform) -> ca.SX:
        if not isinstance(self.pitch, ca.SX) and self.pitch == 0:
            return ca.vertcat(X_PB.p, axis_alignment(self.axis, X_PB))
        first, second = (ca.SX(side) for side in perpendiculars(self.axis))
        # The angle itself would be known but for whole turns; the sine of its error is right for any number.
        expected = ca.dot(unit(self.axis), X_PB.p) / self.pitch
        cosine, sine = (ca.dot(side, ca.mtimes(X_PB.R, first)) for side in (first, second))
        error = sine * ca.cos(expected) - cosine * ca.sin(expected)
        return ca.vertcat(across(self.axis, X_PB), axis_alignment(self.axis, X_PB), self.pitch * error)

    def own_problems(self) -> list[str]:
        return axis_problems("axis", self.axis) + finite_problems("pitch", self.pitch)
