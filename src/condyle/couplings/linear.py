"""Small linear systems A X = B solved in the graph, without a pivot order that some pose would spoil.

A is permuted to block triangular form, so that a chain of loops costs what its loops cost one by one. A block
of up to three rows is solved by its adjugate, a larger one by Givens rotations, which respect its zeros: both
divide by nothing that vanishes at a pose where the block itself is regular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca


@dataclass(frozen=True)
class _Block:
    rows: list[int]
    columns: list[int]


class LinearSystem:
    """A (m x n, structurally regular, m = n), or more equations than unknowns (m > n) that are consistent.

    `others`: further columns of the same equations, for their usual size; `sizes`: lengths that rows usually
    have. More equations are solved by least squares, so that it does not matter which of them follow from
    which; that squares the condition number.
    """

    def __init__(self, A: ca.SX, others: ca.SX | None = None, sizes: Sequence[float] = ()) -> None:
        self.A = ca.sparsify(A)
        self.others = ca.SX(A.shape[0], 0) if others is None else ca.sparsify(others)
        self.sizes = tuple(sizes)
        self.blocks: list[_Block] = []
        self.normal: LinearSystem | None = None
        m, n = A.shape
        if m > n:
            weights = ca.DM([1.0 / size for size in self.sizes] or [1.0] * m)
            self.scaling = ca.diag(ca.SX(weights))
            self.scaled = ca.sparsify(ca.mtimes(self.scaling, self.A))
            self.normal = LinearSystem(ca.mtimes(self.scaled.T, self.scaled))
        elif n:
            count, rows, columns, row_starts, column_starts, *_ = self.A.sparsity().btf()
            for k in range(count):
                of_rows = list(rows[row_starts[k] : row_starts[k + 1]])
                self.blocks.append(_Block(of_rows, list(columns[column_starts[k] : column_starts[k + 1]])))

    def solve(self, B: ca.SX) -> ca.SX:
        """X (n x k) with A X = B."""
        B = ca.sparsify(B)
        if self.normal is not None:
            return self.normal.solve(ca.mtimes(self.scaled.T, ca.mtimes(self.scaling, B)))
        X = ca.SX(self.A.shape[0], B.shape[1])
        # Block lower triangular: the first block stands alone.
        for block in self.blocks:
            right = B[block.rows, :] - ca.mtimes(self.A[block.rows, :], X)
            X[block.columns, :] = _solved(self.A[block.rows, block.columns], ca.sparsify(right))
        return ca.sparsify(X)

    def solve_transposed(self, B: ca.SX) -> ca.SX:
        """Y (m x k) with A' Y = B; of several the shortest, each entry times the size of its row."""
        if self.normal is not None:
            return ca.mtimes(self.scaling, ca.mtimes(self.scaled, self.normal.solve(B)))
        return LinearSystem(self.A.T).solve(B)

    @cached_property
    def determinants(self) -> ca.SX:
        """One per block: each keeps its sign until the block has been singular."""
        if self.normal is not None:
            return self.normal.determinants
        found = [_determinant(self.A[block.rows, block.columns]) for block in self.blocks]
        return ca.densify(ca.vertcat(*found)) if found else ca.SX(0, 1)

    @cached_property
    def regularity(self) -> ca.SX:
        """Squared volume of the worst block's rows over the product of their squared lengths, all columns
        counted; with more equations than unknowns the sum over all choices of rows, of usual lengths.

        1 at best; 0 where A is singular, and there falling with the square of the distance. A row that
        vanishes is singular too where its usual size is known.
        """
        found = ca.SX(1)
        if self.normal is not None:
            for determinant in ca.vertsplit(self.normal.determinants):
                found = ca.fmin(found, determinant)
            return found
        for block in self.blocks:
            volume = _determinant(self.A[block.rows, block.columns]) ** 2
            for row in block.rows:
                everything = ca.horzcat(self.A[row, :], self.others[row, :])
                length = ca.sumsqr(everything)
                volume = volume / (ca.fmax(length, self.sizes[row] ** 2) if self.sizes else length)
            found = ca.fmin(found, volume)
        return found


