"""A joint as a constraint between its two bodies, wherever they hang."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.joints.alignment import alignment
from condyle.joints.base import Joint
from condyle.spatial import Transform


@final
@dataclass(frozen=True)
class JointConstraint(Constraint):
    """The implicit equations of `joint` hold between its frames P and B; 6 - nu of them.

    `ghost` names a body on ground that the same joint (not reversed, frames at the bodies' origins) carries,
    so that its pose there is that of B in P: for joints without closed equations, or whose coordinates are
    asked for. Then there are six equations.

    `in_ground`: positions are compared in ground axes, as suits bodies that hang on ground each by itself
    (their own velocities then enter with constant coefficients). Else the residual asks for the relative pose
    only, which on a tree concerns no joint above the two bodies' common ancestor.
    """

    joint: Joint
    ghost: str | None = None
    in_ground: bool = False

    @property
    def size(self) -> int:
        return 6 if self.ghost is not None else 6 - len(self.joint.speed_names)

    @property
    def bodies(self) -> tuple[str, ...]:
        pair = (self.joint.parent, self.joint.child)
        return pair if self.ghost is None else (*pair, self.ghost)

    def residual(self, configuration: Configuration) -> ca.SX:
        joint = self.joint.forward
        P, B = joint.parent_frame.transform(), joint.child_frame.transform()
        if not self.in_ground:
            X_PB = P.inverse() @ configuration.relative_pose(joint.parent, joint.child) @ B
            return self._equations(configuration, X_PB)
        X_GP, X_GB = configuration.pose(joint.parent) @ P, configuration.pose(joint.child) @ B
        offset = X_GB.p - X_GP.p
        X_PB = Transform(ca.mtimes(X_GP.R.T, X_GB.R), ca.mtimes(X_GP.R.T, offset))
        rows = self._equations(configuration, X_PB)
        if not self._states_position():
            return rows
        # p + f(R) = 0 in P axes is offset + R_GP f(R) = 0 in ground axes.
        rest = self._equations(configuration, Transform(X_PB.R, ca.SX(3, 1)))[:3]
        return ca.vertcat(offset + ca.mtimes(X_GP.R, ca.sparsify(rest)), rows[3:])

    def problems(self) -> list[str]:
        found = self.joint.problems()
        if not found and self.ghost is None and self.joint.equations(Transform.identity()) is None:
            found.append(f"a {type(self.joint.forward).__name__} has no closed equations; it needs a ghost")
        return found

    def _equations(self, configuration: Configuration, X_PB: Transform) -> ca.SX:
        if self.ghost is not None:
            X_ghost = configuration.pose(self.ghost)
            turned = Transform(ca.mtimes(X_ghost.R.T, X_PB.R), ca.SX(3, 1))
            return ca.vertcat(X_PB.p - X_ghost.p, alignment(turned))
        rows = self.joint.forward.equations(X_PB)
        assert rows is not None, "checked by problems()"
        return ca.densify(rows)

    def _states_position(self) -> bool:
        """Whether the first three equations give p as a function of R."""
        if self.ghost is not None:
            return True
        R, p = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3)
        rows = self.joint.forward.equations(Transform(R, p))
        if rows is None or rows.numel() < 3:
            return False
        return Transform(ca.sparsify(ca.jacobian(rows[:3], p)), p).is_identity_rotation()
