"""A polynomial of one input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems, leaves
from condyle.functions.pieces import horner


@final
@dataclass(frozen=True)
class Polynomial(Function):
    """y = sum of coefficients[k] x^k: ascending powers (OpenSim's list is descending)."""

    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "coefficients", leaves(self.coefficients))

    def problems(self) -> list[str]:
        if not self.coefficients:
            return ["no coefficient given, at least one is needed"]
        return finite_problems("coefficients", self.coefficients)

    def __call__(self, *x: ca.SX) -> ca.SX:
        (argument,) = x
        return ca.sparsify(horner(argument, self.coefficients))

    def antiderivative(self, x: ca.SX) -> ca.SX:
        raised = [coefficient / (k + 1) for k, coefficient in enumerate(self.coefficients)]
        return ca.sparsify(horner(x, [0.0, *raised]))
