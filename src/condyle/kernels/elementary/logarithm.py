"""log and log1p for every double; the same core takes a pair, for the inverse hyperbolic functions.

Reduction: w = 2^k m, sqrt(1/2) <= m < sqrt(2). With f = m - 1 (exact) and s = f/(2 + f),
log m = 2 artanh s = f - f^2/2 + s (f^2/2 + z L(z)), z = s^2: the leading f is exact, what follows is small.
"""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.ir import Value, absolute, fma, polynomial, select
from condyle.kernels.elementary.pairs import two_sum

LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # 32 bits: k times it is exact
LN2_LOW = 1.9082149292705877e-10
SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
ONE_BITS = 0x3FF0000000000000
MANTISSA = (1 << 52) - 1
SMALLEST_NORMAL = 2.0**-1022

# Remez on |s| <= 0.1716 z = s^2, 2 artanh s = 2 s + s z L(z), relative error 2^-58.5
COEFFICIENTS = (
    0.6666666666666734,
    0.3999999999941394,
    0.2857142874256639,
    0.22222198553419195,
    0.1818356542430405,
    0.15314020708444642,
    0.1479626516469374,
)


def split(w: Value) -> tuple[Value, Value]:
    """(k, m) with w = 2^k m, sqrt(1/2) <= m < sqrt(2), for a positive normal w; k is a double."""
    bits = w.bits() + (ONE_BITS - SQRT_HALF_BITS)
    # the biased exponent, put into the low bits of 2^52, is 2^52 plus itself
    k = ((bits >> 52) | 0x4330000000000000).real() - (2.0**52 + 1023.0)
    return k, ((bits & MANTISSA) + SQRT_HALF_BITS).real()


def log_of_sum(w: Value, tail: Value | None = None, exponent: Value | None = None) -> Value:
    """log((w + tail) 2^exponent) for a positive normal w, |tail| at most a unit of w."""
    k, m = split(w)
    if exponent is not None:
        k = k + exponent
    f = m - 1.0
    s = f / (f + 2.0)
    z = s * s
    half_square = f * (f * 0.5)
    correction = k * LN2_LOW
    if tail is not None:
        correction = correction + tail / w
    small = fma(s, fma(z, polynomial(z, COEFFICIENTS), half_square), correction)
    return fma(k, LN2_HIGH, f - (half_square - small))


def _ends(x: Value, result: Value) -> Value:
    """What the C library gives at zero, below, at infinity and for NaN."""
    result = select(x.compare("ult", float("inf")), result, x)  # infinity; NaN is put right below
    result = select(x.compare("oeq", 0.0), float("-inf"), result)
    return select(x.compare("ult", 0.0), float("nan"), result)


def log(x: Value) -> Value:
    """Subnormal arguments are scaled first."""
    subnormal = x.compare("olt", SMALLEST_NORMAL)
    scaled = select(subnormal, x * 2.0**54, x)
    return _ends(x, log_of_sum(scaled, exponent=select(subnormal, -54.0, 0.0)))


def log1p(x: Value) -> Value:
    """1 + x is formed as a pair."""
    high, low = two_sum(x, 1.0)
    result = _ends(high, log_of_sum(high, low))
    return select(absolute(x).compare("olt", 2.0**-54), x, result)


DEFINITIONS = (
    Definition("log", log, 1.0, "all x"),
    Definition("log1p", log1p, 1.0, "all x"),
)
