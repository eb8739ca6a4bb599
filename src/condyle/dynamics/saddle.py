"""Sparse factor of the symmetric system [M G'; G 0] in a static order, generated into the graph.

Two kinds of pivot. A speed alone (M is positive definite), or a constraint alone once all speeds that it
touches are gone (then its pivot is negative definite as long as the constraints are independent). And a speed
with a constraint in which
it has a constant coefficient g: the block [a g; g 0] has the inverse [0 1/g; 1/g -a/g^2], which needs no
division and
amounts to what one does by hand: solve the constraint for that speed and substitute.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import casadi as ca

_Rows = dict[int, ca.SX]


@dataclass(frozen=True)
class _Single:
    """Pivot of one row; `column` holds L of the rows that are eliminated later."""

    row: int
    inverse: ca.SX
    column: _Rows

    def forward(self, x: list[ca.SX]) -> None:
        for other, factor in self.column.items():
            x[other] = x[other] - factor * x[self.row]

    def scale(self, x: list[ca.SX]) -> None:
        x[self.row] = x[self.row] * self.inverse

    def backward(self, x: list[ca.SX]) -> None:
        for other, factor in self.column.items():
            x[self.row] = x[self.row] - factor * x[other]


@dataclass(frozen=True)
class _Pair:
    """Pivot of a speed (diagonal entry a) and a constraint with the constant g between them."""

    speed: int
    constraint: int
    a: ca.SX
    g: float
    of_speed: _Rows
    of_constraint: _Rows

    def forward(self, x: list[ca.SX]) -> None:
        for other in self.of_speed.keys() | self.of_constraint.keys():
            if other in self.of_speed:
                x[other] = x[other] - self.of_speed[other] * x[self.speed]
            if other in self.of_constraint:
                x[other] = x[other] - self.of_constraint[other] * x[self.constraint]

    def scale(self, x: list[ca.SX]) -> None:
        moved = x[self.constraint] / self.g
        x[self.speed], x[self.constraint] = moved, (x[self.speed] - self.a * moved) / self.g

    def backward(self, x: list[ca.SX]) -> None:
        for other, factor in self.of_speed.items():
            x[self.speed] = x[self.speed] - factor * x[other]
        for other, factor in self.of_constraint.items():
            x[self.constraint] = x[self.constraint] - factor * x[other]


@dataclass(frozen=True)
class SaddleFactor:
    """Pivots in the order of elimination, and how close to zero the constraints' own pivots come."""

    pivots: tuple[_Single | _Pair, ...]
    #: Over constraint rows: |pivot| over the sum that it was computed from, times (length of the row / its
    #: usual length)^2, times the part of its speeds' mobility that the joints leave it, if that is below 1.
    smallest_relative_pivot: ca.SX
    #: Over speeds that are eliminated alone: pivot over the diagonal entry of M that it was computed from,
    #: with what constraints have added to it.
    smallest_speed_pivot: ca.SX

    def solve(self, right: list[ca.SX]) -> list[ca.SX]:
        """Solution for one right-hand side, entries in the order of the system's rows."""
        x = list(right)
        for pivot in self.pivots:
            pivot.forward(x)
        for pivot in self.pivots:
            pivot.scale(x)
        for pivot in reversed(self.pivots):
            pivot.backward(x)
        return x


def factor_saddle(
    M: ca.SX, G: ca.SX, sizes: Sequence[float] = (), stages: Sequence[Sequence[int]] | None = None
) -> SaddleFactor:
    """Factor with a greedy order: substitution first, then least fill. `sizes`: usual lengths of the rows of
    G.

    `stages` divides the system's rows into sets that are eliminated one after another, the order being greedy
    within each. A constraint must be independent of the others through the speeds up to its own stage. A
    speed without inertia waits within its stage until the elimination of constraints has given it some.
    """
    return _Elimination(M, G, sizes).run(stages)


