"""A body whose angle or position follows the angle of another joint: a patella guided by the knee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.link import Vector3
from condyle.functions import Function
from condyle.spatial import Placement, Transform, unit
from condyle.spatial.checks import axis_problems


@final
@dataclass(frozen=True)
class FunctionOfJoint(Constraint):
    """`body` (patella) moves in `reference` (femur) as the angle of `driver` (tibia) in `reference` says.

    All is measured between `reference_frame`, `driver_frame` and `body_frame`, each fixed on its body. phi2
    [rad] is the turn of the driver's frame in the reference's about the unit vector `driver_axis`, phi1 that
    of the body's about `axis`, both in the axes of the reference's frame. `angle`, if given: phi1 =
    angle(phi2), one equation [rad]. `position`, if given: the origin of the body's frame in the reference's
    is position(phi2) [m], three equations; they come after the angle. phi = 2 atan2(u.e, e0) of the relative
    Euler parameters (e0, e), e0 >= 0: from -pi to pi, and not a number at a half turn about any axis.
    """

    reference: str = ""
    driver: str = ""
    body: str = ""
    driver_axis: Vector3 = (0.0, 0.0, 1.0)
    axis: Vector3 = (0.0, 0.0, 1.0)
    angle: Function | None = None
    position: tuple[Function, ...] = ()
    reference_frame: Placement = Placement()
    driver_frame: Placement = Placement()
    body_frame: Placement = Placement()

    @property
    def size(self) -> int:
        return (self.angle is not None) + len(self.position)

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.reference, self.driver, self.body)

    def residual(self, configuration: Configuration) -> ca.SX:
        to_reference = self.reference_frame.transform().inverse()

        def seen(body: str, frame: Placement) -> Transform:
            return to_reference @ configuration.relative_pose(self.reference, body) @ frame.transform()

        X = seen(self.body, self.body_frame)
        phi2 = turn_about(seen(self.driver, self.driver_frame).R, unit(self.driver_axis))
        parts = []
        if self.angle is not None:
            parts.append(turn_about(X.R, unit(self.axis)) - self.angle(phi2))
        if self.position:
            parts.append(X.p - ca.vertcat(*[function(phi2) for function in self.position]))
        return ca.vertcat(*parts)

    def problems(self) -> list[str]:
        found = axis_problems("driver_axis", self.driver_axis) + axis_problems("axis", self.axis)
        if self.angle is not None:
            found += [f"angle: {text}" for text in self.angle.problems()]
        for index, function in enumerate(self.position):
            found += [f"position[{index}]: {text}" for text in function.problems()]
        if len(self.position) not in (0, 3):
            found.append(f"position must be none or three functions (x, y, z), found {len(self.position)}")
        if self.angle is None and not self.position:
            found.append("neither angle nor position is given; the constraint would say nothing")
        if self.reference in (self.driver, self.body) or self.driver == self.body:
            named = f"{self.reference!r}, {self.driver!r}, {self.body!r}"
            found.append(f"reference, driver and body must be three different bodies, found {named}")
        return found


def turn_about(R: ca.SX, axis: ca.SX) -> ca.SX:
    """2 atan2(u.e, e0) of a rotation matrix: with 4 e0 e its axial vector and 4 e0^2 = 1 + trace."""
    axial = ca.vertcat(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    return 2 * ca.atan2(ca.dot(axis, axial), 1 + ca.trace(R))
