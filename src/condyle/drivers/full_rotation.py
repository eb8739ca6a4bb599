"""An orientation is prescribed by rows that are regular everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import casadi as ca

from condyle.drivers.rotational import ORIENTATION, RotationalDriver
from condyle.spatial import relative_euler_parameters

if TYPE_CHECKING:
    from condyle.constraints.base import Configuration


@final
@dataclass(frozen=True)
class FullRotation(RotationalDriver):
    """Three rows L(p*) p_ij: E-rot with vectors v(t) that stay orthogonal to p*(t).

    An extension of paper 000: the determinant is 1/8 at every orientation, so nothing fails at 180 degrees,
    and the sign of p* does not matter. The rows are half the rotation vector from p* to p_ij, to first order.
    Targets: p* (4).
    """

    @property
    def size(self) -> int:
        return 3

    @property
    def targets(self) -> tuple[str, ...]:
        return ORIENTATION

    @property
    def orientation(self) -> bool:
        return True

    def residual(self, configuration: Configuration, targets: ca.SX) -> ca.SX:
        return relative_euler_parameters(targets, self.relative(configuration))[1:]
