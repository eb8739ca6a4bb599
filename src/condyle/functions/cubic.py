"""Cubic splines from their second derivatives at the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from condyle.functions.banded import solve_banded
from condyle.functions.pieces import Pieces


def steps(x: Sequence[Any]) -> list[Any]:
    """h[k] = x[k+1] - x[k]."""
    return [after - before for before, after in zip(x, x[1:])]


def slopes(x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
    """Divided differences y[k, k+1]."""
    return [(y[k + 1] - y[k]) / h for k, h in enumerate(steps(x))]


def interior_rows(x: Sequence[Any], y: Sequence[Any]) -> tuple[list[dict[int, Any]], list[Any]]:
    """Rows 1 ... n-2 of the system for c = y''/6 at the points: slopes agree on both sides of a point."""
    h, slope = steps(x), slopes(x, y)
    rows, right = [], []
    for k in range(1, len(x) - 1):
        rows.append({k - 1: h[k - 1], k: 2.0 * (h[k - 1] + h[k]), k + 1: h[k]})
        right.append(slope[k] - slope[k - 1])
    return rows, right


def cubic_pieces(x: Sequence[Any], y: Sequence[Any], c: Sequence[Any]) -> Pieces:
    """The cubic spline with ordinates y and second derivatives 6 c at x."""
    h, slope = steps(x), slopes(x, y)
    first = [slope[k] - h[k] * (2.0 * c[k] + c[k + 1]) for k in range(len(h))]
    first.append(slope[-1] + h[-1] * (2.0 * c[-1] + c[-2]))
    shared = [(y[k], first[k], 3.0 * c[k]) for k in range(len(x))]
    return Pieces(x, shared, [(c[k + 1] - c[k]) / h[k] for k in range(len(h))])


def solved_cubic(
    x: Sequence[Any], y: Sequence[Any], first: tuple[dict[int, Any], Any], last: tuple[dict[int, Any], Any]
) -> Pieces:
    """The cubic spline whose end conditions are the given rows of the system for c."""
    rows, right = interior_rows(x, y)
    c = solve_banded([first[0], *rows, last[0]], [first[1], *right, last[1]])
    return cubic_pieces(x, y, c)
