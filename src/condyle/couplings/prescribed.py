"""A joint variable that is a given function of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.couplings.base import Coupling
from condyle.couplings.explicit import smoothness_problems
from condyle.functions import Function, Linear

#: The coordinate that a mechanism with prescribed joint variables has for time [s]; its speed is 1.
CLOCK = "clock.time"


@final
@dataclass(frozen=True)
class Prescribed(Coupling):
    """`dependent` = function(time) [s -> rad or m], twice continuously differentiable.

    A mechanism with prescribed joint variables has one coordinate more, `clock.time`, which is locked to the
    speed 1
    of its default state: that is how time enters the equations. What drives the joint acts in it, as a motor
    would; `joint_reactions` contains it, and the generalised force of the clock is its power [W].
    """

    dependent: str = ""
    function: Function = Linear()

    @property
    def dependents(self) -> tuple[str, ...]:
        return (self.dependent,) if self.dependent else ()

    @property
    def independents(self) -> tuple[str, ...]:
        return (CLOCK,)

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        return self.function.domain

    def solved(self, q: ca.SX) -> ca.SX:
        return self.function(q)

    def residual(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return s - self.solved(q)

    def derivative(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return ca.jacobian(self.solved(q), q)

    def curvature(self, q: ca.SX, s: ca.SX, rates: ca.SX) -> ca.SX:
        slope = ca.jacobian(self.solved(q), q)
        return ca.jacobian(slope, q) * rates**2

    def problems(self) -> list[str]:
        found = [f"function: {text}" for text in self.function.problems()]
        if not found and self.function.inputs != 1:
            found.append(f"function takes {self.function.inputs} inputs; time is the only one")
        if not found:
            found += smoothness_problems(self.function)
        return super().problems() + found
