"""Motion of a body in the x-y plane of its parent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.base import Joint
from condyle.spatial import Transform, axis_rotation, constant


@final
@dataclass(frozen=True)
class Planar(Joint):
    """An angle [rad] about z of P and the position (px, py) [m] of B's origin in P."""

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("angle", "px", "py")

    def pose(self, q: ca.SX) -> Transform:
        return Transform(axis_rotation("z", q[0]), ca.vertcat(q[1], q[2], ca.SX(1, 1)))

    def hinge(self, q: ca.SX) -> ca.SX:
        axis = constant((0.0, 0.0, 1.0))
        return ca.diagcat(axis, constant(((1.0, 0.0), (0.0, 1.0), (0.0, 0.0))))

    def equations(self, X_PB: Transform) -> ca.SX:
        return ca.vertcat(X_PB.p[2], X_PB.R[0, 2], X_PB.R[1, 2])
