"""A constant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems


@final
@dataclass(frozen=True)
class Constant(Function):
    """y = value, of any number of inputs."""

    value: float = 0.0

    def problems(self) -> list[str]:
        return finite_problems("value", self.value)

    def __call__(self, *x: ca.SX) -> ca.SX:
        return ca.sparsify(ca.SX(self.value))

    def antiderivative(self, x: ca.SX) -> ca.SX:
        return ca.sparsify(self.value * x)
