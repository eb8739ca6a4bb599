"""Coefficients of Runge-Kutta methods as exact fractions, and their compiled form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

Row = tuple[Fraction, ...]
Polynomial = tuple[Fraction, ...]


def fractions(text: str) -> Row:
    """Fractions or decimals separated by blanks, exactly."""
    return tuple(Fraction(item) for item in text.split())


def combined(terms: Sequence[tuple[Any, Sequence[Any]]]) -> tuple[Any, ...]:
    """Sum of factor * row; short rows end in zeros."""
    length = max(len(row) for _, row in terms)
    total: list[Any] = [Fraction(0)] * length
    for factor, row in terms:
        for index, value in enumerate(row):
            total[index] += factor * value
    return tuple(total)


def product(first: Polynomial, second: Polynomial) -> Polynomial:
    """Product of polynomials, coefficients from the constant up."""
    result = [Fraction(0)] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            result[i + j] += a * b
    return tuple(result)


def hermite(b: Sequence[Any], first: int, last: int) -> tuple[tuple[Any, ...], ...]:
    """Cubic Hermite interpolant through both ends of a step, for columns 0 ... last of rates.

    The new state is y + h sum b_j k_j; column `first` is the rate at the old, `last` at the new state. Row j
    holds the coefficients of theta, theta**2, theta**3.
    """
    blend, start, end = fractions("0 3 -2"), fractions("1 -2 1"), fractions("0 -1 1")
    rows = []
    for column in range(last + 1):
        terms = [(b[column] if column < len(b) else Fraction(0), blend)]
        if column == first:
            terms.append((Fraction(1), start))
        if column == last:
            terms.append((Fraction(1), end))
        rows.append(combined(terms))
    return tuple(rows)


@final
@dataclass(frozen=True)
class Tableau:
    """An explicit method: y_new = y + h sum b_j k_j, k_i = f(t + c_i h, y + h sum a_ij k_j).

    a: rows of stages 1, 2, ... (stage 0 is empty); b: weights; errors: weights of the error estimates, in
    which column len(b) or, for a method whose last row is b (first same as last), the last column is f at
    y_new;
    extra: rows of the stages that only dense output needs, which follow f at y_new; dense: row j holds the
    coefficients of theta, theta**2, ... of b_j(theta), over all columns.
    """

    a: tuple[Row, ...]
    b: Row
    errors: tuple[Row, ...] = ()
    extra: tuple[Row, ...] = ()
    dense: tuple[Polynomial, ...] = ()

    @property
    def first_same_as_last(self) -> bool:
        """Whether the last stage is f at y_new."""
        return trimmed(self.a[-1]) == trimmed(self.b)

    @property
    def last(self) -> int:
        """The column of f at y_new."""
        return len(self.a) if self.first_same_as_last else len(self.a) + 1

    @property
    def columns(self) -> int:
        """Number of rows of rates."""
        return self.last + 1 + len(self.extra)

    def compiled(self, offset: int) -> tuple[tuple[Any, ...], Any]:
        """((starts, columns, weights, nodes), dense) as arrays; columns count from `offset`.

        Rows: the stages, y_new, the extra stages, the error estimates; zeros are left out.
        """
        import numpy as np

        rows: list[Row] = [(), *self.a]
        if not self.first_same_as_last:
            rows.append(self.b)
        rows += [*self.extra, *self.errors]
        nodes = np.array([float(sum(row)) for row in rows])
        powers = max((len(row) for row in self.dense), default=1)
        dense = np.zeros((len(self.dense), powers))
        for column, row in enumerate(self.dense):
            dense[column, : len(row)] = [float(value) for value in row]
        return (*sparse_rows(rows, offset), nodes), dense


def sparse_rows(rows: Sequence[Sequence[Fraction | float]], offset: int) -> tuple[Any, Any, Any]:
    """(starts, columns, weights) of all rows without their zeros; columns count from `offset`."""
    import numpy as np

    starts, columns, weights = [0], [], []
    for row in rows:
        for column, weight in enumerate(row):
            if weight:
                columns.append(offset + column)
                weights.append(float(weight))
        starts.append(len(columns))
    return np.array(starts, np.int64), np.array(columns, np.int64), np.array(weights, float)


def trimmed(row: Row) -> Row:
    """A row without its trailing zeros."""
    values = list(row)
    while values and values[-1] == 0:
        values.pop()
    return tuple(values)
