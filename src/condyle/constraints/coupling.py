"""One coordinate as a function of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.functions import Function, Linear


@final
@dataclass(frozen=True)
class Coupling(Constraint):
    """`dependent` = function(`independent`...): one equation g = dependent - f, in the coordinate's unit."""

    dependent: str = ""
    independent: tuple[str, ...] = ()
    function: Function = Linear()

    @property
    def size(self) -> int:
        return 1

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.dependent, *self.independent)

    def residual(self, configuration: Configuration) -> ca.SX:
        values = configuration.coordinates
        return values[self.dependent] - self.function(*[values[name] for name in self.independent])

    def problems(self) -> list[str]:
        found = [f"function: {text}" for text in self.function.problems()]
        if self.dependent in self.independent:
            found.append(f"{self.dependent!r} is coupled to itself")
        return found
