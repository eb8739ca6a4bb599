"""Sine, cosine, both at once, and tangent, for |x| <= 2^20; beyond, the C library lane by lane.

Reduction: x = n pi/2 + (high - low), n the integer nearest to 2x/pi, pi/2 = P1 + P2 + P3 (53, 33, 53 bits).
Each step is exact but the last, because n has at most 20 bits:
- x - n P1 is less than 1 and a multiple of 2^-52 (or of the unit of x, below 1): one fma gives it exactly;
- n P2 has at most 53 bits, so (high, low) is an error-free subtraction, also where it cancels;
- n P3 enters the tail with an error of 2^-120; the double in range that comes nearest to a multiple of pi/2
  leaves 2^-60. The tail has the opposite sign so that -0 stays -0.
"""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.ir import Value, absolute, fma, polynomial, select
from condyle.kernels.elementary.pairs import fast_two_sum, quotient

LIMIT = 2.0**20
TWO_OVER_PI = 0.6366197723675814
PI_HALF = (1.5707963267948966, float.fromhex("0x1.1a62633100000p-54"), 3.5215598651832e-27)
ROUND = 1.5 * 2.0**52  # adding it rounds to an integer, which then sits in the low bits
SIGN = 1 << 63

# Remez on |r| <= 1.0005 pi/4, z = r^2, weighted for the relative error of the result:
# sin r = r - r z S(z), error 2^-57.9; cos r = 1 - z/2 + z^2 C(z), error 2^-64.0
SINE = (
    0.1666666666666663,
    -0.008333333333322063,
    0.00019841269829542045,
    -2.7557313604194757e-06,
    2.505074497466507e-08,
    -1.5896063518523298e-10,
)
COSINE = (
    0.041666666666666595,
    -0.0013888888888872967,
    2.4801587288794112e-05,
    -2.7557314162268154e-07,
    2.087569847864867e-09,
    -1.1358411786037254e-11,
)


def reduced(x: Value) -> tuple[Value, Value, Value]:
    """Quadrant (integer, its two lowest bits count) and the pair high - low, |high| <= pi/4."""
    turns = fma(x, TWO_OVER_PI, ROUND)
    n = turns - ROUND
    first = fma(n, -PI_HALF[0], x)
    high = fma(n, -PI_HALF[1], first)
    low = fma(n, PI_HALF[1], high - first)
    return turns.bits(), high, fma(n, PI_HALF[2], low)


def _sine(high: Value, low: Value, square: Value) -> Value:
    return high - fma(high * square, polynomial(square, SINE), low)


def _cosine(square: Value) -> Value:
    # the tail would move this by at most 0.4 ulp: left out
    return fma(square, fma(square, polynomial(square, COSINE), -0.5), 1.0)


def sine_and_cosine(x: Value) -> tuple[Value, Value]:
    """Both polynomials, swapped in odd quadrants, then the signs."""
    quadrant, high, low = reduced(x)
    square = high * high
    sine, cosine = _sine(high, low, square), _cosine(square)
    odd = (quadrant & 1).compare("ne", 0)
    first, second = select(odd, cosine, sine), select(odd, sine, cosine)
    return _negated(first, quadrant), _negated(second, quadrant + 1)


def tangent(x: Value) -> Value:
    """Sine over cosine, or minus its reciprocal in odd quadrants, from sums that have not been rounded."""
    quadrant, high, low = reduced(x)
    square = high * high
    part = fma(square, polynomial(square, COSINE), -0.5)
    sine = fast_two_sum(high, -fma(high * square, polynomial(square, SINE), low))
    cosine = fast_two_sum(1.0, fma(square, part, high * low))
    odd = (quadrant & 1).compare("ne", 0)
    above = select(odd, -cosine[0], sine[0]), select(odd, -cosine[1], sine[1])
    below = select(odd, sine[0], cosine[0]), select(odd, sine[1], cosine[1])
    return select(absolute(x).compare("olt", 2.0**-54), x, quotient(above, below))


def _negated(value: Value, quadrant: Value) -> Value:
    """Change of sign where the second bit of the quadrant is set."""
    return (value.bits() ^ ((quadrant << 62) & SIGN)).real()


def outside(x: Value) -> Value:
    """Beyond 2^20, and NaN."""
    return absolute(x).compare("ugt", LIMIT)


_RANGE = "|x| <= 2^20; the C library beyond"

DEFINITIONS = (
    Definition(
        "sin", lambda x: sine_and_cosine(x)[0], 1.5, _RANGE, outside=outside, libm=("sin",), inline=True
    ),
    Definition(
        "cos", lambda x: sine_and_cosine(x)[1], 1.5, _RANGE, outside=outside, libm=("cos",), inline=True
    ),
    Definition(
        "sincos", sine_and_cosine, 1.5, _RANGE, results=2, outside=outside, libm=("sin", "cos"), inline=True
    ),
    Definition("tan", tangent, 1.5, _RANGE, outside=outside, libm=("tan",)),
)
