"""H, and the bias Hdot u, of any joint by differentiating its pose [mobilizers, section 2.1]."""

from __future__ import annotations

import casadi as ca

from condyle.joints.base import Joint
from condyle.spatial import Transform, vee


def derived_hinge(joint: Joint, q: ca.SX, X_PB: Transform | None = None) -> ca.SX:
    """H (6 x nu) from the pose: the twist of dX/dq, times N."""
    X = X_PB or joint.pose(q)
    rotation_rates = ca.jacobian(ca.vec(X.R), q)
    columns = []
    for k in range(q.numel()):
        rate = ca.reshape(rotation_rates[:, k], 3, 3)
        columns.append(vee(ca.mtimes(rate, X.R.T)))
    angular = ca.horzcat(*columns) if columns else ca.SX(3, 0)
    H = ca.vertcat(angular, ca.jacobian(X.p, q))
    N = joint.rate_matrix(q)
    return H if N is None else ca.mtimes(H, N)


def hinge(joint: Joint, q: ca.SX, X_PB: Transform | None = None) -> ca.SX:
    """H (6 x nu): the joint's closed form where it has one, else the derived one."""
    closed = joint.hinge(q)
    return ca.sparsify(closed if closed is not None else derived_hinge(joint, q, X_PB))


def coordinate_rates(joint: Joint, q: ca.SX, u: ca.SX) -> ca.SX:
    """qdot = N(q) u [eq. 4]."""
    N = joint.rate_matrix(q)
    return u if N is None else ca.mtimes(N, u)


def hinge_bias(joint: Joint, q: ca.SX, u: ca.SX, H: ca.SX) -> ca.SX:
    """Hdot u (6), the derivative taken in P [eq. 3]; a structural zero where H is constant."""
    if not ca.depends_on(H, q):
        return ca.SX(6, 1)
    closed = joint.bias(q, u)
    return ca.sparsify(closed) if closed is not None else derived_bias(joint, q, u, H)


def derived_bias(joint: Joint, q: ca.SX, u: ca.SX, H: ca.SX) -> ca.SX:
    """Hdot u (6) as the derivative of H u along the motion."""
    velocity = ca.mtimes(H, u)
    return ca.sparsify(ca.jtimes(velocity, q, coordinate_rates(joint, q, u)))
