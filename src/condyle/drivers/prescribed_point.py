"""The position of a point is prescribed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import casadi as ca

from condyle.drivers.base import Driver
from condyle.spatial import constant
from condyle.spatial.placement import Vector3

if TYPE_CHECKING:
    from condyle.constraints.base import Configuration


@final
@dataclass(frozen=True)
class PrescribedPoint(Driver):
    """Coordinates `along` ("x", "y", "z" of `reference`'s axes) of `point` of `body` (its axes, m) = targets.

    `reference` is a body, or the model's ground by its name.
    """

    body: str = ""
    point: Vector3 = (0.0, 0.0, 0.0)
    reference: str = "ground"
    along: tuple[str, ...] = ("x", "y", "z")

    @property
    def size(self) -> int:
        return len(self.along)

    @property
    def targets(self) -> tuple[str, ...]:
        return self.along

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.reference, self.body)

    def residual(self, configuration: Configuration, targets: ca.SX) -> ca.SX:
        X = configuration.relative_pose(self.reference, self.body)
        found = X.point(constant(self.point))
        return ca.vertcat(*[found["xyz".index(axis)] for axis in self.along]) - targets

    def problems(self) -> list[str]:
        if not self.along or set(self.along) - set("xyz") or len(set(self.along)) < len(self.along):
            return [f"along is {self.along!r}; allowed: some of 'x', 'y', 'z', each once"]
        return []
