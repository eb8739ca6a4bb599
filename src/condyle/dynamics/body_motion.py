"""Motion of a body along a path of joints, seen from where the path starts."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from condyle.dynamics.linkage import Linkage, body_frame_in_joint_frame
from condyle.dynamics.motion import GROUND_AT_REST, AngularMotion, centripetal_matrix
from condyle.spatial import Transform
from condyle.spatial.vectors import cross, skew


@dataclass(frozen=True)
class BodyMotion:
    """One body seen from a common ancestor C, in C axes: pose, twist matrix J (6 x nu), bias acceleration
    (6).
    """

    X: Transform
    J: ca.SX
    bias: ca.SX
    path: tuple[list[int], int] = ([], -1)  # from C to the body, for its Euler parameters in C


def body_motion(linkage: Linkage, path: list[int], whole: list[int]) -> BodyMotion:
    """Motion of a body's own frame along `path`, seen from where the path departs; that frame's own body for
    ().
    """
    tree = linkage.tree
    X, J, angular = Transform.identity(), ca.SX(6, len(tree.speeds)), GROUND_AT_REST
    bias_w, bias_v, start = ca.SX(3, 1), ca.SX(3, 1), Transform.identity()
    if not path and whole:
        start = body_frame_in_joint_frame(tree.links[whole[-1]])
        return BodyMotion(start, J, ca.SX(6, 1), ([], whole[-1]))
    w = ca.SX(3, 1)
    for index in path:
        a = linkage.articulations[index]
        u = linkage.u[a.link.u]
        X = X @ a.base
        R = X.R  # axes in which the joint's motion is given, in C
        arm = ca.mtimes(R, a.X.p)
        H = ca.sparsify(ca.vertcat(ca.mtimes(R, a.H[:3, :]), ca.mtimes(R, a.H[3:, :])))
        own_w, own_v = ca.mtimes(H[:3, :], u), ca.mtimes(H[3:, :], u)
        bias_v = (
            bias_v
            + cross(bias_w, arm)
            + ca.mtimes(angular.centripetal, arm)
            + 2 * cross(w, own_v)
            + ca.mtimes(R, a.bias[3:])
        )
        bias_w = bias_w + cross(w, own_w) + ca.mtimes(R, a.bias[:3])
        J[3:, :] = J[3:, :] - ca.mtimes(skew(arm), J[:3, :])
        J[:, a.link.u] = J[:, a.link.u] + H
        w = w + own_w
        angular = AngularMotion(w, centripetal_matrix(w), w)
        X = X @ a.X
    if path:
        to_body = body_frame_in_joint_frame(tree.links[path[-1]])
        arm = ca.mtimes(X.R, to_body.p)
        J[3:, :] = J[3:, :] - ca.mtimes(skew(arm), J[:3, :])
        bias_v = bias_v + cross(bias_w, arm) + ca.mtimes(angular.centripetal, arm)
        X = X @ to_body
    end = path[-1] if path else -1
    return BodyMotion(X, ca.sparsify(J), ca.sparsify(ca.vertcat(bias_w, bias_v)), (path, end))
