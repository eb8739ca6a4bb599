"""Range of motion: a cone that a direction fixed in one body does not leave in another [ankle, section 4]."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi, radians
from typing import final

import casadi as ca

from condyle.forces.base import Action, Force, Pair, Situation, not_negative_problems, pair_problems
from condyle.functions import CubicStep, Function, PeriodicCubicSpline
from condyle.functions.leaves import choice_problems
from condyle.spatial import Placement, cross, unit
from condyle.spatial.checks import axis_problems

#: How the inward direction is taken; see `CircumductionCone`.
NORMALS = ("surface", "gradient", "radial")
_POLE = 1e-24  # squared distance from the cone's axis below which longitude is not asked for


@final
@dataclass(frozen=True)
class CircumductionCone(Force):
    """A moment that brings `axis` of `body` back into a cone fixed on `reference` [ankle, eq. 33-38].

    axis: unit vector u_r in axes of `body`. frame: the cone's axes xi, eta, zeta (x, y, z of the placement;
    only its angles matter) on `reference`. In them u_r has the longitude psi = atan2(u_eta, u_xi) and the
    latitude sigma from zeta. `limits`(psi) is the largest latitude [rad]; beyond it, by kappa = sigma -
    limits(psi), the moment law(kappa) u_r x n acts, n pointing inwards:

    surface: normal of the cone's surface at the limit (the paper's; not quite conservative where limits
    vary). gradient: from the potential U = integral of law(kappa), which is among the energies; the law needs
    an antiderivative. radial: along the meridian at the limit.

    law: moment [N m] of kappa > 0 [rad], any function of one input; default: 226 N m within 11.5 degrees, by
    a third-degree polynomial. damping [N m s]: adds -damping (w_body - w_reference). Turning about `axis` is
    not restricted.
    """

    reference: str = ""
    body: str = ""
    limits: Function = PeriodicCubicSpline((0.0, pi / 2, pi, 3 * pi / 2), (pi / 4,) * 4)
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    frame: Placement = Placement(angles=(0.0, pi / 2, 0.0))
    law: Function = CubicStep(226.0, radians(11.5))
    normal: str = "surface"
    damping: float = field(default=0.0, metadata={"dimension": "rotational_damping"})

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.reference, self.body)

    def polar(self, R: ca.SX) -> tuple[ca.SX, ca.SX]:
        """(longitude psi, latitude sigma) [rad] where R turns axes of `body` into those of `reference`."""
        x, y, z, rho = self._direction(R)
        return ca.atan2(y, x), ca.atan2(rho, z)

    def excess(self, R: ca.SX) -> ca.SX:
        """Kappa [rad], positive beyond the limit."""
        psi, sigma = self.polar(R)
        return sigma - self._limit(psi)[0]

    def act(self, situation: Situation) -> Action:
        R = situation.relative_pose(self.reference, self.body).R
        x, y, z, rho = self._direction(R)
        psi, sigma = self.polar(R)
        limit, slope = self._limit(psi)
        kappa = sigma - limit
        beyond = kappa > 0
        size = ca.if_else(beyond, self.law(kappa), 0)
        n = self._inward(x / rho, y / rho, rho, z, limit, slope)
        moment = ca.mtimes(self.frame.transform().R, size * cross(ca.vertcat(x, y, z), n))
        potential = ca.SX(1, 1)
        if self.normal == "gradient":
            stored, at_rest = self.law.antiderivative(kappa), self.law.antiderivative(ca.SX(0))
            assert stored is not None and at_rest is not None
            potential = ca.if_else(beyond, stored - at_rest, 0)
        if isinstance(self.damping, ca.SX) or self.damping:
            w = situation.relative_velocity(self.reference, self.body).angular
            moment = moment - self.damping * w
        return Action((Pair(self.reference, self.body, moment),), potential=potential)

    def _direction(self, R: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX, ca.SX]:
        """u_r in the cone's axes, and its distance from zeta.

        On zeta longitude and distance have no derivatives: there a point beside it is taken. It changes
        nothing, as no limit is that close.
        """
        direction = ca.mtimes(self.frame.transform().R.T, ca.mtimes(R, unit(self.axis)))
        x, y, z = direction[0], direction[1], direction[2]
        away = x * x + y * y > _POLE
        x, y = ca.if_else(away, x, _POLE**0.5), ca.if_else(away, y, 0.0)
        return x, y, z, ca.sqrt(x * x + y * y)

    def _limit(self, psi: ca.SX) -> tuple[ca.SX, ca.SX]:
        """(limits(psi), its derivative)."""
        symbol = ca.SX.sym("psi")
        value = ca.SX(self.limits(symbol))
        slope = ca.densify(ca.jacobian(value, symbol))
        value, slope = ca.substitute([value, slope], [symbol], [psi])
        return value, slope

    def _inward(self, c: ca.SX, s: ca.SX, rho: ca.SX, z: ca.SX, limit: ca.SX, slope: ca.SX) -> ca.SX:
        """The direction n in the cone's axes; c, s: cosine and sine of the longitude."""
        around = ca.vertcat(-s, c, 0)
        if self.normal == "gradient":
            return -ca.vertcat(z * c, z * s, -rho) + slope / rho * around
        cosine, sine = ca.cos(limit), ca.sin(limit)
        inward = -ca.vertcat(cosine * c, cosine * s, -sine)
        if self.normal == "radial":
            return inward
        return (sine * inward + slope * around) / ca.sqrt(sine * sine + slope * slope)

    def problems(self) -> list[str]:
        found = pair_problems(self.reference, self.body) + axis_problems("axis", self.axis)
        found += [f"frame: {problem}" for problem in self.frame.problems()]
        for label, function in (("limits", self.limits), ("law", self.law)):
            own = function.problems()
            found += [f"{label}: {problem}" for problem in own]
            if not own and function.inputs != 1:
                found.append(f"{label} must take one input, found {function.inputs}")
        found += choice_problems("normal", self.normal, NORMALS)
        if not found and self.normal == "gradient" and self.law.antiderivative(ca.SX.sym("kappa")) is None:
            kind = type(self.law).__name__
            found.append(f"law: a {kind} has no antiderivative, which 'gradient' needs; take a polynomial")
        if not found:
            found += self._limit_problems()
        return found + not_negative_problems("damping", self.damping)

    def _limit_problems(self) -> list[str]:
        """Limits must lie strictly between 0 and a half turn, and meet after a full one."""
        psi = ca.SX.sym("psi")
        value = ca.SX(self.limits(psi))
        if len(ca.symvar(ca.vertcat(value, psi))) > 1:
            return []  # promoted
        evaluate = ca.Function("limits", [psi], [ca.densify(value)])
        around = [-pi + 2 * pi * k / 360 for k in range(361)]
        values = [float(evaluate(angle)) for angle in around]  # type: ignore[arg-type]
        wrong = [(a, v) for a, v in zip(around, values, strict=True) if not 0 < v < pi]
        if wrong:
            angle, found = wrong[0]
            return [f"limits must lie between 0 and pi, found {found:.6g} rad at longitude {angle:.4g} rad"]
        if abs(values[0] - values[-1]) > 1e-9:
            return [f"limits differ at longitudes -pi ({values[0]:.6g} rad) and pi ({values[-1]:.6g} rad)"]
        return []
