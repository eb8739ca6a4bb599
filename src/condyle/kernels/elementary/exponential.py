"""exp and expm1 for every double.

Reduction: x = n ln 2 + r, |r| <= (ln 2)/2. n L1 is subtracted exactly by one fma (n has 11 bits, both sides
are multiples of 2^-53); n L2 rounds. Powers of two are put together in two factors, so that results reach the
largest double and fade out gradually at the small end.
"""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.ir import Value, absolute, fma, polynomial, select

LOG2_E = 1.4426950408889634
LN2 = (0.6931471805599453, 2.3190468138462996e-17)
ROUND = 1.5 * 2.0**52  # adding it rounds to an integer, which then sits in the low bits

# Remez on |r| <= 1.001 (ln 2)/2, e^r = 1 + r + r^2 E(r); relative error of e^r - 1: 2^-61.7
COEFFICIENTS = (
    0.5,
    0.16666666666666677,
    0.041666666666666505,
    0.008333333333321605,
    0.0013888888888962869,
    0.00019841269886212122,
    2.48015871719327e-05,
    2.7557244100290574e-06,
    2.75574028476507e-07,
    2.5109082688626533e-08,
    2.087536048834676e-09,
)


def reduced(x: Value, low: Value | float = -0.0) -> tuple[Value, Value, Value]:
    """n as a double, and x + low - n ln 2 as a pair, for |x| < 2^10 and low below a unit of x."""
    n = fma(x, LOG2_E, ROUND) - ROUND
    first = fma(n, -LN2[0], x)
    rest = fma(n, -LN2[1], low)
    r = first + rest
    return n, r, rest - (r - first)


def power_of_two(n: Value) -> Value:
    """2^n for an integer -1022 <= n <= 1023 held in a double."""
    return ((n + (ROUND + 1023.0)).bits() << 52).real()


def clamped(x: Value, low: float, high: float) -> Value:
    """Into [low, high]; NaN stays."""
    x = select(x.compare("ogt", high), high, x)
    return select(x.compare("olt", low), low, x)


def scaled(value: Value, n: Value) -> Value:
    """value 2^n for |n| <= 2044, rounded once more where the result is subnormal."""
    half = (n * 0.5 + ROUND) - ROUND
    return value * power_of_two(half) * power_of_two(n - half)


def exponential(x: Value, low: Value | float = -0.0) -> tuple[Value, Value]:
    """e^(x + low) = value 2^n, as (value, n), for |x| < 2^10 and low below a unit of x."""
    n, r, tail = reduced(x, low)
    return 1.0 + (r + fma(r * r, polynomial(r, COEFFICIENTS), tail)), n


def exp(x: Value) -> Value:
    """The clamped ends give infinity and zero."""
    n, r, _ = reduced(clamped(x, -746.0, 710.0))
    return scaled(1.0 + fma(r * r, polynomial(r, COEFFICIENTS), r), n)


def minus_one(x: Value) -> tuple[Value, Value]:
    """(e^x - 1)/4 as an unevaluated sum, for -60 <= x <= 711; a quarter, so that no power of two overflows.

    e^x - 1 = (2^n - 1) + 2^n r + 2^n (r^2 E(r) + tail); the sum of the first two is kept with its error. The
    first is larger than the second, or zero.
    """
    n, r, tail = reduced(x)
    scale = power_of_two(n - 2.0)
    whole = scale - 0.25
    high = fma(scale, r, whole)
    error = fma(scale, r, whole - high)
    return high, fma(scale, fma(r * r, polynomial(r, COEFFICIENTS), tail), error)


def expm1(x: Value) -> Value:
    """Small arguments are their own result, -0 included."""
    high, low = minus_one(clamped(x, -60.0, 710.0))
    return select(absolute(x).compare("olt", 2.0**-54), x, (high + low) * 4.0)


DEFINITIONS = (
    Definition("exp", exp, 1.5, "all x"),
    Definition("expm1", expm1, 1.5, "all x"),
)
