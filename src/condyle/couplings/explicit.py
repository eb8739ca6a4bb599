"""One joint variable as a given function of others: a rhythm, a coupler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.couplings.along import second_derivative_along
from condyle.couplings.base import Coupling
from condyle.functions import Expression, Function, Linear


@final
@dataclass(frozen=True)
class Explicit(Coupling):
    """`dependent` = function(`independent`...), in the units of the coordinates (rad, m).

    Any function of this package will do, of any number of inputs; `functions.Expression` holds any CasADi
    expression. It must be twice continuously differentiable.
    """

    dependent: str = ""
    independent: tuple[str, ...] = ()
    function: Function = Linear()

    @property
    def dependents(self) -> tuple[str, ...]:
        return (self.dependent,) if self.dependent else ()

    @property
    def independents(self) -> tuple[str, ...]:
        return self.independent

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        return self.function.domain

    def solved(self, q: ca.SX) -> ca.SX:
        return self.function(*ca.vertsplit(q))

    def residual(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return s - self.solved(q)

    def derivative(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return ca.jacobian(self.solved(q), q)

    def curvature(self, q: ca.SX, s: ca.SX, rates: ca.SX) -> ca.SX:
        return second_derivative_along(self.solved(q), q, rates)

    def problems(self) -> list[str]:
        found = [f"function: {text}" for text in self.function.problems()]
        if not found and self.function.inputs != len(self.independent):
            found.append(f"function takes {self.function.inputs} inputs; {len(self.independent)} are named")
        if not found:
            found += smoothness_problems(self.function)
        return super().problems() + found


def smoothness_problems(function: Function) -> list[str]:
    """Accelerations need two continuous derivatives."""
    if function.continuity >= 2:
        return []
    kind = type(function).__name__
    if isinstance(function, Expression):
        used = ", ".join(function.kinks)
        return [
            f"function Expression uses {used}: its slope may jump, but 2 continuous derivatives are needed; "
            "take a smooth form, or say smooth=True if it has them all the same"
        ]
    return [
        f"function {kind} has {function.continuity} continuous derivatives, 2 are needed: a spline will do"
    ]
