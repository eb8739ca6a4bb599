"""Sparse LDL' of [M G'; G 0] in a static order, generated into the graph."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca


@dataclass(frozen=True)
class SaddleFactor:
    """Factor of the symmetric system; `order` lists rows of the system in the order of elimination."""

    order: tuple[int, ...]
    pivots: tuple[ca.SX, ...]
    inverses: tuple[ca.SX, ...]
    columns: tuple[dict[int, ca.SX], ...]  # columns[k][row] = L of a row that is eliminated later
    diagonal: tuple[ca.SX, ...]  # entry at each pivot's place before elimination (zero for a constraint row)

    def solve(self, right: list[ca.SX]) -> list[ca.SX]:
        """Solution for one right-hand side, entries in the order of the system's rows."""
        x = list(right)
        for row, column in zip(self.order, self.columns, strict=True):
            for other, factor in column.items():
                x[other] = x[other] - factor * x[row]
        for row, inverse in zip(self.order, self.inverses, strict=True):
            x[row] = x[row] * inverse
        for row, column in zip(reversed(self.order), reversed(self.columns), strict=True):
            for other, factor in column.items():
                x[row] = x[row] - factor * x[other]
        return x

    def smallest_relative_pivot(self, sizes: int) -> ca.SX:
        """min |pivot| / (what it was computed from), over the constraint rows; near 0: redundant or singular."""
        ratios = []
        for row, pivot, scale in zip(self.order, self.pivots, self.diagonal, strict=True):
            if row >= sizes:
                ratios.append(ca.fabs(pivot) / scale)
        smallest = ca.SX(1)
        for ratio in ratios:
            smallest = ca.fmin(smallest, ratio)
        return smallest


def factor_saddle(M: ca.SX, G: ca.SX) -> SaddleFactor:
    """Greedy minimum-degree order; a constraint row is eligible once all speeds that it touches are eliminated.

    Until then its pivot is a structural zero or, where other rows share its speeds, not bounded away from zero; from
    then on its pivot is negative definite as long as the constraints are independent.
    """
    nu, rows = M.shape[0], M.shape[0] + G.shape[0]
    work: list[dict[int, ca.SX]] = [{} for _ in range(rows)]
    for i, j in zip(*M.sparsity().get_triplet(), strict=True):
        work[i][j] = M[i, j]
    for i, j in zip(*G.sparsity().get_triplet(), strict=True):
        work[nu + i][j] = work[j][nu + i] = G[i, j]
    touched = {nu + i: {j for j in work[nu + i]} for i in range(G.shape[0])}
    remaining = set(range(rows))
    order, pivots, inverses, columns, diagonal = [], [], [], [], []
    scales: dict[int, ca.SX] = {}
    while remaining:
        eligible = [row for row in remaining if row < nu or not (touched[row] & remaining)]
        row = min(eligible, key=lambda r: (_cost(work[r], remaining, r), r))
        remaining.discard(row)
        pivot = work[row].get(row, ca.SX(0))
        inverse_free = {other: value for other, value in work[row].items() if other in remaining}
        inverse = 1 / pivot
        column = {other: value * inverse for other, value in inverse_free.items()}
        for a, factor in column.items():
            for b, value in inverse_free.items():
                if b < a:
                    continue
                update = factor * value
                if a == b and a >= nu:
                    # Every update of a constraint's diagonal by a speed has the same sign: their sum is the scale.
                    scales[a] = scales.get(a, ca.SX(0)) + ca.fabs(update)
                entry = work[a].get(b)
                entry = -update if entry is None else entry - update
                work[a][b] = work[b][a] = entry
        order.append(row)
        pivots.append(pivot)
        inverses.append(inverse)
        columns.append(column)
        diagonal.append(scales.get(row, ca.SX(1)))
    return SaddleFactor(tuple(order), tuple(pivots), tuple(inverses), tuple(columns), tuple(diagonal))


def _cost(entries: dict[int, ca.SX], remaining: set[int], row: int) -> tuple[int, int]:
    degree = sum(1 for other in entries if other in remaining and other != row)
    constants = sum(1 for other, value in entries.items() if other in remaining and value.is_constant())
    return degree, -constants