def _solved(A: ca.SX, B: ca.SX) -> ca.SX:
    n = A.shape[0]
    if n == 1:
        return B / A[0, 0]
    if n > 3:
        return _by_rotations(A, B)[0]
    adjugate = _adjugate(A)
    determinant = ca.mtimes(A[0, :], adjugate[:, 0])
    return ca.mtimes(adjugate, B) / determinant


def _determinant(A: ca.SX) -> ca.SX:
    """Of a block, up to a sign that is the same at every pose."""
    n = A.shape[0]
    if n == 1:
        return A[0, 0]
    if n > 3:
        return _by_rotations(A, ca.SX(n, 0))[1]
    return ca.mtimes(A[0, :], _adjugate(A)[:, 0])


def _adjugate(A: ca.SX) -> ca.SX:
    if A.shape[0] == 2:
        return ca.sparsify(ca.vertcat(ca.horzcat(A[1, 1], -A[0, 1]), ca.horzcat(-A[1, 0], A[0, 0])))
    columns = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        column = [
            A[j, (r + 1) % 3] * A[k, (r + 2) % 3] - A[j, (r + 2) % 3] * A[k, (r + 1) % 3] for r in range(3)
        ]
        columns.append(ca.vertcat(*column))
    return ca.sparsify(ca.horzcat(*columns))


def _by_rotations(A: ca.SX, B: ca.SX) -> tuple[ca.SX, ca.SX]:
    """(X, product of the pivots) by sparse Givens rotations and back substitution."""
    n, width = A.shape[0], B.shape[1]
    rows = [_entries(A, B, i) for i in range(n)]
    left, order, pivots = list(range(n)), list(range(n)), []
    for _ in range(n):
        # The column that the fewest rows touch, and in it the shortest row: least fill.
        column = min(order, key=lambda c: (sum(c in rows[i] for i in left), c))
        order.remove(column)
        touched = sorted((i for i in left if column in rows[i]), key=lambda i: (len(rows[i]), i))
        pivot = touched[0]
        for other in touched[1:]:
            rows[pivot], rows[other] = _rotated(rows[pivot], rows[other], column)
        left.remove(pivot)
        pivots.append((pivot, column))
    X = ca.SX(n, width)
    product = ca.SX(1)
    solved: dict[int, list[ca.SX]] = {}
    for pivot, column in reversed(pivots):
        row = rows[pivot]
        product = product * row[column]
        values = []
        for k in range(width):
            total = row.get(n + k, ca.SX(1, 1))
            for other, value in row.items():
                if other != column and other < n:
                    total = total - value * solved[other][k]
            values.append(total / row[column])
        solved[column] = values
        for k in range(width):
            X[column, k] = values[k]
    return X, product


def _entries(A: ca.SX, B: ca.SX, i: int) -> dict[int, ca.SX]:
    n = A.shape[0]
    found = {j: A[i, j] for j in range(n) if A.has_nz(i, j)}
    return found | {n + j: B[i, j] for j in range(B.shape[1]) if B.has_nz(i, j)}


def _rotated(
    first: dict[int, ca.SX], second: dict[int, ca.SX], column: int
) -> tuple[dict[int, ca.SX], dict[int, ca.SX]]:
    """Both rows turned so that the second one's entry in `column` vanishes."""
    a, b = first[column], second[column]
    square = a * a + b * b
    length = ca.sqrt(ca.fmax(square, 1e-300))
    c, s = ca.if_else(square > 0, a / length, 1), b / length
    none = ca.SX(1, 1)
    turned: dict[int, ca.SX] = {column: c * a + s * b}
    rest: dict[int, ca.SX] = {}
    for key in first.keys() | second.keys():
        if key != column:
            x, y = first.get(key, none), second.get(key, none)
            turned[key] = c * x + s * y
            rest[key] = c * y - s * x
    return turned, rest
