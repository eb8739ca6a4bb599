"""E-rot: components of the relative Euler parameters are prescribed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import casadi as ca
import numpy as np

from condyle.drivers.rotational import ORIENTATION, RotationalDriver
from condyle.spatial import constant

if TYPE_CHECKING:
    from condyle.constraints.base import Configuration

Vector4 = tuple[float, float, float, float]


@final
@dataclass(frozen=True)
class EulerRotation(RotationalDriver):
    """One row v.p_ij - v.p* per entry of `components` [000-16 to 25].

    An entry is the number of a component (0 to 3: v = e_k) or any 4-vector v. Targets: the whole p* (4), of
    which the rows use v.p*. A choice is singular where a component that is left out passes zero (three of
    four: their determinant is |omitted| / 8); see `condyle.analyses.regularity`.
    """

    components: tuple[int | Vector4, ...] = (1, 2, 3)

    @property
    def size(self) -> int:
        return len(self.components)

    @property
    def targets(self) -> tuple[str, ...]:
        return ORIENTATION

    @property
    def orientation(self) -> bool:
        return True

    @property
    def directions(self) -> np.ndarray:
        """The vectors v, one per row (size x 4)."""
        return np.array([np.eye(4)[v] if isinstance(v, int) else v for v in self.components], dtype=float)

    def residual(self, configuration: Configuration, targets: ca.SX) -> ca.SX:
        return ca.mtimes(constant(self.directions.tolist()), self.relative(configuration) - targets)

    def problems(self) -> list[str]:
        found = super().problems()
        wrong = [v for v in self.components if not _fits(v)]
        if wrong:
            found.append(f"components {wrong!r}; allowed: 0, 1, 2, 3, or vectors of four finite numbers")
        elif not 1 <= self.size <= 3:
            found.append(f"{self.size} components; allowed: 1 to 3, for a rotation has three freedoms")
        elif np.linalg.matrix_rank(self.directions) < self.size:
            found.append(f"components {self.components!r} depend on each other")
        return found


def _fits(v: object) -> bool:
    if isinstance(v, int):
        return 0 <= v <= 3
    return isinstance(v, tuple) and len(v) == 4 and bool(np.isfinite(v).all())
