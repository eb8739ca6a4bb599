"""Derivatives of inverse dynamics by a recursion, in far fewer operations than differentiating the graph.

Everything is written in ground axes about a point O that is fixed at this instant (the origin of the tree's
first link), as 6-vectors, angular first. Let joint j move along one of its coordinates, a twist s. All links
behind it are displaced as one, and besides their velocities and accelerations change by

    gamma,                 gamma = c - s x V_j
    alpha + gamma x V_i,   alpha = d - s x A_j - gamma x V_j,

with c and d the changes of the joint's own relative velocity and acceleration, seen from its parent. Hence
the wrench on link j and all behind it changes by s x* F + I alpha + B gamma, with I, F and B sums over those
links, and

    B gamma = (K g + g x L, 2 g x p),   g the angular part of gamma,

where p, L are momentum and its moment about O, and K the rate of the inertia about O. A change of speed u_j
does the same with gamma = s and alpha = (V_parent + V_j) x s. Compare Carpentier and Mansard, Analytical
derivatives of rigid body dynamics algorithms (2018), for joints whose H is constant; here H is any function
of the joint's coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from condyle.dynamics.displaced import Displaced, displaced
from condyle.dynamics.linkage import Articulation, Linkage, body_frame_in_joint_frame
from condyle.dynamics.symmetric import congruence, is_sphere, symmetrized
from condyle.spatial.vectors import cross, skew


@dataclass(frozen=True)
class Vector6:
    """A motion (angular, linear) or a wrench (moment, force) about O; or several as columns."""

    a: ca.SX
    b: ca.SX

    def __add__(self, other: Vector6) -> Vector6:
        return Vector6(self.a + other.a, self.b + other.b)

    def dot(self, other: Vector6) -> ca.SX:
        """Products of every column with every column of `other`."""
        return ca.mtimes(self.a.T, other.a) + ca.mtimes(self.b.T, other.b)

    def times(self, factors: ca.SX) -> Vector6:
        """The columns' sum with factors."""
        return Vector6(ca.mtimes(self.a, factors), ca.mtimes(self.b, factors))

    def crossed(self, motion: Vector6) -> Vector6:
        """self x motion: the rate of a motion (or of columns of them) that is carried along with this one."""
        a, b = skew(self.a), skew(self.b)
        return Vector6(ca.mtimes(a, motion.a), ca.mtimes(b, motion.a) + ca.mtimes(a, motion.b))


NOTHING = Vector6(ca.SX(3, 1), ca.SX(3, 1))


@dataclass(frozen=True)
class Matter:
    """Sums over links about O: mass, moment h, inertia J, its rate K, momentum p, its moment L, wrench F."""

    mass: ca.SX
    h: ca.SX
    J: ca.SX
    K: ca.SX
    p: ca.SX
    L: ca.SX
    F: Vector6

    def __add__(self, other: Matter) -> Matter:
        return Matter(
            self.mass + other.mass,
            self.h + other.h,
            symmetrized(ca.triu(self.J + other.J)),
            symmetrized(ca.triu(self.K + other.K)),
            self.p + other.p,
            self.L + other.L,
            self.F + other.F,
        )

    def inertia(self, motion: Vector6) -> Vector6:
        """I times the columns of a motion."""
        h = skew(self.h)
        return Vector6(
            ca.mtimes(self.J, motion.a) + ca.mtimes(h, motion.b),
            ca.sparsify(self.mass) * motion.b - ca.mtimes(h, motion.a),
        )

    def turned(self, g: ca.SX) -> Vector6:
        """B gamma for columns g."""
        return Vector6(ca.mtimes(self.K - skew(self.L), g), -2 * ca.mtimes(skew(self.p), g))

    def turned_transposed(self, motion: Vector6) -> ca.SX:
        """The columns b with motion' B gamma = b' g."""
        return ca.mtimes(self.K + skew(self.L), motion.a) + 2 * ca.mtimes(skew(self.p), motion.b)

    def carried(self, twist: Vector6) -> Vector6:
        """Twist x* F: change of the wrench that is displaced with the links."""
        n, f = skew(self.F.a), skew(self.F.b)
        return Vector6(-ca.mtimes(n, twist.a) - ca.mtimes(f, twist.b), -ca.mtimes(f, twist.a))


@dataclass(frozen=True)
class _Joint:
    """A joint about O: S per speed, twists s per direction, what they change, and their place."""

    S: Vector6
    s: Vector6
    gamma: Vector6
    alpha: Vector6
    alpha_u: Vector6
    local: Displaced
    E: ca.SX  # axes of the parent's frame in ground
    r: ca.SX  # origin of the link's frame from O


@dataclass(frozen=True)
class InverseDynamicsDerivatives:
    """Dtau/dq (nu x nq), dtau/du, dtau/dudot = M (nu x nu); structural zeros between separate branches."""

    q: ca.SX
    u: ca.SX
    udot: ca.SX


