"""Normality e.e = 1 embedded: one Euler parameter follows from the other three (paper 002, after B.67).

e.eddot = -edot.edot gives the dependent one, k: eddot = T z + c with z the other three second rates,
T_k = -e_l / e_k and c_k = -(edot.edot) / e_k. The largest is at least 1/2, so that as the dependent one it
makes T and c at most of size 1 and 2 (edot.edot): it is chosen anew wherever the formula is evaluated, by
selects. What is solved with T does not depend on the choice, so a change of it leaves no trace in a motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from condyle.spatial.euler.arrays import entries, inner, is_symbolic, vector, where


@dataclass(frozen=True)
class Normality:
    """The dependent parameter is put first by exchanges; `ratios` are T's row -e_l / e_k (3), `inverse` is
    1 / e_k.
    """

    exchanges: tuple[tuple[int, Any], ...]
    ratios: tuple[Any, ...]
    inverse: Any

    @staticmethod
    def of(e: Any, dependent: int | None = None) -> Normality:
        """At e (4); `dependent` fixes the choice (singular where that parameter is 0), None: the largest."""
        values, exchanges = entries(e), []
        if dependent is None:
            for k in (1, 2, 3):
                larger = _size(values[k]) > _size(values[0])
                exchanges.append((k, larger))
                values = _exchanged(values, k, larger)
        elif dependent:
            exchanges.append((dependent, True))
            values = _exchanged(values, dependent, True)
        inverse = 1 / values[0]
        return Normality(tuple(exchanges), tuple(-value * inverse for value in values[1:]), inverse)

    def independent(self, v: Any) -> Any:
        """The entries (3) of v (4) that belong to the independent parameters."""
        return vector(self._first(entries(v))[1:])

    def columns(self, columns: Sequence[Any]) -> list[Any]:
        """H T as a list of three columns, from the list of the four of H."""
        rows = [self._first(list(row)) for row in zip(*(entries(c) for c in columns), strict=True)]
        return [vector([row[k] + row[0] * self.ratios[k - 1] for row in rows]) for k in (1, 2, 3)]

    def force(self, f: Any) -> Any:
        """T'f (3) of f (4), conjugate to the rates of the parameters."""
        first, *others = self._first(entries(f))
        pairs = zip(others, self.ratios, strict=True)
        return vector([other + first * ratio for other, ratio in pairs])

    def constant(self, edot: Any) -> Any:
        """c (4) = (0, .., -(edot.edot) / e_k, .., 0)."""
        value = -inner(edot, edot) * self.inverse
        return vector(self._back([value, 0 * value, 0 * value, 0 * value]))

    def expanded(self, z: Any, edot: Any) -> Any:
        """eddot (4) = T z + c."""
        rates = entries(z)
        first = -inner(edot, edot) * self.inverse
        for rate, ratio in zip(rates, self.ratios, strict=True):
            first = first + rate * ratio
        return vector(self._back([first, *rates]))

    def _first(self, values: list[Any]) -> list[Any]:
        for k, exchanged in self.exchanges:
            values = _exchanged(values, k, exchanged)
        return values

    def _back(self, values: list[Any]) -> list[Any]:
        for k, exchanged in reversed(self.exchanges):
            values = _exchanged(values, k, exchanged)
        return values


def dependent_parameter(e: Any) -> np.ndarray:
    """Index (...) of the parameter that `Normality.of` takes as the dependent one, e (..., 4)."""
    return np.argmax(np.abs(np.asarray(e, dtype=float)), axis=-1)


def _size(value: Any) -> Any:
    return value.fabs() if is_symbolic(value) else np.abs(value)


def _exchanged(values: list[Any], k: int, exchanged: Any) -> list[Any]:
    """The first and the k-th value exchanged where it is said so."""
    found = list(values)
    if exchanged is True:
        found[0], found[k] = values[k], values[0]
    else:
        found[0], found[k] = where(exchanged, values[k], values[0]), where(exchanged, values[0], values[k])
    return found
