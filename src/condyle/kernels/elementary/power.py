"""pow: exp(y log x) with the logarithm and the product carried as pairs.

The result's relative error is the absolute error of y log x, which reaches 745: the logarithm needs 2^-64.
"""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.exponential import clamped, exponential, scaled
from condyle.kernels.elementary.ir import Value, absolute, fma, polynomial, select
from condyle.kernels.elementary.logarithm import LN2_HIGH, LN2_LOW, SMALLEST_NORMAL, split
from condyle.kernels.elementary.pairs import Pair, fast_two_sum, square, two_sum

INFINITY = float("inf")
TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)
# Remez on |s| <= 0.1716, z = s^2, 2 artanh s = 2 s + s z (2/3 + z L(z)), relative error 2^-73.5
COEFFICIENTS = (
    0.3999999999999998,
    0.28571428571445123,
    0.2222222221753379,
    0.1818181887064592,
    0.15384556848213934,
    0.1333631830174892,
    0.11674800477378182,
    0.11989164159447792,
)


def long_log(x: Value) -> Pair:
    """log x as a pair, for a positive normal x; relative error about 2^-66."""
    k, m = split(x)
    f = m - 1.0
    below = f + 2.0
    lost = f - (below - 2.0)
    s = f / below
    s_low = fma(-s, lost, fma(-s, below, f)) / below
    z, z_low = square(s)
    z_low = fma(s + s, s_low, z_low)
    part = polynomial(z, COEFFICIENTS)
    product = z * part
    factor, factor_low = fast_two_sum(TWO_THIRDS[0], product)
    factor_low = factor_low + (fma(z, part, -product) + fma(z_low, part, TWO_THIRDS[1]))
    cube = s * z
    cube_low = fma(s, z, -cube) + fma(s_low, z, s * z_low)
    term = cube * factor
    term_low = fma(cube, factor, -term) + fma(cube, factor_low, cube_low * factor)
    high, low = fast_two_sum(s + s, term)
    low = low + (fma(s_low, 2.0, term_low))
    total, rest = two_sum(k * LN2_HIGH, high)
    return fast_two_sum(total, rest + fma(k, LN2_LOW, low))


def pow_near(x: Value, y: Value) -> Value:
    """x^y for +0 and for positive normal x, y finite."""
    high, low = long_log(x)
    product = y * high
    rest = fma(y, low, fma(y, high, -product))
    inside = absolute(product).compare("olt", 1000.0)
    value, n = exponential(clamped(product, -746.0, 710.0), select(inside, rest, 0.0))
    result = scaled(value, n)
    at_zero = select(y.compare("olt", 0.0), INFINITY, select(y.compare("ogt", 0.0), 0.0, y * 0.0 + 1.0))
    return select(x.compare("oeq", 0.0), at_zero, result)


def outside(x: Value, y: Value) -> Value:
    """Negative, -0, subnormal and infinite bases, infinite exponents, NaN."""
    served = (x.compare("oge", SMALLEST_NORMAL) & x.compare("olt", INFINITY)) | x.bits().compare("eq", 0)
    return ~(served & absolute(y).compare("olt", INFINITY))


DEFINITIONS = (
    Definition(
        "pow",
        pow_near,
        1.0,
        "normal x > 0 or x = +0, finite y; the C library otherwise",
        arguments=2,
        outside=outside,
        libm=("pow",),
    ),
)
