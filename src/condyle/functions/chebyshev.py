"""A smooth function of one or several inputs by Chebyshev polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems, increasing_problems, leaves


@final
@dataclass(frozen=True)
class Chebyshev(Function):
    """y = sum of c[k0, k1, ...] T_k0(t0) T_k1(t1)..., t_i in -1 ... 1 over `intervals`[i].

    `coefficients` are c row by row, the last input's number running first; `counts` says how many polynomials
    each input has, and may be left out with one input. Outside the intervals the polynomial goes on and soon
    means nothing.
    """

    intervals: tuple[tuple[float, float], ...]
    coefficients: tuple[float, ...]
    counts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "intervals", leaves(self.intervals))
        object.__setattr__(self, "coefficients", leaves(self.coefficients))
        object.__setattr__(self, "counts", tuple(self.counts))

    @property
    def inputs(self) -> int:
        return len(self.intervals)

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        return self.intervals

    def problems(self) -> list[str]:
        if not isinstance(self.intervals, tuple) or not self.intervals:
            return [f"intervals must be pairs of numbers, one per input, found {self.intervals!r}"]
        found = []
        for k, pair in enumerate(self.intervals):
            if not isinstance(pair, tuple) or len(pair) != 2:
                found.append(f"intervals[{k}] must be two numbers, found {pair!r}")
            else:
                found += finite_problems(f"intervals[{k}]", pair)
                found += increasing_problems(f"intervals[{k}]", pair)
        found += finite_problems("coefficients", self.coefficients)
        counts = self._counts
        if len(counts) != self.inputs or not all(type(count) is int and count > 0 for count in counts):
            found.append(f"counts must be {self.inputs} positive whole numbers, found {counts}")
        elif prod(counts) != len(self.coefficients):
            found.append(f"coefficients has {len(self.coefficients)} entries, counts {counts} ask for others")
        return found

    def __call__(self, *x: ca.SX) -> ca.SX:
        bases = [
            _polynomials((2.0 * argument - (lower + upper)) / (upper - lower), count)
            for argument, (lower, upper), count in zip(x, self.intervals, self._counts, strict=True)
        ]
        return ca.sparsify(ca.SX(_sum(self.coefficients, bases)))

    @property
    def _counts(self) -> tuple[int, ...]:
        return self.counts or (len(self.coefficients),)


def _polynomials(t: ca.SX, count: int) -> list[Any]:
    """T_0 ... T_{count-1}."""
    found: list[Any] = [1.0, t]
    while len(found) < count:
        found.append(2.0 * t * found[-1] - found[-2])
    return found[:count]


def _sum(coefficients: Sequence[Any], bases: Sequence[Sequence[Any]]) -> Any:
    if not bases:
        return coefficients[0]
    size = len(coefficients) // len(bases[0])
    total: Any = 0.0
    for k, polynomial in enumerate(bases[0]):
        total = total + _sum(coefficients[k * size : (k + 1) * size], bases[1:]) * polynomial
    return total
