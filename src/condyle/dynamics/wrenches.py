"""External wrenches on bodies, from ground axes into link axes."""

from __future__ import annotations

import casadi as ca

from condyle.dynamics.kinematics import Kinematics
from condyle.dynamics.linkage import body_frame_in_joint_frame
from condyle.spatial.vectors import cross


def applied_wrenches(
    kinematics: Kinematics, bodies: tuple[str, ...], values: ca.SX
) -> dict[int, tuple[ca.SX, ca.SX]]:
    """values (6 n): per body (moment about the body frame's origin, force), ground axes."""
    found: dict[int, tuple[ca.SX, ca.SX]] = {}
    tree = kinematics.linkage.tree
    for k, body in enumerate(bodies):
        index = tree.link_of(body)
        R = kinematics.frame(index).R
        moment = ca.mtimes(R.T, values[6 * k : 6 * k + 3])
        force = ca.mtimes(R.T, values[6 * k + 3 : 6 * k + 6])
        moment = moment + cross(body_frame_in_joint_frame(tree.links[index]).p, force)
        if index in found:
            moment, force = moment + found[index][0], force + found[index][1]
        found[index] = (moment, force)
    return found
