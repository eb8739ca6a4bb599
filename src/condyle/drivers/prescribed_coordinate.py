"""One coordinate is prescribed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import casadi as ca

from condyle.drivers.base import Driver

if TYPE_CHECKING:
    from condyle.constraints.base import Configuration


@final
@dataclass(frozen=True)
class PrescribedCoordinate(Driver):
    """`coordinate` ("knee.angle", "pelvis.px") = target: one row, in rad or m."""

    coordinate: str = ""

    @property
    def size(self) -> int:
        return 1

    @property
    def targets(self) -> tuple[str, ...]:
        return ("value",)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def residual(self, configuration: Configuration, targets: ca.SX) -> ca.SX:
        return configuration.coordinates[self.coordinate] - targets
