"""All six degrees of freedom."""

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
class Free(Joint):
    """q = Euler parameters (e0, e1, e2, e3) and position (px, py, pz) [m] of B's origin in P.

    u = angular velocity (wx, wy, wz) [rad/s] of B in P and velocity (vx, vy, vz) [m/s] of B's origin, in P
    axes: H = I. `orientation="xyz"` (or `coordinates="xyz"`) takes three body-fixed angles (x, y, z)
    [rad] instead of the Euler parameters, with the singularity of `Ball`.
    """

    orientation: str = orient.EULER_PARAMETERS

    def settled(self) -> dict[str, Any]:
        return orient.settled_word(self.coordinates)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return (*orient.orientation_names(self.orientation), "px", "py", "pz")

    @property
    def speed_names(self) -> tuple[str, ...]:
        return (*orient.SPEED_NAMES, "vx", "vy", "vz")

    @property
    def coordinate_defaults(self) -> tuple[float, ...]:
        return (*orient.orientation_defaults(self.orientation), 0.0, 0.0, 0.0)

    def pose(self, q: ca.SX) -> Transform:
        turns = len(orient.orientation_names(self.orientation))
        return Transform(orient.orientation_rotation(self.orientation, q[:turns]), q[turns:])

    def rate_matrix(self, q: ca.SX) -> ca.SX:
        turns = len(orient.orientation_names(self.orientation))
        return ca.diagcat(orient.orientation_rate_matrix(self.orientation, q[:turns]), ca.SX.eye(3))

    def hinge(self, q: ca.SX) -> ca.SX:
        return ca.SX.eye(6)

    def equations(self, X_PB: Transform) -> ca.SX:
        return ca.SX(0, 1)

    def euler_parameters(self, q: ca.SX) -> ca.SX | None:
        return q[:4] if self.orientation == orient.EULER_PARAMETERS else None

    @property
    def unit_groups(self) -> tuple[int, ...]:
        return orient.orientation_unit_groups(self.orientation)

    def own_problems(self) -> list[str]:
        return choice_problems("orientation", self.orientation, orient.CHOICES)
