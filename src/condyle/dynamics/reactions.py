"""Joint reaction loads by balance from the leaves to the root [mobilizers, section 2.1]."""

from __future__ import annotations

import casadi as ca

from condyle.dynamics.linkage import Linkage


def joint_reactions(linkage: Linkage, wrenches: tuple[tuple[ca.SX, ca.SX], ...]) -> ca.SX:
    """n_joints x 6: wrench (moment, force) of the parent on the child about B's origin, in P axes.

    `wrenches` as inverse or forward dynamics found them, in the axes of the parent's frame.
    """
    rows = [
        ca.vertcat(ca.mtimes(a.to_joint_axes, moment), ca.mtimes(a.to_joint_axes, force)).T
        for a, (moment, force) in zip(linkage.articulations, wrenches, strict=True)
    ]
    return ca.densify(ca.vertcat(*rows)) if rows else ca.SX(0, 6)
