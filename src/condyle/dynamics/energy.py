"""Energies, momenta and mass centres."""

from __future__ import annotations

import casadi as ca

from condyle.dynamics.kinematics import Kinematics
from condyle.dynamics.motion import angular_motions, linear_velocities
from condyle.spatial.vectors import cross


def center_of_mass(kinematics: Kinematics) -> ca.SX:
    """Of all bodies together, in ground; NaN where there is no mass."""
    total, moment = ca.SX(0), ca.SX(3, 1)
    for a in kinematics.linkage.articulations:
        frame = kinematics.frame(a.link.index)
        total = total + a.inertia.mass
        moment = moment + a.inertia.mass * frame.p + ca.mtimes(frame.R, a.inertia.moment)
    return moment / total


def kinetic_energy(kinematics: Kinematics) -> ca.SX:
    """1/2 sum (w' I w + 2 v' (w x m c) + m v'v) over the links [J]."""
    linkage = kinematics.linkage
    motions = angular_motions(linkage)
    total = ca.SX(0)
    for a, motion, v in zip(linkage.articulations, motions, linear_velocities(linkage, motions), strict=True):
        I = a.inertia
        angular = ca.dot(motion.w, ca.mtimes(I.about_origin, motion.w))
        total = total + angular + 2 * ca.dot(v, cross(motion.w, I.moment)) + I.mass * ca.dot(v, v)
    return 0.5 * total


def potential_energy(kinematics: Kinematics) -> ca.SX:
    """-sum m g . p, zero at ground's origin [J]."""
    total = ca.SX(0)
    for a in kinematics.linkage.articulations:
        frame = kinematics.frame(a.link.index)
        weighted = a.inertia.mass * frame.p + ca.mtimes(frame.R, a.inertia.moment)
        total = total - ca.dot(kinematics.linkage.gravity, weighted)
    return total


def momentum(kinematics: Kinematics) -> ca.SX:
    """(angular momentum about ground's origin, linear momentum) in ground axes."""
    linkage = kinematics.linkage
    motions = angular_motions(linkage)
    angular, linear = ca.SX(3, 1), ca.SX(3, 1)
    for a, motion, v in zip(linkage.articulations, motions, linear_velocities(linkage, motions), strict=True):
        I, frame = a.inertia, kinematics.frame(a.link.index)
        p = ca.mtimes(frame.R, I.mass * v + cross(motion.w, I.moment))
        own = ca.mtimes(frame.R, ca.mtimes(I.about_origin, motion.w) + cross(I.moment, v))
        angular = angular + own + cross(frame.p, p)
        linear = linear + p
    return ca.densify(ca.vertcat(angular, linear))
