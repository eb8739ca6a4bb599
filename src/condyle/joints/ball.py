"""Free rotation about a common point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from condyle.joints import orientation as orient
from condyle.joints.base import Joint
from condyle.joints.checks import choice_problems
from condyle.spatial import Transform


@final
@dataclass(frozen=True)
class Ball(Joint):
    """u = angular velocity (wx, wy, wz) [rad/s] of B in P, in P axes; H = [I; 0] [mobilizers, eq. 8-10].

    `orientation` chooses the coordinates: "euler_parameters" (e0, e1, e2, e3; no singularity) or "xyz"
    (body-fixed angles x, y, z [rad]; singular where y is 90 degrees). The word may also be given as
    `coordinates`, where no defaults or ranges are to be overridden: `Ball(..., coordinates="xyz")`.
    """

    orientation: str = orient.EULER_PARAMETERS

    def settled(self) -> dict[str, Any]:
        return orient.settled_word(self.coordinates)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return orient.orientation_names(self.orientation)

    @property
    def speed_names(self) -> tuple[str, ...]:
        return orient.SPEED_NAMES

    @property
    def coordinate_defaults(self) -> tuple[float, ...]:
        return orient.orientation_defaults(self.orientation)

    def pose(self, q: ca.SX) -> Transform:
        return Transform(orient.orientation_rotation(self.orientation, q), ca.SX(3, 1))

    def rate_matrix(self, q: ca.SX) -> ca.SX:
        return orient.orientation_rate_matrix(self.orientation, q)

    def hinge(self, q: ca.SX) -> ca.SX:
        return ca.vertcat(ca.SX.eye(3), ca.SX(3, 3))

    def turning_axes(self, R_PB: ca.SX) -> ca.SX:
        return ca.SX.eye(3)

    def equations(self, X_PB: Transform) -> ca.SX:
        return X_PB.p

    def euler_parameters(self, q: ca.SX) -> ca.SX | None:
        return q[:4] if self.orientation == orient.EULER_PARAMETERS else None

    @property
    def unit_groups(self) -> tuple[int, ...]:
        return orient.orientation_unit_groups(self.orientation)

    def own_problems(self) -> list[str]:
        return choice_problems("orientation", self.orientation, orient.CHOICES)
