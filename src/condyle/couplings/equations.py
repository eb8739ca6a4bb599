"""Joint variables that solve g(q, s) = 0: what all ways to differentiate them share [empirical, 100]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from condyle.couplings.along import second_derivative_along
from condyle.couplings.base import Coupling
from condyle.couplings.explicit import smoothness_problems
from condyle.couplings.roots import newton_step, solved_numbers
from condyle.functions import Function


@dataclass(frozen=True)
class Equations(Coupling):
    """`dependent`... solve as many `equations`, each a function of (`independent`..., `dependent`...).

    Of several solutions, a mechanism takes the one that is continuously connected to its default pose.
    `near`: where Newton's method starts when the coupling is asked by itself; () stands for zeros.
    """

    dependent: tuple[str, ...] = ()
    independent: tuple[str, ...] = ()
    equations: tuple[Function, ...] = ()
    near: tuple[float, ...] = ()

    @property
    def dependents(self) -> tuple[str, ...]:
        return self.dependent

    @property
    def independents(self) -> tuple[str, ...]:
        return self.independent

    @property
    def is_explicit(self) -> bool:
        return False

    def residual(self, q: ca.SX, s: ca.SX) -> ca.SX:
        arguments = ca.vertsplit(ca.vertcat(q, s))
        return ca.vertcat(*[equation(*arguments) for equation in self.equations])

    def bend(self, q: ca.SX, s: ca.SX, rates: ca.SX, slope: ca.SX) -> ca.SX:
        """(n): S_a' Hess(g) S_b along `rates`, S = [I; slope]; with gddot = 0 it is -(dg/ds) sddot."""
        x = ca.vertcat(q, s)
        direction = ca.SX.sym("direction", x.numel())
        bend = second_derivative_along(self.residual(q, s), x, direction)
        along = ca.vertcat(rates, ca.mtimes(slope, rates))
        return ca.substitute([bend], [direction], [ca.densify(along)])[0]

    def settled(self, q: np.ndarray, guess: Any) -> np.ndarray:
        start = np.array(self.near or (0.0,) * len(self.dependent)) if guess is None else guess
        return solved_numbers(self, self._newton_step, q, start)

    @cached_property
    def _newton_step(self) -> ca.Function:
        return newton_step(self)

    def problems(self) -> list[str]:
        found = [f"equations[{k}]: {text}" for k, f in enumerate(self.equations) for text in f.problems()]
        if not found:
            count, inputs = len(self.dependent), len(self.independent) + len(self.dependent)
            if len(self.equations) != count:
                found.append(f"{len(self.equations)} equations for {count} dependent joint variables")
            for k, f in enumerate(self.equations):
                if f.inputs != inputs:
                    listed = ", ".join((*self.independent, *self.dependent))
                    found.append(f"equations[{k}] takes {f.inputs} inputs; {inputs} are needed: {listed}")
                found += [f"equations[{k}]: {text}" for text in smoothness_problems(f)]
        if not found and self.near and len(self.near) != len(self.dependent):
            found.append(f"near has {len(self.near)} numbers for {len(self.dependent)} dependents")
        found = super().problems() + found
        if not found:
            found += self._structural_problems()
        return found

    def _structural_problems(self) -> list[str]:
        """Dependents that no choice of one equation each can determine."""
        q, s = ca.SX.sym("q", len(self.independent)), ca.SX.sym("s", len(self.dependent))
        pattern = ca.jacobian(self.residual(q, s), s).sparsity()
        if ca.sprank(ca.DM(pattern, 1)) == len(self.dependent):
            return []
        absent = [name for k, name in enumerate(self.dependent) if not pattern.get_crs()[1].count(k)]
        if absent:
            return [f"no equation contains {name!r}" for name in absent]
        return [f"the equations do not determine {', '.join(map(repr, self.dependent))}: some say the same"]
