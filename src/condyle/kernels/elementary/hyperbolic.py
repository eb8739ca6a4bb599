"""sinh, cosh and tanh for every double, from (e^|x| - 1)/4 as a pair and from e^|x|."""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.exponential import clamped, exponential, minus_one, scaled
from condyle.kernels.elementary.ir import Value, absolute, copysign, select
from condyle.kernels.elementary.pairs import fast_two_sum, quotient, two_sum

SMALL = 2.0**-54  # below, sinh x and tanh x are x


def sinh(x: Value) -> Value:
    """(t + t/(t + 1))/2 with t = e^|x| - 1 = 4 q."""
    size = absolute(x)
    high, low = minus_one(clamped(size, 0.0, 710.5))
    q = high + low
    result = copysign(q * 2.0 + (q / (q + 0.25)) * 0.5, x)
    return select(size.compare("olt", SMALL), x, result)


def cosh(x: Value) -> Value:
    """e/2 + 1/(2 e) with e = e^|x|."""
    value, n = exponential(clamped(absolute(x), 0.0, 711.0))
    half = scaled(value, n - 1.0)
    return half + 0.25 / half


def tanh(x: Value) -> Value:
    """t/(t + 2) with t = e^(2 |x|) - 1 = 4 q; 1 to rounding beyond |x| = 22."""
    size = absolute(x)
    q = fast_two_sum(*minus_one(clamped(size + size, 0.0, 44.0)))
    high, low = two_sum(q[0], 0.5)
    result = copysign(quotient(q, (high, low + q[1])), x)
    return select(size.compare("olt", SMALL), x, result)


DEFINITIONS = (
    Definition("sinh", sinh, 2.0, "all x"),
    Definition("cosh", cosh, 1.5, "all x"),
    Definition("tanh", tanh, 1.0, "all x"),
)
