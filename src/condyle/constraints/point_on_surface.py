"""A point of one body stays on a surface fixed on another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.spatial import Placement, constant


@final
@dataclass(frozen=True)
class PointOnSurface(Constraint):
    """`point` of `body` stays on the ellipsoid x^2/a^2 + y^2/b^2 + z^2/c^2 = 1 fixed by `placement` on
    `surface_body`.

    One equation. g = (sum (x_i/r_i)^2 - 1) / 2 times the smallest radius, so that g is close to a distance in
    m. Any other surface: give `implicit`, a function F(x, y, z) of casadi expressions in the surface's frame
    that vanishes on it.
    """

    body: str = ""
    surface_body: str = ""
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radii: tuple[float, float, float] = (1.0, 1.0, 1.0)
    placement: Placement = Placement()
    implicit: Callable[[ca.SX, ca.SX, ca.SX], ca.SX] | None = None

    @property
    def size(self) -> int:
        return 1

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.surface_body, self.body)

    def residual(self, configuration: Configuration) -> ca.SX:
        X = self.placement.transform().inverse() @ configuration.relative_pose(self.surface_body, self.body)
        x = X.point(constant(self.point))
        if self.implicit is not None:
            return self.implicit(x[0], x[1], x[2])
        total = sum(((x[i] / self.radii[i]) ** 2 for i in range(3)), ca.SX(0))
        return 0.5 * ca.fmin(ca.fmin(self.radii[0], self.radii[1]), self.radii[2]) * (total - 1)

    def problems(self) -> list[str]:
        numeric = [radius for radius in self.radii if not isinstance(radius, ca.SX)]
        if any(not radius > 0 for radius in numeric):
            return [f"radii {self.radii} must be positive"]
        return []
