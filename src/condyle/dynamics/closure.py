"""Joint variables that are solved for: residuals, and one Newton step towards an assembled pose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from condyle.couplings.linear import LinearSystem
from condyle.dynamics.embedding import Embedding

# What is left of equations in units of their rows, over the step; what may be left anyway; rad or m.
_STUCK, _ROUND_OFF, _LEAP = 100.0, 1e-8, 1e3


@dataclass(frozen=True, eq=False)
class Closure:
    """Equations of implicit couplings, then of loops, in the unknown joint variables z, at given q."""

    embedding: Embedding

    @property
    def _rows(self) -> list[int]:
        return list(self.embedding.rows)

    @cached_property
    def residual(self) -> ca.SX:
        """In the tree's symbols; only the independent equations."""
        parts = []
        for coupling in self.embedding.roles.implicit:
            parts.append(coupling.residual(*self.embedding.variables(coupling)))
        if self._rows:
            parts.append(self.embedding.equations.residual[self._rows])
        return ca.densify(ca.vertcat(*parts)) if parts else ca.SX(0, 1)

    @cached_property
    def _matrix(self) -> tuple[ca.SX, ca.SX]:
        """(A, E): rate of the residual = A w, with v = E w; only explicit couplings are expanded."""
        embedding, roles = self.embedding, self.embedding.roles
        linkage = embedding.linkage
        E, _ = embedding.coupled([item for item in roles.couplings if item.is_explicit])
        rows = []
        for coupling in roles.implicit:
            q, s = embedding.variables(coupling)
            q_, s_ = ca.SX.sym("q", q.numel()), ca.SX.sym("s", s.numel())
            g = coupling.residual(q_, s_)
            g_q, g_s = ca.substitute([ca.jacobian(g, q_), ca.jacobian(g, s_)], [q_, s_], [q, s])
            along = ca.jacobian(
                linkage.qdot()[[roles.place[name] for name in coupling.independents]], linkage.u
            )
            own = [roles.speed_place[name] for name in coupling.dependents]
            rows.append(ca.mtimes(g_q, ca.mtimes(along, E)) + ca.mtimes(g_s, E[own, :]))
        if self._rows:
            rows.append(ca.mtimes(embedding.equations.G[self._rows, :], E))
        return ca.sparsify(ca.vertcat(*rows)), E

    @property
    def expansion(self) -> ca.SX:
        """E: v = E w, with w all speeds but those of explicit couplings' dependents."""
        return self._matrix[1]

    @cached_property
    def system(self) -> LinearSystem:
        """The matrix of the unknown speeds."""
        roles, A = self.embedding.roles, self._matrix[0]
        closing, free = A[:, list(roles.unknown_speeds)], A[:, list(roles.independent_speeds)]
        sizes = self.embedding.sizes and (1.0,) * (A.shape[0] - len(self._rows)) + self.embedding.sizes
        return LinearSystem(closing, free, sizes)

    @property
    def square_residual(self) -> ca.SX:
        """As many equations as unknown speeds."""
        if self.system.normal is None:
            return self.residual
        return ca.densify(ca.mtimes(self.system.scaled.T, ca.mtimes(self.system.scaling, self.residual)))

    def step(self, z: ca.SX) -> ca.SX:
        """Newton step of the unknown joint variables (nz) from `z`, in the tree's symbols."""
        roles = self.embedding.roles
        du = self.system.solve(-self.residual)
        moved = ca.mtimes(self.expansion[:, list(roles.unknown_speeds)], du)
        step = ca.densify(self.embedding.linkage.qdot_along(moved)[list(roles.unknown)])
        if self.system.normal is not None:
            step = step + self._stray(step)
        if set(roles.tree.unit_groups).isdisjoint(roles.unknown):
            return step
        return self.normalised(z + step) - z

    def _stray(self, step: ca.SX) -> ca.SX:
        """A leap, where least squares would come to rest although the loops are open: then there is no
        solution near.

        Of equations that can be met, what is left is of the size of the step.
        """
        scaled = ca.mtimes(self.system.scaling, self.residual)
        left, moved = (ca.sqrt(ca.sumsqr(ca.densify(vector))) for vector in (scaled, step))
        return ca.if_else(left > _STUCK * moved + _ROUND_OFF, _LEAP, 0.0)

    def matrix(self) -> ca.SX:
        """Velocity matrix of all equations, redundant loop equations too, on all speeds of the tree."""
        _, E = self._matrix
        return ca.mtimes(self.embedding.equations.G, E)

    def normalised(self, z: ca.SX) -> ca.SX:
        """Z with its Euler parameters scaled to unit length."""
        roles = self.embedding.roles
        values = ca.vertsplit(z) if z.numel() else []
        for start in roles.tree.unit_groups:
            if start in roles.unknown:
                at = roles.unknown.index(start)
                length = ca.norm_2(ca.vertcat(*values[at : at + 4]))
                values[at : at + 4] = [value / length for value in values[at : at + 4]]
        return ca.vertcat(*values) if values else ca.SX(0, 1)
