"""Dense linear least squares by Householder reflections, one matrix per lane, inside compiled loops."""

from __future__ import annotations

from math import sqrt

from condyle.solve.native.language import Floats2, Floats3, native

ROUND_OFF = 1e-14


@native
def solve_least_squares(a: Floats3, x: Floats2, lane: int, m: int, n: int) -> int:
    """Minimise |a[lane] z - x[lane]|, a (m, n), m >= n; z goes into x[lane], first n; destroys a[lane].

    Returns 1, or 0 where a column depends on those before it, to round-off.
    """
    largest = 0.0
    for step in range(n):
        square = 0.0
        for row in range(step, m):
            square += a[lane, row, step] * a[lane, row, step]
        norm = sqrt(square)
        largest = max(largest, norm)
        if not norm > ROUND_OFF * largest:
            return 0
        # v = column + sign(first) norm e; the reflection is 1 - v v' / (norm |v_first|).
        diagonal = -norm if a[lane, step, step] > 0.0 else norm
        a[lane, step, step] -= diagonal
        scale = 1.0 / (diagonal * a[lane, step, step])
        for column in range(step + 1, n):
            total = 0.0
            for row in range(step, m):
                total += a[lane, row, step] * a[lane, row, column]
            for row in range(step, m):
                a[lane, row, column] += total * scale * a[lane, row, step]
        total = 0.0
        for row in range(step, m):
            total += a[lane, row, step] * x[lane, row]
        for row in range(step, m):
            x[lane, row] += total * scale * a[lane, row, step]
        a[lane, step, step] = diagonal
    for row in range(n - 1, -1, -1):
        total = x[lane, row]
        for column in range(row + 1, n):
            total -= a[lane, row, column] * x[lane, column]
        x[lane, row] = total / a[lane, row, row]
    return 1
