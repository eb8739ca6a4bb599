"""Two frames coincide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.spatial import Placement


@final
@dataclass(frozen=True)
class Weld(Constraint):
    """The frame `frame_b` of `body_b` stays on `frame_a` of `body_a`: six equations.

    g = (2 sin(angle / 2) times the axis of the misalignment, the offset [m]), in the axes of frame a. The
    angular part vanishes at no other misalignment; at a half turn, whose direction is undetermined, it is not
    a number.
    """

    body_a: str = ""
    body_b: str = ""
    frame_a: Placement = Placement()
    frame_b: Placement = Placement()

    @property
    def size(self) -> int:
        return 6

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        X_AB = configuration.relative_pose(self.body_a, self.body_b)
        X = self.frame_a.transform().inverse() @ X_AB @ self.frame_b.transform()
        R = X.R
        axial = ca.vertcat(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
        return ca.vertcat(axial / ca.sqrt(1 + ca.trace(R)), X.p)
