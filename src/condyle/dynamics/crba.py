"""Composite-rigid-body algorithm: the mass matrix."""

from __future__ import annotations

import casadi as ca

from condyle.dynamics.linkage import Linkage
from condyle.dynamics.motion import centripetal_matrix
from condyle.dynamics.symmetric import congruence, symmetric_product, symmetrized
from condyle.spatial.inertia import RigidInertia
from condyle.spatial.vectors import skew


def crba(linkage: Linkage) -> ca.SX:
    """M (nu x nu), symmetric; branches that share no joint have structural zeros."""
    composites = [a.inertia for a in linkage.articulations]
    M = ca.SX(len(linkage.tree.speeds), len(linkage.tree.speeds))
    for a in reversed(linkage.articulations):
        R, r = a.X.R, a.X.p
        inertia = composites[a.link.index]
        turned = _turned(inertia, R)
        if a.link.u.stop > a.link.u.start:
            _fill(M, linkage, a.link.index, turned)
        if a.link.parent >= 0:
            composites[a.link.parent] = _joined(composites[a.link.parent], turned, r)
    return _without_round_off(M)


def _turned(inertia: RigidInertia, R: ca.SX) -> RigidInertia:
    """The same in other axes; a single body's from its central inertia, mostly diagonal, where R is full."""
    moment, central = ca.mtimes(R, inertia.moment), inertia.central
    if central is None or not central.sparsity().is_diag() or R.nnz() < 9 or inertia.mass.is_zero():
        return RigidInertia(inertia.mass, moment, congruence(R, inertia.about_origin))
    about = congruence(R, central) - centripetal_matrix(moment, 1 / inertia.mass)
    return RigidInertia(inertia.mass, moment, symmetrized(ca.triu(about)))


def _without_round_off(M: ca.SX) -> ca.SX:
    """M with zeros where orthogonal constant directions, turned into a frame's axes, left 1e-16 of its
    diagonal.
    """
    constants = {i: abs(float(M[i, i])) for i in range(M.shape[0]) if M[i, i].is_constant()}
    for i in constants:
        for j in constants:
            if i != j and M.has_nz(i, j) and M[i, j].is_constant():
                if abs(float(M[i, j])) < 4e-16 * (constants[i] + constants[j]):
                    M[i, j] = 0
    return ca.sparsify(M)


def _fill(M: ca.SX, linkage: Linkage, index: int, composite: RigidInertia) -> None:
    """Rows and columns of one joint: push its unit motions' wrenches down to the root."""
    a = linkage.articulations[index]
    Hw, Hv = a.H[:3, :], a.H[3:, :]
    h = skew(composite.moment)
    moment = ca.mtimes(composite.about_origin, Hw) + ca.mtimes(h, Hv)
    force = composite.mass * Hv - ca.mtimes(h, Hw)
    own = a.link.u
    M[own, own] = symmetric_product(ca.horzcat(Hw.T, Hv.T), ca.vertcat(moment, force))
    while a.link.parent >= 0:
        moment = moment + ca.mtimes(skew(a.X.p), force)
        a = linkage.articulations[a.link.parent]
        moment, force = ca.mtimes(a.X.R, moment), ca.mtimes(a.X.R, force)
        block = ca.mtimes(a.H[:3, :].T, moment) + ca.mtimes(a.H[3:, :].T, force)
        M[a.link.u, own] = block
        M[own, a.link.u] = block.T


def _joined(parent: RigidInertia, child: RigidInertia, r: ca.SX) -> RigidInertia:
    """The parent's composite with a child's (already in parent axes) whose origin lies at r."""
    r_skew = skew(r)
    moved = ca.sparsify(child.moment + child.mass * r)
    # Symmetric as a whole: -r~ h~ - (r~ h~)' - m r~ r~.
    shift = ca.mtimes(r_skew, skew(child.moment)) + ca.mtimes(skew(moved), r_skew)
    about = symmetrized(ca.triu(parent.about_origin + child.about_origin - shift))
    moment = parent.moment + moved
    return RigidInertia(ca.sparsify(parent.mass + child.mass), ca.sparsify(moment), ca.sparsify(about))
