"""Two points coincide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.spatial import constant


@final
@dataclass(frozen=True)
class Ball(Constraint):
    """The point `point_a` of `body_a` stays on `point_b` of `body_b` (each in its body's axes, m): three
    equations.

    g = p_b - p_a in the axes of `body_a`; the multiplier is minus the force on b, in those axes.
    """

    body_a: str = ""
    body_b: str = ""
    point_a: tuple[float, float, float] = (0.0, 0.0, 0.0)
    point_b: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def size(self) -> int:
        return 3

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        X_AB = configuration.relative_pose(self.body_a, self.body_b)
        return X_AB.point(constant(self.point_b)) - constant(self.point_a)
