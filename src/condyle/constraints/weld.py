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

    g = (three sines of the misalignment, three components [m] of the offset), in the axes of frame a. The angular part is the
    axial vector of R: it vanishes for a half turn too, which the assembly must not start from.
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
        axial = 0.5 * ca.vertcat(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
        return ca.vertcat(axial, X.p)
