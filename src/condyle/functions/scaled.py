"""A multiple of another function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems


@final
@dataclass(frozen=True)
class Scaled(Function):
    """y = factor * function(x...): OpenSim's MultiplierFunction."""

    function: Function
    factor: float = 1.0

    @property
    def inputs(self) -> int:
        return self.function.inputs

    @property
    def continuity(self) -> int:
        return self.function.continuity

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        return self.function.domain

    def problems(self) -> list[str]:
        inside = [f"function: {problem}" for problem in self.function.problems()]
        return finite_problems("factor", self.factor) + inside

    def __call__(self, *x: ca.SX) -> ca.SX:
        return self.factor * self.function(*x)

    def antiderivative(self, x: ca.SX) -> ca.SX | None:
        inside = self.function.antiderivative(x)
        return None if inside is None else self.factor * inside
