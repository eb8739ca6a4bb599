"""Cubic splines with two continuous derivatives, from c = y''/6 at the points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from condyle.functions.banded import solve_banded
from condyle.functions.pieces import Pieces

Row = tuple[dict[int, Any], Any]


def steps(x: Sequence[Any]) -> list[Any]:
    """h[k] = x[k+1] - x[k]."""
    return [after - before for before, after in pairwise(x)]


def slopes(x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
    """Divided differences y[k, k+1]."""
    return [rise / h for rise, h in zip(steps(y), steps(x), strict=True)]


def cubic_pieces(x: Sequence[Any], y: Sequence[Any], first: Row, last: Row) -> Pieces:
    """The cubic spline whose end conditions are the given rows, (entries, right-hand side).

    They are the end rows of the system for c; the others say that both sides of a point have one slope.
    """
    h, slope = steps(x), slopes(x, y)
    rows, right = [first[0]], [first[1]]
    for k in range(1, len(h)):
        rows.append({k - 1: h[k - 1], k: 2.0 * (h[k - 1] + h[k]), k + 1: h[k]})
        right.append(slope[k] - slope[k - 1])
    c = solve_banded([*rows, last[0]], [*right, last[1]])
    first_derivative = [slope[k] - h[k] * (2.0 * c[k] + c[k + 1]) for k in range(len(h))]
    first_derivative.append(slope[-1] + h[-1] * (2.0 * c[-1] + c[-2]))
    shared = [(y[k], first_derivative[k], 3.0 * c[k]) for k in range(len(x))]
    return Pieces(x, shared, [(c[k + 1] - c[k]) / h[k] for k in range(len(h))])


def natural_pieces(x: Sequence[Any], y: Sequence[Any]) -> Pieces:
    """y'' = 0 at both ends."""
    return cubic_pieces(x, y, ({0: 1.0}, 0.0), ({len(x) - 1: 1.0}, 0.0))


def not_a_knot_pieces(x: Sequence[Any], y: Sequence[Any]) -> Pieces:
    """The first two pieces are one cubic, and the last two; through three points a parabola, two a line."""
    h, last = steps(x), len(x) - 1
    if last == 1:
        return natural_pieces(x, y)
    if last == 2:
        return cubic_pieces(x, y, ({0: 1.0, 1: -1.0}, 0.0), ({1: -1.0, 2: 1.0}, 0.0))
    # c[0] and c[n-1] are eliminated by hand: the condition as a row of its own has no dominant diagonal.
    slope = slopes(x, y)
    c = solve_banded(*_not_a_knot_system(h, slope))
    ends = [((h[0] + h[1]) * c[0] - h[0] * c[1]) / h[1], ((h[-1] + h[-2]) * c[-1] - h[-1] * c[-2]) / h[-2]]
    return cubic_pieces(x, y, ({0: 1.0}, ends[0]), ({last: 1.0}, ends[1]))


def _not_a_knot_system(h: list[Any], slope: list[Any]) -> tuple[list[dict[int, Any]], list[Any]]:
    """Rows for c[1] ... c[n-2]."""
    count = len(h) - 1
    rows = []
    for k in range(count):
        row = {k: 2.0 * (h[k] + h[k + 1])}
        if k > 0:
            row[k - 1] = h[k]
        if k < count - 1:
            row[k + 1] = h[k + 1]
        rows.append(row)
    for row, end, neighbour, near, far in (
        (rows[0], h[0], h[1], 0, 1),
        (rows[-1], h[-1], h[-2], count - 1, count - 2),
    ):
        row[near] = row[near] + end * (end + neighbour) / neighbour
        row[far] = row[far] - end * end / neighbour
    return rows, steps(slope)
