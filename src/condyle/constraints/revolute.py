"""Two bodies turn about a common axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.link import Vector3, direction, link_vector
from condyle.spatial import perpendiculars
from condyle.spatial.checks import axis_problems


@final
@dataclass(frozen=True)
class Revolute(Constraint):
    """`point_b` stays on `point_a` [m], and the unit vector `axis_b` on `axis_a` (each in its body's axes):
    five equations.

    g = (p_b - p_a [m], t1.axis_b, t2.axis_b) in the axes of `body_a`; t1, t2 complete `axis_a` to an
    orthonormal basis. Opposite axes satisfy it as well: assembly keeps the side on which it starts.
    """

    body_a: str = ""
    body_b: str = ""
    point_a: Vector3 = (0.0, 0.0, 0.0)
    point_b: Vector3 = (0.0, 0.0, 0.0)
    axis_a: Vector3 = (0.0, 0.0, 1.0)
    axis_b: Vector3 = (0.0, 0.0, 1.0)

    @property
    def size(self) -> int:
        return 5

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        pair = (self.body_a, self.body_b)
        d = link_vector(configuration, pair, (self.point_a, self.point_b))
        across, s_b = ca.horzcat(*perpendiculars(self.axis_a)), direction(configuration, pair, self.axis_b)
        return ca.vertcat(d, ca.mtimes(across.T, s_b))

    def problems(self) -> list[str]:
        return axis_problems("axis_a", self.axis_a) + axis_problems("axis_b", self.axis_b)
