"""Dynamics of a tree whose joint variables depend on independent coordinates, projected on these.

M = J' M_tree J, bias = J' (h_tree + M_tree b) [empirical, eq. 198 in the form of section 3-4]: the tree's own
recursions on (s, v), then J. Constraints on top, if there are any, act on the independent speeds as well.
"""

from __future__ import annotations

from functools import cached_property

import casadi as ca

from condyle.constraints.base import Constraint
from condyle.dynamics.constraint_loads import load_wrenches
from condyle.dynamics.constraints import ConstraintEquations, constraint_equations
from condyle.dynamics.crba import crba
from condyle.dynamics.embedding import Embedding
from condyle.dynamics.rnea import rnea
from condyle.dynamics.saddle import SaddleFactor, factor_saddle
from condyle.dynamics.stabilisation import Projection, Stabilisation
from condyle.dynamics.symmetric import symmetrized

Wrenches = dict[int, tuple[ca.SX, ca.SX]]


class EmbeddedSystem:
    """An embedding with constraints that stay; `independent`, `sizes` as for a ConstrainedSystem."""

    def __init__(
        self,
        embedding: Embedding,
        u: ca.SX,
        constraints: tuple[Constraint, ...] = (),
        independent: tuple[int, ...] | None = None,
        sizes: tuple[float, ...] = (),
    ) -> None:
        self.embedding, self.linkage, self.u = embedding, embedding.linkage, u
        self.tree_equations = constraint_equations(self.linkage, constraints)
        self.count = self.tree_equations.residual.numel()
        self.independent = tuple(range(self.count)) if independent is None else independent
        self.sizes = tuple(sizes[i] for i in self.independent) if sizes else ()
        locked = set(embedding.roles.locked_speeds)
        self.free = [k for k in range(u.numel()) if k not in locked]

    @cached_property
    def mass_matrix(self) -> ca.SX:
        """(nu x nu)."""
        J = self.embedding.J
        product = ca.mtimes(J.T, ca.mtimes(crba(self.linkage), J))
        return symmetrized(ca.triu(product))

    def inverse(self, udot: ca.SX, applied: Wrenches | None = None) -> ca.SX:
        """Tau (nu) that gives udot."""
        return ca.mtimes(self.embedding.J.T, rnea(self.linkage, self.tree_udot(udot), applied).tau)

    def tree_udot(self, udot: ca.SX) -> ca.SX:
        """(nv)."""
        return ca.densify(ca.mtimes(self.embedding.J, udot) + self.embedding.bias)

    @cached_property
    def equations(self) -> ConstraintEquations:
        """Of the constraints that stay, on the independent speeds."""
        found, J = self.tree_equations, self.embedding.J
        bias = found.bias + ca.mtimes(found.G, self.embedding.bias)
        G = ca.sparsify(ca.mtimes(found.G, J))
        return ConstraintEquations(found.residual, G, bias, found.loads, found.drift)

    @cached_property
    def factor(self) -> SaddleFactor:
        M = self.mass_matrix[self.free, self.free]
        return factor_saddle(M, self.equations.G[list(self.independent), self.free], self.sizes)

    def _solve(self, top: ca.SX | None, bottom: ca.SX) -> tuple[ca.SX, ca.SX]:
        rows = [top[k] for k in self.free] if top is not None else [ca.SX(0)] * len(self.free)
        rows += [bottom[i] for i in self.independent]
        solution = self.factor.solve(rows)
        speeds, multipliers = ca.SX(self.u.numel(), 1), ca.SX.zeros(self.count)
        for k, value in zip(self.free, solution, strict=False):
            speeds[k] = value
        for i, value in zip(self.independent, solution[len(self.free) :], strict=True):
            multipliers[i] = value
        return speeds, multipliers

    def forward(
        self, tau: ca.SX, applied: Wrenches | None = None, stabilisation: Stabilisation = Projection()
    ) -> tuple[ca.SX, ca.SX]:
        """(udot (nu), lambda (m))."""
        top = tau - self.inverse(ca.SX(self.u.numel(), 1), applied)
        return self._solve(top, self.equations.wanted(self.u, stabilisation))

    def position_step(self) -> ca.SX:
        """Change of q (nq) that removes the constraints' residual to first order."""
        return self.position_change()[list(self.embedding.roles.independent)]

    def position_change(self) -> ca.SX:
        """Change of all joint variables (ns) that goes with it."""
        step, _ = self._solve(None, -self.equations.residual)
        return self.linkage.qdot_along(ca.mtimes(self.embedding.J, step))

    def velocity_step(self) -> ca.SX:
        """Change of u (nu) after which G u = 0."""
        step, _ = self._solve(None, -ca.mtimes(self.equations.G, self.u))
        return step

    def transmitted(
        self,
        udot: ca.SX,
        applied: Wrenches,
        loads: Wrenches,
        generalised: ca.SX | None,
        multipliers: ca.SX | None = None,
    ) -> tuple[tuple[ca.SX, ca.SX], ...]:
        """Wrench of the parent on every link, as `rnea` states it, with what loops and constraints apply.

        `loads` are `applied` with the wrenches of force elements, `generalised` (nv) what the same elements
        add to tau. What a coupling needs acts in the joint of its dependent variable, as a motor would.
        """
        applied, loads = dict(applied), dict(loads)
        if multipliers is not None:
            of_constraints = load_wrenches(self.linkage, self.tree_equations.loads, multipliers)
            _add(applied, of_constraints)
            _add(loads, of_constraints)
        vdot = self.tree_udot(udot)
        if self.embedding.roles.closing:
            required = rnea(self.linkage, vdot, applied).tau
            required = required if generalised is None else required - generalised
            of_loops = self.embedding.closing_multipliers(required)
            _add(loads, load_wrenches(self.linkage, self.embedding.equations.loads, of_loops))
        return rnea(self.linkage, vdot, loads).wrenches


def _add(loads: Wrenches, more: Wrenches) -> None:
    for index, (moment, force) in more.items():
        before = loads.get(index, (ca.SX(3, 1), ca.SX(3, 1)))
        loads[index] = (moment + before[0], force + before[1])
