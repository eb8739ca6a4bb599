"""Joint variables as functions of independent coordinates: v = J u and vdot = J udot + b [empirical, 3-3;
198].

Everything is an expression in the tree's own symbols (s, v) and in u; `positions` and `substituted` replace s
and v at the end, once. So the tree's algorithms stay as they are, and what a mechanism without dependent
variables costs does not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from condyle.constraints.base import Constraint
from condyle.couplings.base import Coupling
from condyle.couplings.linear import LinearSystem
from condyle.dynamics.constraints import ConstraintEquations, constraint_equations
from condyle.dynamics.linkage import Linkage
from condyle.mechanism.roles import Roles


@dataclass(frozen=True, eq=False)
class Embedding:
    """A linkage on symbols (s, v) with roles; `closures` close loops, by the scalar equations `rows` of
    them, as many as there are closing speeds, or more.
    """

    linkage: Linkage
    roles: Roles
    closures: tuple[Constraint, ...] = ()
    rows: tuple[int, ...] = ()
    sizes: tuple[float, ...] = ()  # usual lengths of these rows

    @cached_property
    def equations(self) -> ConstraintEquations:
        """Of the loops, on all speeds of the tree."""
        return constraint_equations(self.linkage, self.closures)

    @cached_property
    def _velocity(self) -> tuple[ca.SX, ca.SX]:
        """(J (nv x nu), b (nv))."""
        E, e = self.coupled(self.roles.couplings)
        roles = self.roles
        free, closing = list(roles.independent_speeds), list(roles.closing_speeds)
        if not closing:
            return ca.sparsify(E[:, free]), ca.sparsify(e)
        system, by_free = self._loops
        found = system.solve(ca.horzcat(-by_free, -self._loop_bias(e)))
        J = E[:, free] + ca.mtimes(E[:, closing], found[:, : len(free)])
        return ca.sparsify(J), ca.sparsify(e + ca.mtimes(E[:, closing], found[:, len(free)]))

    @property
    def J(self) -> ca.SX:
        """(nv x nu): v = J u."""
        return self._velocity[0]

    @property
    def bias(self) -> ca.SX:
        """(nv): vdot with udot = 0."""
        return self._velocity[1]

    @cached_property
    def _loops(self) -> tuple[LinearSystem, ca.SX]:
        """The loops' velocity equations on the speeds that close them, and their matrix on u."""
        E, _ = self.coupled(self.roles.couplings)
        A = ca.sparsify(ca.mtimes(self.equations.G[list(self.rows), :], E))
        by_free = A[:, list(self.roles.independent_speeds)]
        return LinearSystem(A[:, list(self.roles.closing_speeds)], by_free, self.sizes), by_free

    def _loop_bias(self, e: ca.SX) -> ca.SX:
        rows = list(self.rows)
        return self.equations.bias[rows] + ca.mtimes(self.equations.G[rows, :], e)

    def closing_multipliers(self, required: ca.SX) -> ca.SX:
        """Lambda of every loop equation (0 for redundant ones) that supplies -`required` (nv) at closing
        speeds.

        `required`: generalised forces that the tree would need without its loops, less what is applied.
        """
        E, _ = self.coupled(self.roles.couplings)
        system, _ = self._loops
        columns = E[:, list(self.roles.closing_speeds)]
        found = system.solve_transposed(-ca.mtimes(columns.T, required))
        multipliers = ca.SX.zeros(self.equations.residual.numel())
        for index, row in enumerate(self.rows):
            multipliers[row] = found[index]
        return multipliers

    @cached_property
    def regularity(self) -> ca.SX:
        """How far the independent set is from a pose where it determines no motion: 1 at best, 0 there."""
        found = self._loops[0].regularity if self.roles.closing else ca.SX(1)
        for coupling in self.roles.implicit:
            q, s = self.variables(coupling)
            q_, s_ = ca.SX.sym("q", q.numel()), ca.SX.sym("s", s.numel())
            g = coupling.residual(q_, s_)
            system = LinearSystem(ca.jacobian(g, s_), ca.jacobian(g, q_))
            found = ca.fmin(found, ca.substitute([system.regularity], [q_, s_], [q, s])[0])
        return found

    # Couplings

    def coupled(self, couplings: Sequence[Coupling]) -> tuple[ca.SX, ca.SX]:
        """v = E w, vdot = E wdot + e with w all speeds but the couplings' dependents (their columns
        vanish).
        """
        key = tuple(coupling.name for coupling in couplings)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._expanded(couplings)
        return found

    @cached_property
    def _memo(self) -> dict[tuple[str, ...], tuple[ca.SX, ca.SX]]:
        return {}

    def _expanded(self, couplings: Sequence[Coupling]) -> tuple[ca.SX, ca.SX]:
        count = len(self.linkage.tree.speeds)
        E, e = ca.SX.eye(count), ca.SX(count, 1)
        for coupling in couplings:
            for name in coupling.dependents:
                E[self.roles.speed_place[name], :] = 0
        E = ca.sparsify(E)
        for coupling in couplings:
            q, s = self.variables(coupling)
            q_, s_ = ca.SX.sym("q", q.numel()), ca.SX.sym("s", s.numel())
            rates = ca.SX.sym("rates", q.numel())
            slope, bend = coupling.derivative(q_, s_), coupling.curvature(q_, s_, rates)
            places = [self.roles.place[name] for name in coupling.independents]
            qdot = self.linkage.qdot()[places]
            slope, bend = ca.substitute([slope, bend], [q_, s_, rates], [q, s, ca.densify(qdot)])
            along = ca.jacobian(qdot, self.linkage.u)
            turning = ca.jtimes(qdot, self.linkage.q, self.linkage.qdot())
            rows = [self.roles.speed_place[name] for name in coupling.dependents]
            E[rows, :] = ca.mtimes(ca.sparsify(slope), ca.mtimes(along, E))
            e[rows] = ca.densify(bend + ca.mtimes(ca.sparsify(slope), turning + ca.mtimes(along, e)))
        return ca.sparsify(E), ca.sparsify(e)

    def positions(self, q: ca.SX, z: ca.SX) -> ca.SX:
        """All joint variables (ns) from the independent ones and those that are solved for."""
        s: list[ca.SX] = [ca.SX(1, 1)] * len(self.linkage.tree.coordinates)
        for places, values in ((self.roles.independent, q), (self.roles.unknown, z)):
            for k, place in enumerate(places):
                s[place] = values[k]
        place = self.roles.place
        for coupling in self.roles.couplings:
            if coupling.is_explicit:
                values = coupling.solved(ca.vertcat(*[s[place[name]] for name in coupling.independents]))
                for k, name in enumerate(coupling.dependents):
                    s[place[name]] = values[k]
        return ca.densify(ca.vertcat(*s)) if s else ca.SX(0, 1)

    def variables(self, coupling: Coupling) -> tuple[ca.SX, ca.SX]:
        """(q, s) of a coupling, in the tree's symbols."""
        place, s = self.roles.place, self.linkage.q
        return (
            ca.vertcat(*[s[place[name]] for name in coupling.independents]),
            ca.vertcat(*[s[place[name]] for name in coupling.dependents]),
        )
