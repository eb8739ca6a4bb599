"""Articulated-body algorithm: forward dynamics in O(n)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca

from condyle.dynamics.linkage import Articulation, Linkage
from condyle.dynamics.motion import angular_motions, bias_accelerations
from condyle.dynamics.symmetric import Factor, congruence, similarity, symmetric_product, symmetrized
from condyle.spatial.inertia import RigidInertia
from condyle.spatial.transform import Transform
from condyle.spatial.vectors import cross, skew, vee


@dataclass(frozen=True)
class Articulated:
    """Inertia that a handle on a body feels: [A, C; C', M], and bias wrench (moment, force), about its
    origin.
    """

    A: ca.SX
    C: ca.SX
    M: ca.SX
    moment: ca.SX
    force: ca.SX
    rigid: RigidInertia | None  # set while nothing articulated has been added

    def with_bias(self, moment: ca.SX, force: ca.SX) -> Articulated:
        """The same with more bias wrench."""
        return replace(self, moment=self.moment + moment, force=self.force + force)

    def with_gyroscopic(self, w: ca.SX, centripetal: ca.SX | None = None) -> Articulated:
        """With the bias (w x I w, w x (w x m c)) of a rigid body that turns with w, in the present axes."""
        h = vee(self.C)
        force = cross(w, cross(w, h)) if centripetal is None else ca.mtimes(centripetal, h)
        return self.with_bias(cross(w, ca.mtimes(self.A, w)), force)

    def __add__(self, other: Articulated) -> Articulated:
        return Articulated(
            self.A + other.A,
            self.C + other.C,
            self.M + other.M,
            self.moment + other.moment,
            self.force + other.force,
            None,
        )


@dataclass(frozen=True)
class ForwardDynamics:
    """udot (nu); wrenches: per link (moment about its origin, force) of the parent on it, in B_p axes."""

    udot: ca.SX
    wrenches: tuple[tuple[ca.SX, ca.SX], ...]


def aba(
    linkage: Linkage, tau: ca.SX, applied: dict[int, tuple[ca.SX, ca.SX]] | None = None
) -> ForwardDynamics:
    """Forward dynamics; locked speeds keep udot = 0. `applied` as in rnea."""
    motions = angular_motions(linkage)
    leaves = linkage.tree.leaves
    arms = {
        i: _arm(linkage.articulations[i])
        for i in sorted(leaves)
        if _centered_is_smaller(linkage.articulations[i])
    }
    articulations = [
        _about_center(a, arms[a.link.index]) if a.link.index in arms else a for a in linkage.articulations
    ]
    biases = bias_accelerations(linkage, motions)
    for i, arm in arms.items():
        angular, linear = biases[i]
        w = motions[i].seen
        biases[i] = (angular, linear + cross(angular, arm) + cross(w, cross(w, arm)))
    # A leaf's gyroscopic wrench is cheaper in its parent's axes, where its inertia is needed anyway.
    handles = [
        _rigid(a) if a.link.index in leaves else _rigid(a).with_gyroscopic(motion.w, motion.centripetal)
        for a, motion in zip(articulations, motions, strict=True)
    ]
    for i, (moment, force) in (applied or {}).items():
        if i in arms:
            moment = moment - cross(ca.mtimes(articulations[i].X.R.T, arms[i]), force)
        handles[i] = handles[i].with_bias(-moment, -force)
    steps: list[_Step] = [None] * len(handles)  # type: ignore[list-item]
    for a in reversed(articulations):
        i, p = a.link.index, a.link.parent
        turned = _turned(handles[i], a.X.R)
        if i in leaves:
            turned = turned.with_gyroscopic(motions[i].seen)
        step = _Step(turned, a, tau[a.link.u])
        steps[i] = step
        if p >= 0:
            handles[p] = handles[p] + _shifted(step.through_joint(biases[i]), a.X.p)
    udot = ca.SX(len(linkage.tree.speeds), 1)
    moving: list[tuple[ca.SX, ca.SX]] = []
    wrenches = []
    for a, (bias_w, bias_v) in zip(articulations, biases, strict=True):
        still = (ca.SX(3, 1), -linkage.gravity_at(a))
        parent_w, parent_v = moving[a.link.parent] if a.link.parent >= 0 else still
        reached = ca.vertcat(parent_w + bias_w, parent_v + cross(parent_w, a.X.p) + bias_v)
        step = steps[a.link.index]
        if step.free:
            rates = step.accelerate(reached)
            for k, value in zip(step.free, ca.vertsplit(rates), strict=True):
                udot[a.link.u.start + k] = value
            reached = reached + ca.mtimes(step.H, rates)
        wrench = step.transmitted(reached)
        if a.link.index in arms:
            original = linkage.articulations[a.link.index].H[:, step.free]
            wrench = _about_origin(wrench, arms[a.link.index], original, step.tau)
        wrenches.append((wrench[:3], wrench[3:]))
        moving.append((ca.mtimes(a.X.R.T, reached[:3]), ca.mtimes(a.X.R.T, reached[3:])))
    return ForwardDynamics(udot, tuple(wrenches))


def _centered_is_smaller(a: Articulation) -> bool:
    """Whether a leaf costs less about its mass centre: it turns in every direction, or moves as it turns."""
    angular = [k for k in a.link.free if any(a.H.has_nz(row, k) for row in range(3))]
    moving = [k for k in angular if any(a.H.has_nz(row, k) for row in range(3, 6))]
    known = a.inertia.central is not None and not a.inertia.mass.is_zero()
    return known and len(angular) == len(a.link.free) and (len(angular) > 2 or bool(moving))


def _arm(a: Articulation) -> ca.SX:
    """A leaf's mass centre from its origin, in the parent's axes."""
    return ca.mtimes(a.X.R, ca.sparsify(a.inertia.moment / a.inertia.mass))


def _about_center(a: Articulation, arm: ca.SX) -> Articulation:
    """The same articulation with the link's origin moved to its mass centre."""
    assert a.inertia.central is not None
    inertia = RigidInertia(a.inertia.mass, ca.SX(3, 1), a.inertia.central, a.inertia.central)
    H = ca.vertcat(a.H[:3, :], a.H[3:, :] - ca.mtimes(skew(arm), a.H[:3, :]))
    return replace(a, X=Transform(a.X.R, a.X.p + arm), H=ca.sparsify(H), inertia=inertia)


def _about_origin(wrench: ca.SX, arm: ca.SX, H: ca.SX, tau: ca.SX) -> ca.SX:
    """A wrench about the mass centre, about the link's origin; granted rows follow from the force."""
    granted = {row: column for row, column in _granted_rows(H).items() if row < 3}
    moved = ca.vertcat(wrench[:3] + cross(arm, wrench[3:]), wrench[3:])
    for row in granted:
        moved[row] = 0
    _complete(moved, H, granted, tau)
    return moved


def _rigid(a: Articulation) -> Articulated:
    """A link without its children, at rest."""
    rigid, zero = a.inertia, ca.SX(3, 1)
    mass = ca.sparsify(rigid.mass * ca.SX.eye(3))
    return Articulated(rigid.about_origin, skew(rigid.moment), mass, zero, zero, rigid)


def _turned(handle: Articulated, R: ca.SX) -> Articulated:
    """The same in other axes."""
    moment, force = ca.mtimes(R, handle.moment), ca.mtimes(R, handle.force)
    A = congruence(R, handle.A)
    if handle.rigid is not None:
        turned_moment = ca.mtimes(R, handle.rigid.moment)
        return Articulated(A, skew(turned_moment), handle.M, moment, force, handle.rigid)
    C = similarity(R, handle.C)
    return Articulated(A, C, congruence(R, handle.M), moment, force, None)


def _shifted(handle: Articulated, r: ca.SX) -> Articulated:
    """About an origin from which the present one lies at r, same axes."""
    r_skew = skew(r)
    C = handle.C + ca.mtimes(r_skew, handle.M)
    # Symmetric as a whole: r~ C0' + (r~ C0')' + r~ M r~'.
    A = symmetrized(ca.triu(handle.A + ca.mtimes(r_skew, handle.C.T) + ca.mtimes(C, r_skew.T)))
    moment = handle.moment + cross(r, handle.force)
    return Articulated(A, C, handle.M, moment, handle.force, None)


class _Step:
    """What the backward pass keeps of one link, in parent axes about the link's origin."""

    def __init__(self, handle: Articulated, a: Articulation, tau: ca.SX) -> None:
        self.handle = handle
        self.free = a.link.free
        self.tau = tau[self.free]
        self.H = a.H[:, self.free]
        self.granted = _granted_rows(self.H)
        self.inertia = ca.sparsify(ca.blockcat([[handle.A, handle.C], [handle.C.T, handle.M]]))
        self.wrench = ca.vertcat(handle.moment, handle.force)
        if self.free:
            self.U = ca.mtimes(self.inertia, self.H)
            self.factor = Factor(ca.mtimes(self.H.T, self.U))
            self.excess = self.tau - ca.mtimes(self.H.T, self.wrench)

    def accelerate(self, reached: ca.SX) -> ca.SX:
        """udot of the joint's free speeds when the parent alone would give the link the acceleration
        `reached`.
        """
        return self.factor.solve(self.excess - ca.mtimes(self.U.T, reached))

    def transmitted(self, acceleration: ca.SX) -> ca.SX:
        """Wrench (6) of the parent on the link, f = I a + p."""
        rows = [row for row in range(6) if row not in self.granted]
        wrench = ca.SX(6, 1)
        wrench[rows] = ca.mtimes(self.inertia[rows, :], acceleration) + self.wrench[rows]
        _complete(wrench, self.H, self.granted, self.tau)
        return wrench

    def through_joint(self, bias: tuple[ca.SX, ca.SX]) -> Articulated:
        """What the parent feels through the joint: I - U D^-1 U', and p + I bias + U D^-1 (tau - H' p)."""
        bias_vector = ca.vertcat(*bias)
        handle = self.handle
        if not self.free:
            wrench = self.wrench + ca.mtimes(self.inertia, bias_vector)
            return Articulated(handle.A, handle.C, handle.M, wrench[:3], wrench[3:], handle.rigid)
        rows = [row for row in range(6) if row not in self.granted]
        U = self.U[rows, :]
        felt = ca.SX(6, 6)
        felt[rows, rows] = self.inertia[rows, rows] - symmetric_product(U, self.factor.solve(U.T))
        nothing = ca.SX(len(self.free), 6)
        _complete(felt, self.H, self.granted, nothing)
        felt = felt.T
        _complete(felt, self.H, self.granted, nothing)
        felt = symmetrized(ca.triu(felt))
        wrench = ca.SX(6, 1)
        wrench[rows] = (
            self.wrench[rows]
            + ca.mtimes(felt[rows, :], bias_vector)
            + ca.mtimes(U, self.factor.solve(self.excess))
        )
        _complete(wrench, self.H, self.granted, self.tau)
        return Articulated(felt[:3, :3], felt[:3, 3:], felt[3:, 3:], wrench[:3], wrench[3:], None)


def _complete(values: ca.SX, H: ca.SX, granted: dict[int, int], along: ca.SX) -> None:
    """Fill the granted rows of `values` (6 x n) from the others: the joint transmits H' values = along."""
    for row, column in granted.items():
        direction = ca.SX(H[:, column])
        direction[row] = 0
        values[row, :] = along[column, :] - ca.mtimes(ca.sparsify(direction).T, values)


def _granted_rows(H: ca.SX) -> dict[int, int]:
    """{row: column} where a column of H has exactly 1 in a row in which no other column has an entry."""
    found: dict[int, int] = {}
    for row in range(6):
        columns = [k for k in range(H.shape[1]) if H.has_nz(row, k)]
        if len(columns) == 1 and columns[0] not in found.values():
            entry = H[row, columns[0]]
            if entry.is_constant() and float(entry) == 1.0:
                found[row] = columns[0]
    return found
