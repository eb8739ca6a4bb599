"""Velocities and accelerations of the links, in their own axes."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from condyle.dynamics.linkage import Linkage
from condyle.spatial.vectors import cross, skew


@dataclass(frozen=True)
class AngularMotion:
    """Angular velocity w of a link in its axes, the matrix of w x (w x .), w in the parent's axes."""

    w: ca.SX
    centripetal: ca.SX
    seen: ca.SX


def centripetal_matrix(w: ca.SX, scale: ca.SX | float = 1.0) -> ca.SX:
    """scale w~ w~ = scale (w w' - (w'w) 1), each product once."""
    x, y, z = w[0], w[1], w[2]
    scaled_x, scaled_y, scaled_z = scale * x, scale * y, scale * z
    xx, yy, zz = scaled_x * x, scaled_y * y, scaled_z * z
    xy, xz, yz = scaled_x * y, scaled_x * z, scaled_y * z
    rows = ((-(yy + zz), xy, xz), (xy, -(xx + zz), yz), (xz, yz, -(xx + yy)))
    return ca.sparsify(ca.vertcat(*[ca.horzcat(*row) for row in rows]))


GROUND_AT_REST = AngularMotion(ca.SX(3, 1), ca.SX(3, 3), ca.SX(3, 1))


def angular_motions(linkage: Linkage) -> list[AngularMotion]:
    """One per link: w_i = R' (w_p + Hw u)."""
    motions: list[AngularMotion] = []
    for a in linkage.articulations:
        parent = motions[a.link.parent] if a.link.parent >= 0 else GROUND_AT_REST
        seen = ca.sparsify(parent.w + ca.mtimes(a.H[:3, :], linkage.u[a.link.u]))
        w = ca.mtimes(a.X.R.T, seen)
        motions.append(AngularMotion(w, centripetal_matrix(w), seen))
    return motions


def bias_accelerations(linkage: Linkage, motions: list[AngularMotion]) -> list[tuple[ca.SX, ca.SX]]:
    """Per link: what its angular acceleration, and that of its origin, would be with the parent's zero and
    udot = 0.

    In parent axes: (Hdot u)_w + w_p x (Hw u);  w_p x (w_p x r) + 2 w_p x (Hv u) + (Hdot u)_v.
    """
    biases = []
    for a in linkage.articulations:
        parent = motions[a.link.parent] if a.link.parent >= 0 else GROUND_AT_REST
        u = linkage.u[a.link.u]
        angular = a.bias[:3] + cross(parent.w, ca.mtimes(a.H[:3, :], u))
        linear = (
            a.bias[3:] + ca.mtimes(parent.centripetal, a.X.p) + 2 * cross(parent.w, ca.mtimes(a.H[3:, :], u))
        )
        biases.append((ca.sparsify(angular), ca.sparsify(linear)))
    return biases


def linear_velocities(linkage: Linkage, motions: list[AngularMotion]) -> list[ca.SX]:
    """Velocity of each link's frame origin, in the link's axes."""
    velocities: list[ca.SX] = []
    for a in linkage.articulations:
        moved = ca.mtimes(a.H[3:, :], linkage.u[a.link.u])
        if a.link.parent >= 0:
            moved = moved + velocities[a.link.parent] + cross(motions[a.link.parent].w, a.X.p)
        velocities.append(ca.mtimes(a.X.R.T, moved))
    return velocities


@dataclass(frozen=True)
class Acceleration:
    """Angular acceleration and that of the origin in a link's axes; `turned`, `reached`: both in its parent's
    axes.
    """

    angular: ca.SX
    linear: ca.SX
    turned: ca.SX
    reached: ca.SX


def accelerations(
    linkage: Linkage, motions: list[AngularMotion], udot: ca.SX, base: ca.SX
) -> list[Acceleration]:
    """One per link; `base` is the acceleration of ground's origin, ground axes."""
    found: list[Acceleration] = []
    for a, (bias_w, bias_v) in zip(linkage.articulations, bias_accelerations(linkage, motions), strict=True):
        if a.link.parent >= 0:
            parent = found[a.link.parent]
        else:
            start = ca.sparsify(ca.mtimes(a.base.R.T, base))
            parent = Acceleration(ca.SX(3, 1), start, ca.SX(3, 1), start)
        moved = ca.mtimes(a.H, udot[a.link.u])
        angular = parent.angular + moved[:3] + bias_w
        linear = parent.linear + ca.mtimes(skew(parent.angular), a.X.p) + moved[3:] + bias_v
        angular, linear = ca.sparsify(angular), ca.sparsify(linear)
        found.append(Acceleration(ca.mtimes(a.X.R.T, angular), ca.mtimes(a.X.R.T, linear), angular, linear))
    return found
