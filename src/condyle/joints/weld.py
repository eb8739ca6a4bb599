"""No motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.alignment import alignment
from condyle.joints.base import Joint
from condyle.spatial import Transform


@final
@dataclass(frozen=True)
class Weld(Joint):
    """B stays on P; no coordinate, no speed."""

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ()

    def pose(self, q: ca.SX) -> Transform:
        return Transform.identity()

    def euler_parameters(self, q: ca.SX) -> ca.SX:
        return ca.SX(ca.DM([1.0, 0.0, 0.0, 0.0]))

    def hinge(self, q: ca.SX) -> ca.SX:
        return ca.SX(6, 0)

    def equations(self, X_PB: Transform) -> ca.SX:
        return ca.vertcat(X_PB.p, alignment(X_PB))
