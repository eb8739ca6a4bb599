"""What the multipliers of constraints apply to the links."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from condyle.dynamics.linkage import Linkage, body_frame_in_joint_frame
from condyle.spatial import Transform
from condyle.spatial.vectors import cross


@dataclass(frozen=True)
class Load:
    """Where the multipliers from `start` act: per body its pose in C and dg/dtwist (m x 6, C axes, body
    origin).

    `ancestor`: the link whose frame C is, where the constraint touches that link's own body, else -1.
    `bodies`: all that it touches, with ground where its equations look at poses in ground; `size` equations.
    """

    start: int
    matrices: dict[str, tuple[Transform, ca.SX]]
    ancestor: int
    bodies: tuple[str, ...]
    size: int


def load_wrenches(
    linkage: Linkage, loads: tuple[Load, ...], multipliers: ca.SX
) -> dict[int, tuple[ca.SX, ca.SX]]:
    """What constraints apply to each link (moment about its origin, force) in link axes:
    -(dg/dtwist)' lambda.
    """
    found: dict[int, tuple[ca.SX, ca.SX]] = {}
    tree = linkage.tree

    def add(index: int, moment: ca.SX, force: ca.SX) -> None:
        before = found.get(index, (ca.SX(3, 1), ca.SX(3, 1)))
        found[index] = (moment + before[0], force + before[1])

    for load in loads:
        for body, (X_CB, matrix) in load.matrices.items():
            wrench = -ca.mtimes(matrix.T, multipliers[load.start : load.start + matrix.shape[0]])
            to_body = body_frame_in_joint_frame(tree.links[tree.link_of(body)])
            R = ca.mtimes(to_body.R, X_CB.R.T)
            moment, force = ca.mtimes(R, wrench[:3]), ca.mtimes(R, wrench[3:])
            add(tree.link_of(body), moment + cross(to_body.p, force), force)
            if load.ancestor >= 0:
                # The residual does not see C itself move: what acts on the others acts back on C's body.
                add(load.ancestor, -wrench[:3] - cross(X_CB.p, wrench[3:]), -wrench[3:])
    return found
