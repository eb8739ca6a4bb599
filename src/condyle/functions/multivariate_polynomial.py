"""A polynomial of several inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems, leaves
from condyle.functions.pieces import horner


@final
@dataclass(frozen=True)
class MultivariatePolynomial(Function):
    """y = sum over k of coefficients[k] * product over i of x_i ^ exponents[k][i]."""

    exponents: tuple[tuple[int, ...], ...]
    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        rows = [[_whole(power) for power in row] for row in self.exponents]
        object.__setattr__(self, "exponents", tuple(tuple(row) for row in rows))
        object.__setattr__(self, "coefficients", leaves(self.coefficients))

    @property
    def inputs(self) -> int:
        return len(self.exponents[0]) if self.exponents else 0

    def problems(self) -> list[str]:
        found = finite_problems("coefficients", self.coefficients)
        if len(self.exponents) != len(self.coefficients):
            found.append(
                f"exponents has {len(self.exponents)} rows, coefficients {len(self.coefficients)} entries; "
                "one row per coefficient is needed"
            )
        if not self.inputs:
            found.append("exponents must have a row per term, with an entry per input")
        for k, row in enumerate(self.exponents):
            if len(row) != self.inputs:
                found.append(f"exponents[{k}] has {len(row)} entries, exponents[0] has {self.inputs}")
            elif not all(isinstance(power, int) and power >= 0 for power in row):
                found.append(f"exponents[{k}] = {row} must be whole numbers, none negative")
            elif row in self.exponents[:k]:
                found.append(f"exponents[{k}] = {row} repeats exponents[{self.exponents.index(row)}]")
        return found

    def __call__(self, *x: ca.SX) -> ca.SX:
        terms = dict(zip(self.exponents, self.coefficients, strict=True))
        return ca.sparsify(_nested(terms, x))


def _nested(terms: Mapping[tuple[int, ...], Any], x: tuple[ca.SX, ...]) -> ca.SX:
    """Horner in the first input over polynomials of the others."""
    if not x:
        return ca.SX(terms[()])
    highest = max(row[0] for row in terms)
    by_power: list[dict[tuple[int, ...], Any]] = [{} for _ in range(highest + 1)]
    for row, coefficient in terms.items():
        by_power[row[0]][row[1:]] = coefficient
    return horner(x[0], [_nested(some, x[1:]) if some else 0.0 for some in by_power])


def _whole(power: Any) -> Any:
    """A Python int where it is one in value; otherwise itself, for `problems` to name."""
    return (
        int(power)
        if hasattr(power, "__int__") and not isinstance(power, bool) and power == int(power)
        else power
    )
