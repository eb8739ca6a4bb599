"""Dense LU factors with partial pivoting, one matrix per lane, for use inside compiled loops."""

from __future__ import annotations

from condyle.solve.native.language import Floats2, Floats3, Ints2, native


@native
def factor(a: Floats3, pivots: Ints2, lane: int, n: int) -> int:
    """Replace a[lane] (n, n) by its factors L (unit diagonal) and U; pivots[lane] are the swapped rows.

    Returns 1, or 0 where a pivot is zero or not a number: the matrix is singular.
    """
    for step in range(n):
        best = step
        largest = abs(a[lane, step, step])
        for row in range(step + 1, n):
            if abs(a[lane, row, step]) > largest:
                largest = abs(a[lane, row, step])
                best = row
        pivots[lane, step] = best
        if not largest > 0.0:
            return 0
        if best != step:
            for column in range(n):
                kept = a[lane, step, column]
                a[lane, step, column] = a[lane, best, column]
                a[lane, best, column] = kept
        inverse = 1.0 / a[lane, step, step]
        for row in range(step + 1, n):
            if a[lane, row, step] != 0.0:
                multiple = a[lane, row, step] * inverse
                a[lane, row, step] = multiple
                for column in range(step + 1, n):
                    a[lane, row, column] -= multiple * a[lane, step, column]
    return 1


@native
def solve(a: Floats3, pivots: Ints2, x: Floats2, lane: int, n: int) -> None:
    """Replace x[lane] (n) by the solution of A x = x[lane], A factored by `factor`."""
    for step in range(n):
        other = pivots[lane, step]
        kept = x[lane, step]
        x[lane, step] = x[lane, other]
        x[lane, other] = kept
    for row in range(n):
        total = x[lane, row]
        for column in range(row):
            total -= a[lane, row, column] * x[lane, column]
        x[lane, row] = total
    for row in range(n - 1, -1, -1):
        total = x[lane, row]
        for column in range(row + 1, n):
            total -= a[lane, row, column] * x[lane, column]
        x[lane, row] = total / a[lane, row, row]
