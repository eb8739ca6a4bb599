"""All six degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.base import Joint
from condyle.spatial import Transform, euler_parameters_rate_matrix, rotation_from_euler_parameters


@final
@dataclass(frozen=True)
class Free(Joint):
    """q = Euler parameters (e0, e1, e2, e3) and position (px, py, pz) [m] of B's origin in P.

    u = angular velocity (wx, wy, wz) [rad/s] of B in P and velocity (vx, vy, vz) [m/s] of B's origin, in P
    axes: H = I.
    """

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("e0", "e1", "e2", "e3", "px", "py", "pz")

    @property
    def speed_names(self) -> tuple[str, ...]:
        return ("wx", "wy", "wz", "vx", "vy", "vz")

    @property
    def coordinate_defaults(self) -> tuple[float, ...]:
        return (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def pose(self, q: ca.SX) -> Transform:
        return Transform(rotation_from_euler_parameters(q[0:4]), q[4:7])

    def rate_matrix(self, q: ca.SX) -> ca.SX:
        return ca.diagcat(euler_parameters_rate_matrix(q[0:4]), ca.SX.eye(3))

    def hinge(self, q: ca.SX) -> ca.SX:
        return ca.SX.eye(6)

    @property
    def unit_groups(self) -> tuple[int, ...]:
        return (0,)
