"""A straight line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems


@final
@dataclass(frozen=True)
class Linear(Function):
    """y = slope x + offset."""

    slope: float = 1.0
    offset: float = 0.0

    def problems(self) -> list[str]:
        return finite_problems("slope", self.slope) + finite_problems("offset", self.offset)

    def __call__(self, *x: ca.SX) -> ca.SX:
        (argument,) = x
        return self.slope * argument + self.offset

    def antiderivative(self, x: ca.SX) -> ca.SX:
        return (0.5 * self.slope * x + self.offset) * x