def rnea_derivatives(linkage: Linkage, udot: ca.SX) -> InverseDynamicsDerivatives:
    """Derivatives of tau(q, u, udot) without external wrenches."""
    tree = linkage.tree
    joints, matter = _forward(linkage, udot)
    nu = len(tree.speeds)
    dq, du, M = ca.SX(nu, len(tree.coordinates)), ca.SX(nu, nu), ca.SX(nu, nu)
    for a in reversed(linkage.articulations):
        i, own, joint, total = a.link.index, a.link.u, joints[a.link.index], matter[a.link.index]
        if a.link.parent >= 0:
            matter[a.link.parent] = matter[a.link.parent] + total
        if own.stop == own.start:
            continue
        by_udot = total.inertia(joint.S)
        by_u = total.inertia(joint.alpha_u) + total.turned(joint.S.a)
        by_x = total.carried(joint.s) + total.inertia(joint.alpha) + total.turned(joint.gamma.a)
        back = total.turned_transposed(joint.S)
        to_q = joint.local.to_coordinates
        for k in tree.path(i):
            other, up = joints[k], tree.links[k].u
            if up.stop == up.start:
                continue
            block = other.S.dot(by_x)
            if k == i:
                block = block + _own(joint, total.F)
            dq[up, a.link.q] = ca.mtimes(block, to_q)
            du[up, own] = other.S.dot(by_u)
            M[up, own] = other.S.dot(by_udot)
            if k != i:
                M[own, up] = M[up, own].T
                below = by_udot.dot(other.alpha) + ca.mtimes(back.T, other.gamma.a)
                dq[own, tree.links[k].q] = ca.mtimes(below, other.local.to_coordinates)
                du[own, up] = by_udot.dot(other.alpha_u) + ca.mtimes(back.T, other.S.a)
            else:
                M[own, own] = symmetrized(ca.triu(M[own, own]))
    return InverseDynamicsDerivatives(dq, du, M)


def _own(joint: _Joint, F: Vector6) -> ca.SX:
    """(dS/dx)' F: a joint's own directions change with its coordinates."""
    if not joint.local.changes:
        return ca.SX(joint.S.a.shape[1], joint.s.a.shape[1])
    moment = ca.mtimes(joint.E.T, F.a - cross(joint.r, F.b))
    wrench = ca.vertcat(moment, ca.mtimes(joint.E.T, F.b))
    return ca.horzcat(*[ca.mtimes(change.T, wrench) for change in joint.local.changes])


def _forward(linkage: Linkage, udot: ca.SX) -> tuple[list[_Joint], list[Matter]]:
    """Joints about O, and each link's matter by itself."""
    joints: list[_Joint] = []
    matter: list[Matter] = []
    moving: list[tuple[ca.SX, ca.SX, Vector6, Vector6]] = []  # R, r, V, A
    for a in linkage.articulations:
        if a.link.parent >= 0:
            E, r, V_parent, A_parent = moving[a.link.parent]
            r = r + ca.mtimes(E, a.X.p)
        else:
            E, r, V_parent = ca.SX.eye(3), ca.SX(3, 1), NOTHING
            A_parent = Vector6(ca.SX(3, 1), -linkage.gravity_at(a))

        def seen(pairs: ca.SX, E: ca.SX = E, r: ca.SX = r) -> Vector6:
            """Motions given in the parent's axes about the link's origin, about O."""
            angular = ca.mtimes(E, pairs[:3, :])
            return Vector6(angular, ca.mtimes(E, pairs[3:, :]) + ca.mtimes(skew(r), angular))

        local = displaced(a, linkage.q[a.link.q], linkage.u[a.link.u], udot[a.link.u])
        u, S = linkage.u[a.link.u], seen(a.H)
        V = V_parent + S.times(u)
        A = A_parent + S.times(udot[a.link.u]) + V_parent.crossed(S.times(u)) + seen(local.zeta)
        s = S if local.along_speeds else seen(local.twists)
        c = seen(local.velocity)
        gamma = seen(local.gamma) + V_parent.crossed(s)
        alpha = seen(local.acceleration) + V_parent.crossed(c) + A.crossed(s) + V.crossed(gamma)
        across = V_parent.crossed(S)
        alpha_u = seen(local.alpha_u) + across + across
        joints.append(_Joint(S, s, gamma, alpha, alpha_u, local, E, r))
        R = ca.mtimes(E, a.X.R)
        matter.append(_matter(a, R, r, V, A))
        moving.append((R, r, V, A))
    return joints, matter


def _matter(a: Articulation, R: ca.SX, r: ca.SX, V: Vector6, A: Vector6) -> Matter:
    zero = ca.SX(3, 1)
    if a.inertia.is_massless():
        return Matter(ca.SX(1, 1), zero, ca.SX(3, 3), ca.SX(3, 3), zero, zero, NOTHING)
    assert a.inertia.central is not None
    m, w, alpha = a.inertia.mass, V.a, A.a
    place = body_frame_in_joint_frame(a.link).point(
        ca.sparsify(ca.SX(ca.vertcat(*a.link.body.center_of_mass)))
    )
    c = r + ca.mtimes(R, ca.sparsify(place))
    central = congruence(R, a.inertia.central)
    velocity = V.b + cross(w, c)
    p = m * velocity
    force = m * (A.b + cross(alpha, c) + cross(w, velocity))
    spin = ca.mtimes(central, w)
    moment = ca.mtimes(central, alpha) + cross(w, spin) + cross(c, force)
    h = m * c
    J = symmetrized(ca.triu(central - ca.mtimes(skew(c), skew(h))))
    K = -ca.mtimes(skew(c), skew(p))
    K = symmetrized(ca.triu(K + K.T))
    if not is_sphere(a.inertia.central):
        turning = ca.mtimes(skew(w), central)
        K = symmetrized(ca.triu(K + turning + turning.T))
    return Matter(m, h, J, K, p, spin + cross(c, p), Vector6(moment, force))
