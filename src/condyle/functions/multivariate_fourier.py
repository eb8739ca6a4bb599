"""A function of several inputs that is periodic in each, by some of its harmonics."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems, leaves


@final
@dataclass(frozen=True)
class MultivariateFourier(Function):
    """y = mean + slopes . x + sum over k of cosines[k] cos(a_k) + sines[k] sin(a_k).

    a_k = 2 pi sum over i of harmonics[k][i] x_i / periods[i]; harmonics are whole numbers, negative ones
    too. `cosines`, `sines` or `slopes` may be left out, their entries being 0 then.
    """

    periods: tuple[float, ...]
    harmonics: tuple[tuple[int, ...], ...]
    cosines: tuple[float, ...] = ()
    sines: tuple[float, ...] = ()
    mean: float = 0.0
    slopes: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "harmonics", tuple(tuple(row) for row in self.harmonics))
        for label in ("periods", "cosines", "sines", "slopes"):
            object.__setattr__(self, label, leaves(getattr(self, label)))

    @property
    def inputs(self) -> int:
        return len(self.periods)

    def problems(self) -> list[str]:
        found: list[str] = []
        for label in ("periods", "cosines", "sines", "mean", "slopes"):
            found += finite_problems(label, getattr(self, label))
        if not self.periods:
            found.append("periods must have an entry per input")
        if not found:
            found += [
                f"periods[{k}] must be positive, found {period}"
                for k, period in enumerate(self.periods)
                if not isinstance(period, ca.SX) and period <= 0.0
            ]
        for label, count, of in (
            ("cosines", len(self.harmonics), "harmonics"),
            ("sines", len(self.harmonics), "harmonics"),
            ("slopes", self.inputs, "periods"),
        ):
            if len(getattr(self, label)) not in (0, count):
                found.append(f"{label} has {len(getattr(self, label))} entries and {of} {count}")
        for k, row in enumerate(self.harmonics):
            opposite = tuple(-number for number in row if isinstance(number, int))
            if len(row) != self.inputs or not all(type(number) is int for number in row):
                found.append(f"harmonics[{k}] = {row} must be {self.inputs} whole numbers, one per input")
            elif not any(row):
                found.append(f"harmonics[{k}] = {row} is the mean")
            elif row in self.harmonics[:k] or opposite in self.harmonics[:k]:
                found.append(f"harmonics[{k}] = {row}, or its negative, is there already")
        return found

    def __call__(self, *x: ca.SX) -> ca.SX:
        value: Any = ca.SX(self.mean)
        for slope, argument in zip(self.slopes, x, strict=False):
            value = value + slope * argument
        turns = [(2.0 * pi / period) * argument for period, argument in zip(self.periods, x, strict=True)]
        none = (0.0,) * len(self.harmonics)
        for row, cosine, sine in zip(self.harmonics, self.cosines or none, self.sines or none, strict=True):
            phase: Any = 0.0
            for number, turn in zip(row, turns, strict=True):
                phase = phase + number * turn
            value = value + cosine * ca.cos(phase) + sine * ca.sin(phase)
        return ca.sparsify(value)
