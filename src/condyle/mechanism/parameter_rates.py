"""Any joint with the rates of its Euler parameters as speeds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import casadi as ca

from condyle.joints.base import Coordinate, Joint
from condyle.joints.derived import hinge, hinge_bias
from condyle.spatial import Placement, Transform


@final
@dataclass(frozen=True)
class ParameterRates(Joint):
    """`joint` with u = qdot, four rates for each four Euler parameters (002-B.53, B.65): e.edot = 0.

    Its hinge is H N+, where N+ = 4 N' turns edot into the joint's own angular velocity. The rate of N+ adds
    nothing to the bias: N is linear in e, and N(edot)'edot = 0.
    """

    name: str = field(init=False)
    parent: str = field(init=False)
    child: str = field(init=False)
    parent_frame: Placement = field(init=False)
    child_frame: Placement = field(init=False)
    coordinates: tuple[Coordinate, ...] = field(init=False)
    joint: Joint

    def settled(self) -> dict[str, Any]:
        inner = self.joint
        return {
            name: getattr(inner, name)
            for name in ("name", "parent", "child", "parent_frame", "child_frame", "coordinates")
        }

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return self.joint.coordinate_names

    @property
    def coordinate_defaults(self) -> tuple[float, ...]:
        return self.joint.coordinate_defaults

    def pose(self, q: ca.SX) -> Transform:
        return self.joint.pose(q)

    def equations(self, X_PB: Transform) -> ca.SX | None:
        return self.joint.equations(X_PB)

    def speeds_matrix(self, q: ca.SX) -> ca.SX:
        """N+ (nu x nq): the joint's own speeds from the rates of its coordinates."""
        N = self.joint.rate_matrix(q)
        assert N is not None  # Euler parameters are no speeds' integrals
        scale = ca.SX.ones(q.numel())
        for start in self.unit_groups:
            scale[start : start + 4] = 4
        return ca.sparsify(ca.mtimes(N.T, ca.diag(scale)))

    def hinge(self, q: ca.SX) -> ca.SX:
        return ca.mtimes(hinge(self.joint, q), self.speeds_matrix(q))

    def bias(self, q: ca.SX, u: ca.SX) -> ca.SX:
        speeds = ca.mtimes(self.speeds_matrix(q), u)
        return hinge_bias(self.joint, q, speeds, hinge(self.joint, q))

    def euler_parameters(self, q: ca.SX) -> ca.SX | None:
        return self.joint.euler_parameters(q)

    @property
    def unit_groups(self) -> tuple[int, ...]:
        return self.joint.unit_groups

    def data_range(self, index: int) -> tuple[float, float] | None:
        return self.joint.data_range(index)

    def own_problems(self) -> list[str]:
        return self.joint.own_problems()