def entries(matrix: ca.SX) -> list[tuple[int, int, ca.SX]]:
    """(row, column, value) of what is not structurally zero."""
    values: list[Any] = matrix.nonzeros()
    rows, columns = matrix.sparsity().get_triplet()
    return [(i, j, ca.SX(value)) for i, j, value in zip(rows, columns, values, strict=True)]


class _Elimination:
    """Entries of the rows that remain, eliminated pivot by pivot."""

    def __init__(self, M: ca.SX, G: ca.SX, sizes: Sequence[float]) -> None:
        self.speeds = M.shape[0]
        self.G, self.sizes = G, sizes
        count = self.speeds + G.shape[0]
        self.work: list[_Rows] = [{} for _ in range(count)]
        for i, j, value in entries(M):
            self.work[i][j] = value
        for i, j, value in entries(G):
            self.work[self.speeds + i][j] = self.work[j][self.speeds + i] = value
        self.touched = {row: set(self.work[row]) for row in range(self.speeds, count)}
        self.remaining = set(range(count))
        self.pending: set[int] = set()  # of the present stage
        self.reached: set[int] = set()  # speeds of the stages so far
        self.idle = {row for row in range(self.speeds) if row not in self.work[row]}  # without inertia
        self.scales: dict[int, ca.SX] = {}
        self.inertias = {row: self.work[row][row] for row in range(self.speeds) if row in self.work[row]}
        self.diagonal = [self.work[row].get(row, ca.SX(0)) for row in range(self.speeds)]
        self.smallest = self.smallest_speed = ca.SX(1)

    def run(self, stages: Sequence[Sequence[int]] | None) -> SaddleFactor:
        pivots: list[_Single | _Pair] = []
        for stage in stages or [range(len(self.work))]:
            self.pending = set(stage)
            self.reached |= {row for row in stage if row < self.speeds}
            while self.pending:
                pair = self._best_pair()
                pivots.append(self._eliminate_pair(*pair) if pair else self._eliminate_single())
        return SaddleFactor(tuple(pivots), self.smallest, self.smallest_speed)

    def _best_pair(self) -> tuple[int, int, float] | None:
        """The (speed, constraint, g) of least fill among constraints with a constant coefficient."""
        best = None
        for row in sorted(self.pending):
            if row < self.speeds or row in self.work[row]:
                continue
            sizes = [abs(float(v)) for v in self.work[row].values() if v.is_constant()]
            for speed, value in self.work[row].items():
                if speed >= self.speeds or speed not in self.pending or not value.is_constant():
                    continue
                g = float(value)
                if abs(g) < 0.1 * max(sizes):
                    continue
                fill = len(self._neighbours(speed) | self._neighbours(row))
                if best is None or (fill, row, speed) < best[0]:
                    best = ((fill, row, speed), (speed, row, g))
        return best[1] if best else None

    def _eligible(self) -> list[int]:
        """Rows that may be eliminated alone, of this stage."""
        speeds = {row for row in self.pending if row < self.speeds}
        constraints = self.pending - speeds
        found = [row for row in speeds if not (row in self.idle and constraints & self.work[row].keys())]
        found += [row for row in constraints if not self._waits(row)]
        return found or list(speeds)

    def _waits(self, row: int) -> bool:
        """Whether a constraint still touches a speed that will be eliminated before it."""
        held_back = self.touched[row] & self.reached & self.remaining
        if row in self.work[row]:
            held_back = held_back - self.idle
        return bool(held_back)

    def _inherit(self, gone: int, others: AbstractSet[int]) -> None:
        """Constraints that a constraint was eliminated from depend on what that one touched: speeds of later
        stages may be all that keeps them apart.
        """
        for other in others:
            if other >= self.speeds:
                self.touched[other] = self.touched[other] | self.touched[gone]

    def _neighbours(self, row: int) -> set[int]:
        return {other for other in self.work[row] if other in self.remaining and other != row}

    def _eliminate_pair(self, speed: int, row: int, g: float) -> _Pair:
        self.remaining -= {speed, row}
        self.pending -= {speed, row}
        a = self.work[speed].get(speed, ca.SX(0))
        with_speed = {other: self.work[speed][other] for other in self._neighbours(speed)}
        with_row = {other: self.work[row][other] for other in self._neighbours(row)}
        of_speed = {other: value / g for other, value in with_row.items()}
        of_constraint = {other: value / g for other, value in with_speed.items()}
        self._inherit(row, with_speed.keys() | with_row.keys())
        for other, value in of_speed.items():
            of_constraint[other] = of_constraint.get(other, ca.SX(0)) - (a / g) * value
        for r in sorted(of_speed.keys() | of_constraint.keys()):
            for s in sorted(with_speed.keys() | with_row.keys()):
                if s < r:
                    continue
                for left, right in ((of_speed, with_speed), (of_constraint, with_row)):
                    if r in left and s in right:
                        update = left[r] * right[s]
                        self._subtract(r, s, update)
                        if r == s < self.speeds:
                            self.diagonal[r] = self.diagonal[r] + ca.fabs(update)
        return _Pair(speed, row, a, g, of_speed, of_constraint)

    def _eliminate_single(self) -> _Single:
        row = min(self._eligible(), key=lambda r: (len(self._neighbours(r)), r))
        self.remaining.discard(row)
        self.pending.discard(row)
        pivot = self.work[row].get(row, ca.SX(0))
        if row >= self.speeds:
            whole = self.scales.get(row, ca.SX(1))
            relative = _part(ca.fabs(pivot), whole) * self._shrinkage(row - self.speeds)
            self.smallest = ca.fmin(self.smallest, relative * self._reach(row, whole))
        else:
            self.smallest_speed = ca.fmin(self.smallest_speed, _part(pivot, self.diagonal[row]))
        if row >= self.speeds:
            self._inherit(row, self._neighbours(row))
        inverse = 1 / pivot
        below = {other: self.work[row][other] for other in sorted(self._neighbours(row))}
        column = {other: value * inverse for other, value in below.items()}
        for r, factor in column.items():
            for s, value in below.items():
                if s >= r:
                    update = factor * value
                    self._subtract(r, s, update)
                    if r == s and r >= self.speeds:
                        # All updates of a constraint's diagonal have one sign: their sum is what the pivot
                        # came from.
                        self.scales[r] = self.scales.get(r, ca.SX(0)) + ca.fabs(update)
                    elif r == s and row >= self.speeds:
                        self.diagonal[r] = self.diagonal[r] + ca.fabs(update)
        return _Single(row, inverse, column)

    def _shrinkage(self, row: int) -> ca.SX:
        """(length / usual length)^2 of a row of G, at most 1: a row that vanishes as a whole leaves no small
        pivot.
        """
        if not self.sizes:
            return ca.SX(1)
        return ca.fmin(1, ca.sumsqr(self.G[row, :]) / self.sizes[row] ** 2)

    def _reach(self, row: int, whole: ca.SX) -> ca.SX:
        """What a constraint's unit of force moves, over what it would move of free speeds as heavy as its
        heaviest; at most 1. Substitutions may leave nothing of a row, and then no small pivot says so.
        """
        heavy = [self.inertias[speed] for speed in self.touched[row] if speed in self.inertias]
        if not heavy or row not in self.scales:
            return ca.SX(1)
        return ca.fmin(1, _part(whole * ca.mmax(ca.vertcat(*heavy)), ca.sumsqr(self.G[row - self.speeds, :])))

    def _subtract(self, r: int, s: int, update: ca.SX) -> None:
        entry = self.work[r].get(s)
        self.work[r][s] = self.work[s][r] = -update if entry is None else entry - update


def _part(pivot: ca.SX, whole: ca.SX) -> ca.SX:
    """pivot / whole; 0 where the whole is 0 or not a number, which fmin would pass over."""
    return ca.if_else(whole > 0, pivot / whole, 0)
