"""Sums of two doubles: a value and what its rounding left out."""

from __future__ import annotations

from condyle.kernels.elementary.ir import Value, fma, square_root

Pair = tuple[Value, Value]


def two_sum(a: Value, b: Value | float) -> Pair:
    """a + b rounded, and its error, exactly, in any order of size."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


def fast_two_sum(a: Value | float, b: Value) -> Pair:
    """The same for |a| >= |b| or a = 0."""
    total = a + b
    return total, b - (total - a)


def square(a: Value) -> Pair:
    """a^2 exactly."""
    product = a * a
    return product, fma(a, a, -product)


def quotient(above: Pair, below: Pair) -> Value:
    """Of two normalised pairs, within a little more than half a unit."""
    reciprocal = 1.0 / below[0]
    first = above[0] * reciprocal
    rest = fma(-first, below[0], above[0]) + fma(-first, below[1], above[1])
    return fma(rest, reciprocal, first)


def root(a: Pair) -> Pair:
    """Square root of a normalised positive pair."""
    first = square_root(a[0])
    return first, (fma(-first, first, a[0]) + a[1]) / (first + first)
