"""A mechanism whose constraints and drivers together determine its motion: positions, velocities,
accelerations [000-1 to 3] and the multipliers of inverse dynamics [000-4, 5].

Bodies that stand free on ground are taken relative to the body that they are tied to (`mechanism.rehung`).
That changes the columns of the constraint matrix D only, D v = D T w: the least-squares solution and the
multipliers of least norm stay what they are, and the matrix falls apart into small blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.drivers.base import Driver
from condyle.dynamics.constraints import ConstraintEquations, Targets, constraint_equations
from condyle.dynamics.forces import AppliedForces
from condyle.dynamics.kinematics import Kinematics
from condyle.dynamics.linkage import Linkage, euler_parameters_along, linkage
from condyle.dynamics.orthogonal import OrthogonalFactor, factor_orthogonal
from condyle.dynamics.rnea import rnea
from condyle.dynamics.wrenches import applied_wrenches
from condyle.mechanism.rehung import Rehung, rehang
from condyle.mechanism.tree import Link
from condyle.spatial import relative_euler_parameters
from condyle.spatial.vectors import cross


@dataclass(frozen=True)
class Driven:
    """A driver with symbols for its targets: rows like those of a constraint."""

    driver: Driver
    values: ca.SX

    @property
    def name(self) -> str:
        return self.driver.name

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.driver.bodies

    def residual(self, configuration: Configuration) -> ca.SX:
        return self.driver.residual(configuration, self.values)


@dataclass(frozen=True)
class Motion:
    """Speeds and accelerations (nu), in the speeds of the mechanism."""

    u: ca.SX
    udot: ca.SX


class DrivenSystem:
    """Rows of the constraints, then of the drivers, on a linkage that must be built on symbols q.

    `weights`: one per row, where the rows are more than the speeds; None: all alike.
    """

    def __init__(
        self,
        whole: Linkage,
        constraints: Sequence[Constraint],
        drivers: Sequence[Driver],
        targets: Targets,
        weights: Sequence[float] | None = None,
    ) -> None:
        self.whole, self.targets = whole, targets
        self.forces = whole.tree.model.forces
        self.rehung: Rehung = rehang(whole.tree, constraints, drivers, self.forces)
        tree = self.rehung.tree
        # Residuals and joints are differentiated, so they need symbols; the values come in at the end.
        self.q = ca.SX.sym("q_relative", len(tree.coordinates))
        self.u = ca.SX.sym("u_relative", len(tree.speeds))
        self.linkage = linkage(tree, self.q, self.u)
        self.rows = [*constraints, *driven(drivers, targets)]
        self.weights = None if weights is None else tuple(weights)

    @cached_property
    def equations(self) -> ConstraintEquations:
        return constraint_equations(self.linkage, self.rows, self.targets)

    @cached_property
    def order(self) -> list[int]:
        """Columns of the speeds that are not locked, leaves first; a joint's translation before its rotation.

        So the rows that hold a joint together are used up first, at no cost: their coefficients are constant.
        """
        columns = []
        for link in reversed(self.rehung.tree.links):
            own = [link.u.start + k for k in link.free]
            columns += own[3:] + own[:3] if len(own) == 6 else own
        return columns

    @cached_property
    def factor(self) -> OrthogonalFactor:
        free = sorted(self.order)
        places = {column: place for place, column in enumerate(free)}
        return factor_orthogonal(
            self.equations.G[:, free], [places[column] for column in self.order], self.weights
        )

    @cached_property
    def regularity(self) -> ca.SX:
        """Smallest over largest pivot of D, weights taken out: about one over its condition; 0: singular."""
        spread = 1.0 if self.weights is None else max(self.weights) / min(self.weights)
        return ca.fmin(1.0, spread * self.factor.smallest / self.factor.largest)

    def position_step(self) -> tuple[ca.SX, ca.SX]:
        """(change of the integral of the mechanism's speeds (nu), largest |Phi|): one Newton step."""
        step = self._spread(self.factor.least_squares(-self.equations.residual))
        return self._given(self._absolute(step)), self._given(largest(self.equations.residual))

    def motion(self) -> Motion:
        """Velocities D v = nu, accelerations D vdot = gamma, from one factor."""
        found = self.equations
        speeds = self._spread(self.factor.least_squares(-found.drift))
        (bias,) = ca.substitute([ca.densify(found.bias)], [self.u], [ca.densify(speeds)])
        udot = self._spread(self.factor.least_squares(-bias))
        return Motion(self._given(self._absolute(speeds)), self._given(self._absolute(speeds, udot)))

    def multipliers(self, udot: ca.SX, bodies: tuple[str, ...] = (), wrenches: ca.SX | None = None) -> ca.SX:
        """lambda (m) with M vdot + D' lambda = g [000-4] at (q, u, udot) of the mechanism.

        Where that leaves a choice, the one of least sum of (lambda / weight)^2.

        wrenches (6 per body): (moment about the body's origin, force) in ground axes.
        """
        return self._given(self.factor.smallest_solution(self.required(udot, bodies, wrenches)))

    def required(self, udot: ca.SX, bodies: tuple[str, ...] = (), wrenches: ca.SX | None = None) -> ca.SX:
        """g - M vdot for the relative speeds that are not locked: what D' lambda has to be."""
        u, accelerations = self._relative_motion(udot)
        symbol = ca.SX.sym("udot_relative", self.u.numel())
        tau = -required_forces(self.linkage, symbol, bodies, wrenches)
        (tau,) = ca.substitute(
            [ca.densify(tau)], [ca.vertcat(self.u, symbol)], [ca.densify(ca.vertcat(u, accelerations))]
        )
        return -tau[sorted(self.order)]

    # Between relative speeds and the mechanism's own

    def _spread(self, values: ca.SX) -> ca.SX:
        """Of the free columns to all relative speeds, 0 for locked ones."""
        free = sorted(self.order)
        found = ca.SX.zeros(len(self.rehung.tree.speeds))
        for place, column in enumerate(free):
            found[column] = values[place]
        return found

    def _absolute(self, u: ca.SX, udot: ca.SX | None = None) -> ca.SX:
        """The mechanism's speeds (or accelerations, where `udot` is given) from relative ones."""
        moving = Kinematics(_with_bias(self.linkage, self.u, u))
        values = u if udot is None else udot
        spatial = moving.spatial_accelerations(udot) if udot is not None else None
        found = ca.SX.zeros(len(self.whole.tree.speeds))
        for link, own in self._pairs():
            if link.index in self.rehung.moved:
                motion = moving.spatial_velocity(link.body.name) if spatial is None else spatial[link.index]
                found[own.u] = ca.densify(motion)
            else:
                found[own.u] = values[link.u]
        return found

    def _relative_motion(self, udot: ca.SX) -> tuple[ca.SX, ca.SX]:
        """Relative (speeds, accelerations) from the mechanism's own u, and udot."""
        kinematics, tree = Kinematics(self.whole), self.whole.tree
        accelerations = kinematics.spatial_accelerations(udot)
        u_found, udot_found = ca.SX.zeros(self.u.numel()), ca.SX.zeros(self.u.numel())
        for link, own in self._pairs():
            if link.index not in self.rehung.moved:
                u_found[link.u], udot_found[link.u] = self.whole.u[own.u], udot[own.u]
                continue
            parent = self.rehung.tree.links[link.parent].body.name
            body = link.body.name
            X, X_P = kinematics.pose(body), kinematics.pose(parent)
            V, V_P = kinematics.spatial_velocity(body), kinematics.spatial_velocity(parent)
            A, A_P = accelerations[own.index], accelerations[tree.link_of(parent)]
            d, w_P = X.p - X_P.p, V_P[:3]
            w = V[:3] - w_P
            v = V[3:] - V_P[3:] - cross(w_P, d)
            alpha = A[:3] - A_P[:3] - cross(w_P, w)
            a = A[3:] - A_P[3:] - cross(A_P[:3], d) - cross(w_P, cross(w_P, d) + 2 * v)
            u_found[link.u] = ca.vertcat(*[ca.mtimes(X_P.R.T, x) for x in (w, v)])
            udot_found[link.u] = ca.vertcat(*[ca.mtimes(X_P.R.T, x) for x in (alpha, a)])
        return u_found, udot_found

    @cached_property
    def coordinates(self) -> ca.SX:
        """Relative coordinates as functions of the mechanism's own."""
        kinematics, tree = Kinematics(self.whole), self.whole.tree
        found = ca.SX.zeros(self.q.numel())
        for link, own in self._pairs():
            if link.index not in self.rehung.moved:
                found[link.q] = self.whole.q[own.q]
                continue
            parent = self.rehung.tree.links[link.parent].body.name
            index = tree.link_of(parent)
            p_P = euler_parameters_along(self.whole, tree.path(index), index)
            X_P, position = kinematics.pose(parent), self.whole.q[own.q][4:]
            found[link.q] = ca.vertcat(
                relative_euler_parameters(p_P, self.whole.q[own.q][:4]),
                ca.mtimes(X_P.R.T, position - X_P.p),
            )
        return ca.densify(found)

    def _pairs(self) -> list[tuple[Link, Link]]:
        """(link of the rehung tree, the same one of the mechanism)."""
        links = self.whole.tree.links
        return [(link, links[self.rehung.original[link.index]]) for link in self.rehung.tree.links]

    def _given(self, value: ca.SX) -> ca.SX:
        """The expression in the mechanism's own coordinates."""
        return ca.substitute([ca.densify(value)], [self.q], [self.coordinates])[0]

    def given(self, *values: ca.SX) -> list[ca.SX]:
        """Several expressions in the mechanism's own coordinates."""
        return ca.substitute([ca.densify(value) for value in values], [self.q], [self.coordinates])


def driven(drivers: Sequence[Driver], targets: Targets) -> list[Driven]:
    """Each driver with its share of the symbols."""
    found, start = [], 0
    for driver in drivers:
        count = len(driver.targets)
        found.append(Driven(driver, targets.values[start : start + count]))
        start += count
    return found


def symbols_of_targets(drivers: Sequence[Driver]) -> Targets:
    """Fresh symbols for values, rates and accelerations of all targets."""
    count = sum(len(driver.targets) for driver in drivers)
    names = ("targets", "target_rates", "target_accelerations")
    return Targets(*[ca.SX.sym(name, count) for name in names])


def required_forces(
    at: Linkage, udot: ca.SX, bodies: tuple[str, ...] = (), wrenches: ca.SX | None = None
) -> ca.SX:
    """g - M udot (nu) of a linkage: applied wrenches, gravity, force elements and inertia."""
    applied = applied_wrenches(Kinematics(at), bodies, wrenches) if wrenches is not None else {}
    tau = rnea(at, udot, applied).tau
    forces = at.tree.model.forces
    return AppliedForces(at, forces).generalised - tau if forces else -tau


def largest(values: ca.SX) -> ca.SX:
    """Largest absolute entry."""
    found = ca.SX(0)
    for entry in ca.vertsplit(ca.densify(values)):
        found = ca.fmax(found, ca.fabs(entry))
    return found


def _with_bias(given: Linkage, symbols: ca.SX, u: ca.SX) -> Linkage:
    """The linkage at other speeds: what its joints' bias accelerations are there, too."""
    articulations = []
    for a in given.articulations:
        bias = a.bias
        if bias.nnz():
            (bias,) = ca.substitute([bias], [symbols], [ca.densify(u)])
        articulations.append(replace(a, bias=bias))
    return replace(given, u=u, articulations=tuple(articulations))
