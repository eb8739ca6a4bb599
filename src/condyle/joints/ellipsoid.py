"""A point that moves on an ellipsoid while the child's z axis follows it, in two readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from condyle.joints import orientation as orient
from condyle.joints.base import Joint
from condyle.joints.checks import choice_problems, positive_problems
from condyle.spatial import Transform, constant, cross, skew

SETH, TRUE = "seth", "true"


@final
@dataclass(frozen=True)
class Ellipsoid(Joint):
    """B's origin stays on the ellipsoid with `radii` [m] along P's axes; n = z axis of B [mobilizers, eq.
    11-14].

    `normal="seth"`: p = D n, D = diag(radii), as the paper and OpenSim compute; n is the surface normal
    only if the radii are equal (up to 21.3 degrees off for radii .10, .15, .07). `normal="true"`: p = D^2 n
    / |D n|, so that n is the outward normal, as the paper's text says. Speeds, and the choice of
    coordinates by `orientation` or `coordinates="euler_parameters"`, are those of `Ball`; the default here
    is "xyz".
    """

    radii: tuple[float, float, float] = (1.0, 1.0, 1.0)
    normal: str = SETH
    orientation: str = orient.ANGLES

    def settled(self) -> dict[str, Any]:
        return orient.settled_word(self.coordinates)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return orient.orientation_names(self.orientation)

    @property
    def speed_names(self) -> tuple[str, ...]:
        return orient.SPEED_NAMES

    @property
    def coordinate_defaults(self) -> tuple[float, ...]:
        return orient.orientation_defaults(self.orientation)

    def pose(self, q: ca.SX) -> Transform:
        R = orient.orientation_rotation(self.orientation, q)
        return Transform(R, self._on_surface(R[:, 2]))

    def _on_surface(self, n: ca.SX) -> ca.SX:
        """p for the direction n [eq. 11]."""
        D = constant(self.radii)
        if self.normal == SETH:
            return D * n
        g = D * D * n
        return g / ca.sqrt(ca.dot(n, g))

    def equations(self, X_PB: Transform) -> ca.SX:
        return X_PB.p - self._on_surface(X_PB.R[:, 2])

    def rate_matrix(self, q: ca.SX) -> ca.SX:
        return orient.orientation_rate_matrix(self.orientation, q)

    def hinge(self, q: ca.SX) -> ca.SX:
        n, D = orient.orientation_rotation(self.orientation, q)[:, 2], constant(self.radii)
        if self.normal == SETH:
            return ca.vertcat(ca.SX.eye(3), -ca.mtimes(ca.diag(D), skew(n)))
        # H = [I; -K ~n] with K = D^2 / s - g g' / s^3, g = D^2 n, s = |D n|.
        g = D * D * n
        s2 = ca.dot(n, g)
        p = g / ca.sqrt(s2)
        across = ca.mtimes(p / s2, cross(g, n).T)
        return ca.vertcat(ca.SX.eye(3), across - ca.mtimes(ca.diag(D * D / ca.sqrt(s2)), skew(n)))

    def bias(self, q: ca.SX, u: ca.SX) -> ca.SX:
        n, D = orient.orientation_rotation(self.orientation, q)[:, 2], constant(self.radii)
        rate = cross(u, n)
        second = cross(u, rate)
        if self.normal == SETH:
            return ca.vertcat(ca.SX(3, 1), D * second)
        # Twice the derivative of p = g / s, with g = D^2 n and s^2 = n'g, so that s sdot = gdot'n.
        D2 = D * D
        g, g_rate, g_second = D2 * n, D2 * rate, D2 * second
        s2 = ca.dot(n, g)
        a = ca.dot(g_rate, n) / s2
        a_rate = (ca.dot(g_rate, rate) + ca.dot(g_second, n)) / s2
        return ca.vertcat(ca.SX(3, 1), (g_second - 2 * a * g_rate + (3 * a * a - a_rate) * g) / ca.sqrt(s2))

    @property
    def unit_groups(self) -> tuple[int, ...]:
        return orient.orientation_unit_groups(self.orientation)

    def own_problems(self) -> list[str]:
        found = choice_problems("orientation", self.orientation, orient.CHOICES)
        found += choice_problems("normal", self.normal, (SETH, TRUE))
        if len(self.radii) != 3:
            return [*found, f"radii must be three lengths, found {self.radii}"]
        for axis, radius in zip("xyz", self.radii, strict=True):
            found += positive_problems(f"radius along {axis}", radius)
        return found
