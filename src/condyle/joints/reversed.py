"""Any joint with parent and child exchanged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import casadi as ca

from condyle.joints.base import Coordinate, Joint
from condyle.joints.derived import hinge, hinge_bias
from condyle.spatial import Placement, Transform, cross


@final
@dataclass(frozen=True)
class Reversed(Joint):
    """`joint` with its parent as the child: same name, coordinates, speeds and N [mobilizers, eq. 15-17].

    `Reversed(Pin("knee", "femur", "tibia"))` has the parent "tibia" and the child "femur", and the frames
    exchanged; every coordinate keeps its meaning. `Reversed(Reversed(joint))` is `joint`.
    """

    name: str = field(init=False)
    parent: str = field(init=False)
    child: str = field(init=False)
    parent_frame: Placement = field(init=False)
    child_frame: Placement = field(init=False)
    coordinates: tuple[Coordinate, ...] = field(init=False)
    joint: Joint

    def __new__(cls, joint: Joint | None = None) -> Any:
        # No argument when unpickled. A reversed joint is unwrapped, so that two reversals cost nothing.
        return joint.joint if isinstance(joint, Reversed) else super().__new__(cls)

    def settled(self) -> dict[str, Any]:
        inner = self.joint
        return {
            "name": inner.name,
            "parent": inner.child,
            "child": inner.parent,
            "parent_frame": inner.child_frame,
            "child_frame": inner.parent_frame,
            "coordinates": inner.coordinates,
        }

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return self.joint.coordinate_names

    @property
    def speed_names(self) -> tuple[str, ...]:
        return self.joint.speed_names

    @property
    def coordinate_defaults(self) -> tuple[float, ...]:
        return self.joint.coordinate_defaults

    def pose(self, q: ca.SX) -> Transform:
        return self.joint.pose(q).inverse()

    def equations(self, X_PB: Transform) -> ca.SX | None:
        return self.joint.equations(X_PB.inverse())

    @property
    def forward(self) -> Joint:
        return self.joint

    def rate_matrix(self, q: ca.SX) -> ca.SX | None:
        return self.joint.rate_matrix(q)

    def hinge(self, q: ca.SX) -> ca.SX:
        X_BP = self.joint.pose(q)
        H = hinge(self.joint, q, X_BP)
        R = X_BP.R.T
        return -ca.vertcat(ca.mtimes(R, H[:3, :]), ca.mtimes(R, H[3:, :] + cross(X_BP.p, H[:3, :])))

    def bias(self, q: ca.SX, u: ca.SX) -> ca.SX:
        X_BP = self.joint.pose(q)
        H = hinge(self.joint, q, X_BP)
        A = hinge_bias(self.joint, q, u, H)
        V = ca.mtimes(H, u)
        R, b, omega, nu = X_BP.R.T, X_BP.p, V[:3], V[3:]
        # In B axes, where P turns at -omega: rotate once, at the end.
        transverse = A[3:] + cross(b, A[:3]) + cross(nu, omega) - cross(omega, nu + cross(b, omega))
        return -ca.vertcat(ca.mtimes(R, A[:3]), ca.mtimes(R, transverse))

    @property
    def unit_groups(self) -> tuple[int, ...]:
        return self.joint.unit_groups

    def data_range(self, index: int) -> tuple[float, float] | None:
        return self.joint.data_range(index)

    def own_problems(self) -> list[str]:
        return self.joint.own_problems()


def reverse(joint: Joint) -> Joint:
    """The joint with parent and child exchanged; of a reversed joint, the original."""
    return Reversed(joint)
