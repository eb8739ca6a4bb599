"""Mass, centre of mass and inertia of a rigid body in any frame fixed on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from condyle.spatial.transform import Transform
from condyle.spatial.vectors import constant, skew


@dataclass(frozen=True)
class RigidInertia:
    """mass [kg], first moment m c [kg m] and inertia about the frame origin [kg m^2], all in frame axes.

    `central` is the inertia about the centre of mass, kept apart for a single body: taking it back out of
    `about_origin` would leave round-off where there are zeros.
    """

    mass: ca.SX
    moment: ca.SX
    about_origin: ca.SX
    central: ca.SX | None = None

    @staticmethod
    def of(mass: Any, center_of_mass: Sequence[Any], inertia: Sequence[Any]) -> RigidInertia:
        """`inertia` = (xx, yy, zz, xy, xz, yz) tensor entries about the centre of mass, body axes."""
        xx, yy, zz, xy, xz, yz = inertia
        m, c = constant(mass), constant(center_of_mass)
        central = constant(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        across = skew(c)
        about_origin = ca.sparsify(central - m * ca.mtimes(across, across))
        return RigidInertia(m, ca.sparsify(m * c), about_origin, central)

    def seen_from(self, X_BA: Transform) -> RigidInertia:
        """The same body's inertia in frame B, given in A: rotate, then shift by p = X_BA.p."""
        R, p = X_BA.R, X_BA.p
        moment = ca.mtimes(R, self.moment)
        rotated = ca.mtimes(R, ca.mtimes(self.about_origin, R.T))
        a, b = skew(p), skew(moment)
        shifted = rotated - ca.mtimes(a, b) - ca.mtimes(b, a) - self.mass * ca.mtimes(a, a)
        central = None if self.central is None else ca.sparsify(ca.mtimes(R, ca.mtimes(self.central, R.T)))
        return RigidInertia(self.mass, ca.sparsify(moment + self.mass * p), ca.sparsify(shifted), central)

    def is_massless(self) -> bool:
        """Whether the body has neither mass nor inertia (a constant zero)."""
        entries = ca.vertcat(self.mass, ca.vec(self.about_origin))
        return bool(entries.is_constant()) and not bool(ca.DM(entries).full().any())
