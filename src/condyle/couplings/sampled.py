"""Joint variables as functions that were fitted to solutions: the paper's pre-modelling [empirical, 3-3]."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import final

import casadi as ca

from condyle.couplings.along import second_derivative_along
from condyle.couplings.base import Coupling
from condyle.couplings.explicit import smoothness_problems
from condyle.functions import Function


@final
@dataclass(frozen=True)
class Sampled(Coupling):
    """`dependent`[i] = functions[i](`independent`...), in the units of the coordinates (rad, m).

    `sample` makes it from another coupling: it sweeps the independents, solves, fits, and measures how far
    the fit is from the original. `errors`[i] are the largest differences that it found of the value, of a
    first and of a second derivative.
    """

    dependent: tuple[str, ...] = ()
    independent: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()
    errors: tuple[tuple[float, float, float], ...] = ()

    @property
    def dependents(self) -> tuple[str, ...]:
        return self.dependent

    @property
    def independents(self) -> tuple[str, ...]:
        return self.independent

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        """What all functions cover; beyond it none of them is a fit of anything."""
        limits = [function.domain for function in self.functions if function.domain is not None]
        if not limits:
            return None
        pairs = list(zip(*limits, strict=True))
        return tuple((max(low for low, _ in pair), min(high for _, high in pair)) for pair in pairs)

    def solved(self, q: ca.SX) -> ca.SX:
        inputs = ca.vertsplit(q)
        return ca.vertcat(*[function(*inputs) for function in self.functions])

    def residual(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return s - self.solved(q)

    def derivative(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return ca.jacobian(self.solved(q), q)

    def curvature(self, q: ca.SX, s: ca.SX, rates: ca.SX) -> ca.SX:
        return second_derivative_along(self.solved(q), q, rates)

    def problems(self) -> list[str]:
        found = super().problems()
        if len(self.functions) != len(self.dependent):
            found.append(f"{len(self.functions)} functions for {len(self.dependent)} dependents")
        if len(self.errors) not in (0, len(self.dependent)):
            found.append(f"errors has {len(self.errors)} entries, {len(self.dependent)} dependents")
        count = len(self.independent)
        for k, function in enumerate(self.functions):
            where = f"functions[{k}]"
            own = [f"{where}: {text}" for text in function.problems()]
            if not own and function.inputs != count:
                own.append(f"{where} takes {function.inputs} inputs; {count} are named")
            found += own or [f"{where}: {text}" for text in smoothness_problems(function)]
        if not found and any(low >= high for low, high in self.domain or ((-inf, inf),)):
            found.append("the functions' ranges have nothing in common")
        return found
