"""Three body-fixed angles whose rates are the speeds."""

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
class Gimbal(Joint):
    """Angles [rad] of the body-fixed `sequence`; u is their rate, N the identity.

    They are named by their axes ("x", "y", "z"; "z1", "x2", "z3" where one repeats). Singular where the
    first and the last axis coincide: the middle angle at 90 degrees, or at 0 where the sequence ends on its
    first axis.
    """

    sequence: str = "xyz"

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return angle_names(self.sequence)

    def pose(self, q: ca.SX) -> Transform:
        return Transform(body_fixed(sequence_axes(self.sequence), ca.vertsplit(q))[0], ca.SX(3, 1))

    def hinge(self, q: ca.SX) -> ca.SX:
        columns = body_fixed(sequence_axes(self.sequence), ca.vertsplit(q))[1]
        return ca.vertcat(ca.horzcat(*columns), ca.SX(3, 3))

    def turning_axes(self, R_PB: ca.SX) -> ca.SX | None:
        axes = [unit(axis) for axis in sequence_axes(self.sequence)]
        if len(set(self.sequence)) < 3:
            return None  # the middle axis cannot be told where the outer ones coincide
        last = ca.mtimes(R_PB, axes[2])
        across = ca.cross(last, axes[0])
        side = float(ca.DM(ca.dot(ca.cross(axes[2], axes[0]), axes[1])))
        return ca.horzcat(axes[0], side * across / ca.norm_2(across), last)

    def equations(self, X_PB: Transform) -> ca.SX:
        return X_PB.p

    def own_problems(self) -> list[str]:
        return sequence_problems(self.sequence, 3)
