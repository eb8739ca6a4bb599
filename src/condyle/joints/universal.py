"""Two body-fixed angles, as of a Cardan joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.joints.base import Joint
from condyle.joints.checks import sequence_problems
from condyle.joints.rotations import angle_names, body_fixed, sequence_axes
from condyle.spatial import Transform, unit


@final
@dataclass(frozen=True)
class Universal(Joint):
    """Angles [rad] about the two axes of the body-fixed `sequence`, named by them; u is their rate.

    The first axis is fixed in P, the second in B; two angles never become singular.
    """

    sequence: str = "xy"

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return angle_names(self.sequence)

    def pose(self, q: ca.SX) -> Transform:
        return Transform(body_fixed(sequence_axes(self.sequence), ca.vertsplit(q))[0], ca.SX(3, 1))

    def hinge(self, q: ca.SX) -> ca.SX:
        columns = body_fixed(sequence_axes(self.sequence), ca.vertsplit(q))[1]
        return ca.vertcat(ca.horzcat(*columns), ca.SX(3, 2))

    def turning_axes(self, R_PB: ca.SX) -> ca.SX:
        first, second = (unit(axis) for axis in sequence_axes(self.sequence))
        return ca.horzcat(first, ca.mtimes(R_PB, second))

    def equations(self, X_PB: Transform) -> ca.SX:
        first, second = ("xyz".index(axis) for axis in self.sequence)
        return ca.vertcat(X_PB.p, X_PB.R[first, second])

    def own_problems(self) -> list[str]:
        return sequence_problems(self.sequence, 2)
