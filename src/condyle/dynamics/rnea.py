"""Recursive Newton-Euler: inverse dynamics, and the wrench that every joint transmits."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from condyle.dynamics.linkage import Articulation, Linkage
from condyle.dynamics.motion import Acceleration, AngularMotion, accelerations, angular_motions
from condyle.dynamics.symmetric import congruence
from condyle.spatial.inertia import RigidInertia
from condyle.spatial.vectors import cross, skew


@dataclass(frozen=True)
class InverseDynamics:
    """tau (nu); wrenches: per link (moment about its origin, force) of the parent on it, B_p axes."""

    tau: ca.SX
    wrenches: tuple[tuple[ca.SX, ca.SX], ...]


def rnea(
    linkage: Linkage, udot: ca.SX, applied: dict[int, tuple[ca.SX, ca.SX]] | None = None
) -> InverseDynamics:
    """Inverse dynamics; `applied` = external (moment about the origin, force) per link, in link axes."""
    motions = angular_motions(linkage)
    # Gravity enters as an upward acceleration of ground.
    moving = accelerations(linkage, motions, udot, -linkage.gravity)
    leaves = linkage.tree.leaves
    moments, forces, outside = [], [], []
    for a, motion, moved in zip(linkage.articulations, motions, moving, strict=True):
        # A leaf's acceleration is not turned into its axes, as no child needs it: the mass moves in the
        # parent's axes.
        leaf = a.link.index in leaves
        if leaf and _turns_freely(a):
            moment, force = ca.SX(3, 1), ca.SX(3, 1)
            outside.append(_about_center(a, motion, moved))
        else:
            moment, force = inertial_wrench(
                a.inertia, motion, moved.angular, ca.SX(3, 1) if leaf else moved.linear
            )
            outside.append(_of_translation(a, moved.reached) if leaf else (ca.SX(3, 1), ca.SX(3, 1)))
        if applied and a.link.index in applied:
            outer_moment, outer_force = applied[a.link.index]
            moment, force = moment - outer_moment, force - outer_force
        moments.append(moment)
        forces.append(force)
    tau = ca.SX(len(linkage.tree.speeds), 1)
    wrenches: list[tuple[ca.SX, ca.SX]] = [(ca.SX(3, 1), ca.SX(3, 1))] * len(moments)
    for a in reversed(linkage.articulations):
        i, p = a.link.index, a.link.parent
        moment = ca.mtimes(a.X.R, moments[i]) + outside[i][0]
        force = ca.mtimes(a.X.R, forces[i]) + outside[i][1]
        wrenches[i] = (moment, force)
        tau[a.link.u] = ca.densify(ca.mtimes(a.H[:3, :].T, moment) + ca.mtimes(a.H[3:, :].T, force))
        if p >= 0:
            moments[p] = moments[p] + moment + cross(a.X.p, force)
            forces[p] = forces[p] + force
    return InverseDynamics(tau, tuple(wrenches))


def _turns_freely(a: Articulation) -> bool:
    """Whether a leaf's rotation has no zeros and its central inertia is diagonal: then it costs less in its
    parent's axes.
    """
    central = a.inertia.central
    known = central is not None and central.sparsity().is_diag() and not a.inertia.mass.is_zero()
    return known and a.X.R.nnz() == 9


def _about_center(a: Articulation, motion: AngularMotion, moved: Acceleration) -> tuple[ca.SX, ca.SX]:
    """The inertial wrench about the origin, in the parent's axes, by way of the mass centre."""
    assert a.inertia.central is not None
    arm, w = ca.mtimes(a.X.R, ca.sparsify(a.inertia.moment / a.inertia.mass)), motion.seen
    inertia = congruence(a.X.R, a.inertia.central)
    acceleration = moved.reached + cross(moved.turned, arm) + cross(w, cross(w, arm))
    force = ca.sparsify(a.inertia.mass * acceleration)
    moment = ca.mtimes(inertia, moved.turned) + cross(w, ca.mtimes(inertia, w)) + cross(arm, force)
    return moment, force


def _of_translation(a: Articulation, acceleration: ca.SX) -> tuple[ca.SX, ca.SX]:
    """(m c x a, m a) in the parent's axes."""
    if a.inertia.is_massless():
        return ca.SX(3, 1), ca.SX(3, 1)
    return cross(ca.mtimes(a.X.R, a.inertia.moment), acceleration), a.inertia.mass * acceleration


def inertial_wrench(
    inertia: RigidInertia, motion: AngularMotion, alpha: ca.SX, acceleration: ca.SX
) -> tuple[ca.SX, ca.SX]:
    """Rate of momentum about the moving frame origin: (I alpha + w x I w + m c x a, m a + (alpha~ + w~ w~) m
    c).
    """
    if inertia.is_massless():
        return ca.SX(3, 1), ca.SX(3, 1)
    h = inertia.moment
    angular = ca.mtimes(inertia.about_origin, motion.w)
    moment = ca.mtimes(inertia.about_origin, alpha) + cross(motion.w, angular) + cross(h, acceleration)
    force = inertia.mass * acceleration + ca.mtimes(skew(alpha) + motion.centripetal, h)
    return moment, force
