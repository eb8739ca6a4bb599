"""QR factor of a sparse matrix in a static order of columns, by Householder reflections in the graph.

No pivoting: with independent columns, reflections are stable in any order, and the order decides the fill. In
tree order, leaves first, a joint's rows are used up by the joint's own columns; what is left over touches a
closed loop only. So the work grows with the number of joints. Rows may be more than the columns: then the
solution is that of least squares, without squaring the condition as normal equations do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from condyle.errors import InputError

_Entries = dict[int, ca.SX]


@dataclass(frozen=True)
class _Step:
    """One column: `row` keeps its entries of R right of `diagonal`; v (by row) and beta of 1 - beta v v'."""

    column: int
    row: int
    diagonal: ca.SX
    right: _Entries
    v: _Entries
    beta: ca.SX | None

    def reflect(self, x: list[ca.SX]) -> None:
        if self.beta is None:
            return
        total = sum((value * x[row] for row, value in self.v.items()), ca.SX(0))
        total = self.beta * total
        for row, value in self.v.items():
            x[row] = x[row] - total * value


@dataclass(frozen=True)
class OrthogonalFactor:
    """W A = Q R with W = diag(weights), A (m x n); every entry of `smallest_pivot` judges one column.

    smallest_pivot: smallest |R_kk| over the length of its column: the sine of the angle between the column
    and those before it, 0 where the columns are dependent. `largest`, `smallest`: of all |R_kk|.
    """

    shape: tuple[int, int]
    steps: tuple[_Step, ...]
    weights: tuple[float, ...]
    smallest_pivot: ca.SX
    largest: ca.SX
    smallest: ca.SX

    def least_squares(self, b: ca.SX) -> ca.SX:
        """x (n) that minimises |W (A x - b)|."""
        y = [_times(self.weights[i], b[i]) for i in range(self.shape[0])]
        for step in self.steps:
            step.reflect(y)
        x = ca.SX.zeros(self.shape[1])
        for step in reversed(self.steps):
            total = y[step.row]
            for column, value in step.right.items():
                total = total - value * x[column]
            x[step.column] = total / step.diagonal
        return x

    def smallest_solution(self, b: ca.SX) -> ca.SX:
        """z (m) with A' z = b and the least sum of (z_i / w_i)^2: z = W Q R^-T b."""
        rest = [b[k] for k in range(self.shape[1])]
        z = [ca.SX(0)] * self.shape[0]
        for step in self.steps:
            y = rest[step.column] / step.diagonal
            z[step.row] = y
            for column, value in step.right.items():
                rest[column] = rest[column] - value * y
        for step in reversed(self.steps):
            step.reflect(z)
        return ca.vertcat(*[_times(self.weights[i], z[i]) for i in range(self.shape[0])])


def factor_orthogonal(
    A: ca.SX, order: Sequence[int] | None = None, weights: Sequence[float] | None = None
) -> OrthogonalFactor:
    """Factor with the columns in `order`; `weights` multiply the rows."""
    m, n = A.shape
    scales = tuple(float(weight) for weight in weights) if weights is not None else (1.0,) * m
    rows: list[_Entries] = [{} for _ in range(m)]
    lengths: list[ca.SX] = [ca.SX(0)] * n
    for i, j in zip(*A.sparsity().get_triplet(), strict=True):
        entry = _times(scales[i], A[i, j])
        if not entry.is_zero():
            rows[i][j] = entry
            lengths[j] = lengths[j] + entry * entry
    open_rows = set(range(m))
    steps: list[_Step] = []
    sine, largest, smallest = ca.SX(1), ca.SX(0), ca.SX(ca.inf)
    for column in order if order is not None else range(n):
        step = _eliminate(rows, open_rows, column)
        steps.append(step)
        pivot = ca.fabs(step.diagonal)
        square = lengths[column]
        if not (step.diagonal.is_constant() and square.is_constant() and bool(pivot * pivot == square)):
            relative = ca.if_else(square > 0, step.diagonal * step.diagonal / square, 0)
            sine = ca.fmin(sine, relative)
        largest, smallest = ca.fmax(largest, pivot), ca.fmin(smallest, pivot)
    return OrthogonalFactor((m, n), tuple(steps), scales, ca.sqrt(sine), largest, smallest)


def _eliminate(rows: list[_Entries], open_rows: set[int], column: int) -> _Step:
    """Turn the open rows so that one of them is left with an entry in the column; close that one."""
    touched = sorted((i for i in open_rows if column in rows[i]), key=lambda i: (len(rows[i]), i))
    if not touched:
        raise InputError(
            f"column {column} has no row of its own; allowed: as many rows as columns, independent"
        )
    row = touched[0]
    open_rows.discard(row)
    if len(touched) == 1:
        right = {j: value for j, value in rows[row].items() if j != column}
        return _Step(column, row, rows[row][column], right, {}, None)
    first = rows[row][column]
    length = ca.sqrt(sum((rows[i][column] * rows[i][column] for i in touched), ca.SX(0)))
    diagonal = ca.if_else(first > 0, -length, length)
    v = {i: rows[i][column] for i in touched}
    v[row] = first - diagonal
    # 1 - beta v v' with beta = 2 / v'v, and v'v = -2 diagonal v_first.
    product = -diagonal * v[row]
    beta = 1 / product
    columns = sorted(set().union(*(rows[i] for i in touched)) - {column})
    for j in columns:
        total = sum((v[i] * rows[i][j] for i in touched if j in rows[i]), ca.SX(0)) * beta
        for i in touched:
            before = rows[i].get(j)
            rows[i][j] = -(total * v[i]) if before is None else before - total * v[i]
    for i in touched:
        rows[i].pop(column)
    return _Step(column, row, diagonal, dict(rows[row]), v, beta)


def _times(weight: float, value: ca.SX) -> ca.SX:
    return value if weight == 1.0 else weight * value
