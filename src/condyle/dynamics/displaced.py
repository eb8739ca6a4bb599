"""What changes of a joint's own motion with its coordinates: its part of the derivatives of dynamics."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from condyle.dynamics.linkage import Articulation
from condyle.dynamics.symmetric import Factor
from condyle.spatial.vectors import cross, skew, vee


@dataclass(frozen=True)
class Displaced:
    """In the axes of the parent's frame about the link's origin; columns per direction of displacement.

    The directions are those of the speeds where there are more coordinates than speeds (Euler parameters),
    else of the coordinates: `to_coordinates` maps derivatives along directions to derivatives to q.
    """

    along_speeds: bool  # whether twists = H
    twists: ca.SX
    changes: tuple[ca.SX, ...]  # per direction, of H (6 x nu); none where H is constant
    velocity: ca.SX  # of H u
    acceleration: ca.SX  # of H udot + zeta
    zeta: ca.SX  # what of the link's spatial acceleration comes from the joint's own speeds
    gamma: ca.SX  # velocity + (H u) x twists
    alpha_u: ca.SX  # dzeta/du + (H u) x H
    to_coordinates: ca.SX


def displaced(a: Articulation, q: ca.SX, u: ca.SX, udot: ca.SX) -> Displaced:
    """The joint of articulation `a` at its own q, u, udot."""
    N = a.link.joint.rate_matrix(q)
    count = u.numel()
    along, to_coordinates = ca.SX.eye(q.numel()), ca.SX.eye(q.numel())
    twists, along_speeds = a.H, True
    if N is not None and q.numel() == count:
        twists, along_speeds = _twists(a, q), False
    elif N is not None:
        # Nothing depends on the length of Euler parameters: the left inverse leaves that direction out.
        along, to_coordinates = N, Factor(ca.mtimes(N.T, N)).solve(N.T)
    relative = ca.mtimes(a.H, u)
    zeta = ca.vertcat(a.bias[:3], a.bias[3:] + cross(relative[3:], relative[:3]))
    rate = ca.mtimes(a.H, udot) + zeta
    single = count == 1 and along_speeds
    return Displaced(
        along_speeds,
        twists,
        _changes(a.H, q, along, twists),
        velocity := _moved(relative, q, along, twists),
        _moved(rate, q, along, twists),
        ca.sparsify(zeta),
        velocity if single else velocity + _carried(relative, twists),
        ca.sparsify(ca.jacobian(zeta, u) + (ca.SX(6, 1) if single else _carried(relative, a.H))),
        to_coordinates,
    )


def _twists(a: Articulation, q: ca.SX) -> ca.SX:
    """Twist per coordinate."""
    X = a.link.joint.pose(q)
    rates = ca.jacobian(ca.vec(X.R), q)
    angular = [vee(ca.mtimes(ca.reshape(rates[:, k], 3, 3), X.R.T)) for k in range(q.numel())]
    R = a.to_joint_axes.T
    return ca.sparsify(ca.vertcat(ca.mtimes(R, ca.horzcat(*angular)), ca.mtimes(R, ca.jacobian(X.p, q))))


def _moved(motion: ca.SX, q: ca.SX, along: ca.SX, twists: ca.SX) -> ca.SX:
    """Changes of a motion about the link's origin, seen at the point of the parent where that origin was."""
    change = ca.mtimes(ca.jacobian(motion, q), along)
    shift = -ca.mtimes(skew(motion[:3]), twists[3:, :])
    return ca.sparsify(ca.vertcat(change[:3, :], change[3:, :] + shift))


def _changes(H: ca.SX, q: ca.SX, along: ca.SX, twists: ca.SX) -> tuple[ca.SX, ...]:
    """The same of every column of H, per direction."""
    columns = [_moved(H[:, k], q, along, twists) for k in range(H.shape[1])]
    if not any(column.nnz() for column in columns):
        return ()
    return tuple(ca.horzcat(*[column[:, m] for column in columns]) for m in range(twists.shape[1]))


def _carried(relative: ca.SX, motions: ca.SX) -> ca.SX:
    """Relative velocity x motions."""
    w, v = skew(relative[:3]), skew(relative[3:])
    return ca.vertcat(
        ca.mtimes(w, motions[:3, :]), ca.mtimes(v, motions[:3, :]) + ca.mtimes(w, motions[3:, :])
    )
