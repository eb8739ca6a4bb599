"""Single bodies on ground, described by the translation of their mass centre instead of their joint's origin.

About the mass centre translation and rotation are uncoupled, so that the mass matrix of a free or planar body
is as empty as it can be; this is how one derives constrained equations by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca

from condyle.dynamics.linkage import Articulation, Linkage
from condyle.spatial.inertia import RigidInertia
from condyle.spatial.transform import Transform
from condyle.spatial.vectors import cross, skew


@dataclass(frozen=True)
class Centered:
    """The linkage with such bodies' origins at their mass centres; u = T u', udot = T udot' - shift."""

    linkage: Linkage
    T: ca.SX
    shift: ca.SX
    arms: dict[int, ca.SX]  # mass centres from the joints' origins, P axes

    def applied(self, wrenches: dict[int, tuple[ca.SX, ca.SX]]) -> dict[int, tuple[ca.SX, ca.SX]]:
        """Wrenches about the new origins."""
        moved = dict(wrenches)
        for i in self.arms.keys() & wrenches.keys():
            arm = ca.mtimes(self.linkage.articulations[i].X.R.T, self.arms[i])
            moment, force = wrenches[i]
            moved[i] = (moment - cross(arm, force), force)
        return moved


def centered(linkage: Linkage) -> Centered:
    """Every body on ground without children, if its joint has translations as speeds of their own wherever
    turning moves the mass centre: where it has not, the way of the mass centre would stay coupled.
    """
    nu = len(linkage.tree.speeds)
    T, shift, arms = ca.SX.eye(nu), ca.SX(nu, 1), {}
    articulations = list(linkage.articulations)
    for i in sorted(linkage.tree.leaves):
        a = linkage.articulations[i]
        rows = _translations(a)
        if a.link.parent >= 0 or not rows or a.inertia.central is None or a.inertia.mass.is_zero():
            continue
        arm = ca.mtimes(a.X.R, ca.sparsify(a.inertia.moment / a.inertia.mass))
        turning = ca.sparsify(-ca.mtimes(skew(arm), a.H[:3, :]))
        if not set(turning.sparsity().get_triplet()[0]) <= rows.keys():
            continue
        arms[i] = arm
        w = ca.mtimes(a.H[:3, :], linkage.u[a.link.u])
        gained = ca.sparsify(cross(a.bias[:3], arm) + cross(w, cross(w, arm)))
        H, bias = ca.SX(a.H), ca.SX(a.bias)
        H[3:, :] = H[3:, :] + turning
        bias[3:] = bias[3:] + gained
        for row, column in rows.items():
            speed = a.link.u.start + column
            T[speed, a.link.u] = T[speed, a.link.u] - turning[row, :]
            H[3 + row, :] = a.H[3 + row, :]
            shift[speed] = gained[row]
            bias[3 + row] = a.bias[3 + row]
        inertia = RigidInertia(a.inertia.mass, ca.SX(3, 1), a.inertia.central, a.inertia.central)
        X = Transform(a.X.R, a.X.p + arm)
        articulations[i] = replace(a, X=X, H=ca.sparsify(H), bias=ca.sparsify(bias), inertia=inertia)
    moved = replace(linkage, articulations=tuple(articulations))
    return Centered(moved, ca.sparsify(T), ca.sparsify(shift), arms)


def _translations(a: Articulation) -> dict[int, int]:
    """{row: column} of H where a column translates along an axis of P and does no more; none if locked."""
    found: dict[int, int] = {}
    if len(a.link.free) < a.H.shape[1]:
        return found
    for column in range(a.H.shape[1]):
        entries = [row for row in range(6) if a.H.has_nz(row, column)]
        if len(entries) == 1 and entries[0] >= 3:
            value = a.H[entries[0], column]
            if value.is_constant() and float(value) == 1.0:
                found[entries[0] - 3] = column
    return found
