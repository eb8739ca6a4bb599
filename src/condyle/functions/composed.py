"""One function of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.functions.base import Function


@final
@dataclass(frozen=True)
class Composed(Function):
    """y = outer(inner(x...)); outer takes one input."""

    outer: Function
    inner: Function

    @property
    def inputs(self) -> int:
        return self.inner.inputs

    @property
    def continuity(self) -> int:
        return min(self.outer.continuity, self.inner.continuity)

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        return self.inner.domain

    def problems(self) -> list[str]:
        found = [f"outer: {problem}" for problem in self.outer.problems()]
        if self.outer.inputs != 1:
            found.append(f"outer: must take one input, {type(self.outer).__name__} takes {self.outer.inputs}")
        return found + [f"inner: {problem}" for problem in self.inner.problems()]

    def __call__(self, *x: ca.SX) -> ca.SX:
        return self.outer(self.inner(*x))
