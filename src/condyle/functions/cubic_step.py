"""A rise from zero to a plateau."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems


@final
@dataclass(frozen=True)
class CubicStep(Function):
    """y = height (3 t^2 - 2 t^3), t = (x - start) / width; 0 before, `height` behind [ankle, eq. 38]: C1."""

    height: float = 1.0
    width: float = 1.0
    start: float = 0.0

    @property
    def continuity(self) -> int:
        return 1

    def problems(self) -> list[str]:
        found = [
            p for name in ("height", "width", "start") for p in finite_problems(name, getattr(self, name))
        ]
        if not found and not isinstance(self.width, ca.SX) and not self.width > 0.0:
            found.append(f"width must be positive, found {self.width}")
        return found

    def __call__(self, *x: ca.SX) -> ca.SX:
        t = self._part(x[0])
        return self.height * t * t * (3.0 - 2.0 * t)

    def antiderivative(self, x: ca.SX) -> ca.SX:
        t = self._part(x)
        beyond = ca.fmax(x - self.start - self.width, 0.0)
        return self.height * (self.width * t * t * t * (1.0 - 0.5 * t) + beyond)

    def _part(self, x: ca.SX) -> ca.SX:
        t = (x - self.start) / self.width
        return ca.if_else(t < 0.0, 0.0, ca.if_else(t > 1.0, 1.0, t))  # unlike fmin, lets NaN through
