"""A periodic function by some of its harmonics, and one that gains as much in every period."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems, leaves


@final
@dataclass(frozen=True)
class Fourier(Function):
    """y = mean + slope x + sum over k of cosines[k] cos(m x) + sines[k] sin(m x), m = 2 pi harmonics[k] /
    period.

    `cosines` or `sines` may be left out, all its entries being 0 then. An angle that makes n turns per period
    has the slope 2 pi n / period.
    """

    period: float
    harmonics: tuple[int, ...]
    cosines: tuple[float, ...] = ()
    sines: tuple[float, ...] = ()
    mean: float = 0.0
    slope: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "harmonics", tuple(self.harmonics))
        object.__setattr__(self, "cosines", leaves(self.cosines))
        object.__setattr__(self, "sines", leaves(self.sines))

    def problems(self) -> list[str]:
        found: list[str] = []
        for label in ("period", "cosines", "sines", "mean", "slope"):
            found += finite_problems(label, getattr(self, label))
        if not found and not isinstance(self.period, ca.SX) and self.period <= 0.0:
            found.append(f"period must be positive, found {self.period}")
        for label, values in (("cosines", self.cosines), ("sines", self.sines)):
            if len(values) not in (0, len(self.harmonics)):
                found.append(f"{label} has {len(values)} entries and harmonics {len(self.harmonics)}")
        for k, number in enumerate(self.harmonics):
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                found.append(f"harmonics[{k}] must be a positive whole number, found {number!r}")
            elif number in self.harmonics[:k]:
                found.append(f"harmonics[{k}] = {number} is there already")
        return found

    def __call__(self, *x: ca.SX) -> ca.SX:
        (argument,) = x
        # Four sums side by side: each term of one sum waits for the term before it.
        sums: list[Any] = [self.mean + self.slope * argument, 0.0, 0.0, 0.0]
        none = (0.0,) * len(self.harmonics)
        for k, (number, cosine, sine) in enumerate(
            zip(self.harmonics, self.cosines or none, self.sines or none, strict=True)
        ):
            phase = (2.0 * pi * number / self.period) * argument
            sums[k % 2] = sums[k % 2] + cosine * ca.cos(phase)
            sums[2 + k % 2] = sums[2 + k % 2] + sine * ca.sin(phase)
        return ca.sparsify((sums[0] + sums[1]) + (sums[2] + sums[3]))
