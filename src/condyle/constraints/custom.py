"""Any scalar equations between coordinates and body poses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint


def _nothing(configuration: Configuration) -> ca.SX:
    return ca.SX(0, 1)


@final
@dataclass(frozen=True)
class Custom(Constraint):
    """g = `equations`(configuration) (`count` x 1), twice differentiable.

    `of_bodies` and `of_coordinates` name everything that the callable looks at.
    """

    equations: Callable[[Configuration], ca.SX] = _nothing
    count: int = 1
    of_bodies: tuple[str, ...] = ()
    of_coordinates: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.count

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.of_bodies

    @property
    def coordinates(self) -> tuple[str, ...]:
        return self.of_coordinates

    def residual(self, configuration: Configuration) -> ca.SX:
        return ca.vec(ca.SX(self.equations(configuration)))

    def problems(self) -> list[str]:
        if self.equations is _nothing:
            return ["equations are missing"]
        return [] if self.count > 0 else [f"count must be positive, found {self.count}"]
