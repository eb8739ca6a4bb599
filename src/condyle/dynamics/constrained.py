"""Forward dynamics with constraints: M udot + G' lambda = tau - bias, G udot = -gamma; and projections on
both levels.
"""

from __future__ import annotations

from functools import cached_property

import casadi as ca

from condyle.constraints.base import Constraint
from condyle.dynamics.centered import Centered, centered
from condyle.dynamics.constraint_loads import load_wrenches
from condyle.dynamics.constraints import constraint_equations
from condyle.dynamics.crba import crba
from condyle.dynamics.kinematics import Kinematics
from condyle.dynamics.linkage import Linkage
from condyle.dynamics.rnea import rnea
from condyle.dynamics.saddle import SaddleFactor, factor_saddle
from condyle.dynamics.stabilisation import Projection, Stabilisation
from condyle.dynamics.stages import augmentation, elimination_stages


class ConstrainedSystem:
    """A linkage with constraints; `independent` lists the scalar equations that are solved for (all, by
    default).

    `sizes`: length that each equation's row of G usually has, by which a pivot is judged small.
    """

    def __init__(
        self,
        linkage: Linkage,
        constraints: tuple[Constraint, ...],
        independent: tuple[int, ...] | None = None,
        sizes: tuple[float, ...] = (),
    ) -> None:
        self.linkage = linkage
        self.equations = constraint_equations(linkage, constraints)
        count = self.equations.residual.numel()
        self.independent = tuple(range(count)) if independent is None else independent
        self.count = count
        self.sizes = tuple(sizes[i] for i in self.independent) if sizes else ()
        locked = set(linkage.tree.locked_speeds)
        self.free = [k for k in range(len(linkage.tree.speeds)) if k not in locked]

    @cached_property
    def G(self) -> ca.SX:
        """Velocity matrix of the equations that are solved for, on the free speeds."""
        return self.equations.G[list(self.independent), self.free]

    @cached_property
    def centered(self) -> Centered:
        """In the speeds of which the system is solved."""
        return centered(self.linkage)

    @cached_property
    def factor(self) -> SaddleFactor:
        M = crba(self.centered.linkage)[self.free, self.free]
        G = ca.sparsify(ca.mtimes(self.G, self.centered.T[self.free, self.free]))
        for row, weight in self.weights.items():
            g = G[self.independent.index(row), :]
            M = M + weight * ca.mtimes(g.T, g)
        stages = elimination_stages(self.linkage.tree, self.equations, self.free, self.independent)
        return factor_saddle(ca.sparsify(M), G, self.sizes, stages)

    @cached_property
    def weights(self) -> dict[int, ca.SX]:
        """By which equations stand in for inertia, see `augmentation`."""
        return augmentation(self.linkage.tree, self.equations, self.independent)

    def _solve(self, top: ca.SX | None, bottom: ca.SX) -> tuple[ca.SX, ca.SX]:
        """(centered speeds (nu), multipliers of all equations (m; 0 for those left out)) of the saddle
        system.
        """
        top = ca.SX(len(self.free), 1) if top is None else top
        if self.weights:
            G = ca.mtimes(self.G, self.centered.T[self.free, self.free])
            for row, weight in self.weights.items():
                top = top + weight * G[self.independent.index(row), :].T * bottom[row]
        rows = [top[k] for k in range(len(self.free))]
        rows += [bottom[i] for i in self.independent]
        solution = self.factor.solve(rows)
        speeds, multipliers = ca.SX(len(self.linkage.tree.speeds), 1), ca.SX.zeros(self.count)
        for k, value in zip(self.free, solution, strict=False):
            speeds[k] = value
        for i, value in zip(self.independent, solution[len(self.free) :], strict=True):
            multipliers[i] = value
        return speeds, multipliers

    def forward(
        self,
        tau: ca.SX,
        applied: dict[int, tuple[ca.SX, ca.SX]] | None = None,
        stabilisation: Stabilisation = Projection(),
    ) -> tuple[ca.SX, ca.SX]:
        """(udot (nu), lambda (m))."""
        center, nothing = self.centered, ca.SX(len(self.linkage.tree.speeds), 1)
        bias = rnea(center.linkage, nothing, center.applied(applied or {})).tau
        top = ca.mtimes(center.T.T, tau) - bias
        bottom = ca.mtimes(self.equations.G, center.shift) + self.equations.wanted(
            self.linkage.u, stabilisation
        )
        udot, multipliers = self._solve(top[self.free], bottom)
        return ca.mtimes(center.T, udot) - center.shift, multipliers

    def position_step(self) -> ca.SX:
        """Change of q (nq) that removes the residual to first order, smallest in the kinetic metric."""
        step, _ = self._solve(None, -self.equations.residual)
        return self.linkage.qdot_along(ca.mtimes(self.centered.T, step))

    def velocity_step(self) -> ca.SX:
        """Change of u (nu) after which G u = 0, smallest in the kinetic metric."""
        step, _ = self._solve(None, -ca.mtimes(self.equations.G, self.linkage.u))
        return ca.mtimes(self.centered.T, step)

    def wrenches(self, multipliers: ca.SX) -> dict[int, tuple[ca.SX, ca.SX]]:
        """What the constraints apply to each link (moment about its origin, force) in link axes."""
        return load_wrenches(self.linkage, self.equations.loads, multipliers)


def constraint_residual(kinematics: Kinematics, constraints: tuple[Constraint, ...]) -> ca.SX:
    """g (m) alone, of poses in ground."""
    values = [ca.densify(constraint.residual(kinematics)) for constraint in constraints]
    return ca.vertcat(*values) if values else ca.SX(0, 1)
