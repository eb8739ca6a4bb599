"""Solution of a banded linear system whose entries are floats or expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def solve_banded(rows: Sequence[dict[int, Any]], right: Sequence[Any]) -> list[Any]:
    """x of `A x = right`; `rows[i]` maps a column to its entry, and only entries of the band are present.

    Elimination in the given order, without exchange of rows: that cannot be decided on expressions. The
    systems of the splines stay diagonally dominant or positive definite on the way, so none is needed.
    """
    rows = [dict(row) for row in rows]
    x = list(right)
    count = len(rows)
    width = max((abs(column - i) for i, row in enumerate(rows) for column in row), default=0)
    for i in range(count):
        pivot = rows[i][i]
        for below in range(i + 1, min(i + width + 1, count)):
            if i not in rows[below]:
                continue
            factor = rows[below].pop(i) / pivot
            for column, entry in rows[i].items():
                if column > i:
                    rows[below][column] = rows[below].get(column, 0.0) - factor * entry
            x[below] = x[below] - factor * x[i]
    for i in reversed(range(count)):
        for column, entry in rows[i].items():
            if column > i:
                x[i] = x[i] - entry * x[column]
        x[i] = x[i] / rows[i][i]
    return x
