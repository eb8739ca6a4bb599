"""asin and acos on [-1, 1] (NaN beyond), atan for every double, atan2 for every pair of doubles."""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.ir import (
    Value,
    absolute,
    constant,
    copysign,
    fma,
    polynomial,
    select,
    square_root,
)
from condyle.kernels.elementary.pairs import two_sum

PI = (3.141592653589793, 1.2246467991473532e-16)
PI_HALF = (1.5707963267948966, 6.123233995736766e-17)
PI_QUARTER = (0.7853981633974483, 3.061616997868383e-17)
PI_THREE_QUARTERS = (2.356194490192345, 9.184850993605148e-17)
INFINITY = float("inf")
TAN_PI_8, TAN_3PI_8 = 0.41421356237309503, 2.414213562373095

# Remez on |x| <= 0.50003, z = x^2, asin x = x + x z A(z), relative error 2^-59.8
ARCSINE = (
    0.16666666666666763,
    0.07499999999970226,
    0.04464285717515713,
    0.030381942681753777,
    0.022372215715826593,
    0.017351599044952364,
    0.013980974553665225,
    0.011397664511423775,
    0.010787176795878161,
    0.0036805117130265623,
    0.021769852956851254,
    -0.021086556109919816,
    0.03268284946471772,
)
# Remez on |t| <= 1.0005 tan(pi/8), z = t^2, atan t = t + t z T(z), relative error 2^-59.5
ARCTANGENT = (
    -0.333333333333332,
    0.19999999999953663,
    -0.1428571428020412,
    0.11111110783819667,
    -0.09090897767234164,
    0.07692060364628973,
    -0.06663105488954846,
    0.058478976410067454,
    -0.050393319771228906,
    0.03806498465921066,
    -0.017907376848385642,
)


def _arcsine_of_half(x: Value) -> tuple[Value, Value, Value]:
    """(outer, a, b): asin a = a + b; a is |x|, or sqrt((1 - |x|)/2) in the outer lanes |x| > 1/2."""
    size = absolute(x)
    outer = size.compare("ogt", 0.5)
    square = select(outer, fma(size, -0.5, 0.5), x * x)
    a = select(outer, square_root(square), size)
    return outer, a, a * square * polynomial(square, ARCSINE)


def asin(x: Value) -> Value:
    """Odd; pi/2 - 2 asin sqrt((1 - |x|)/2) in the outer lanes."""
    outer, a, b = _arcsine_of_half(x)
    far = PI_HALF[0] - (a * 2.0 + fma(b, 2.0, -PI_HALF[1]))
    return copysign(select(outer, far, a + b), x)


def acos(x: Value) -> Value:
    """pi/2 - asin x in the middle; 2 asin sqrt((1 - |x|)/2), or pi minus that, in the outer lanes."""
    outer, a, b = _arcsine_of_half(x)
    negative = x.compare("olt", 0.0)
    a, b = copysign(a, x), copysign(b, x)
    middle = PI_HALF[0] - (a + (b - PI_HALF[1]))
    # a and b are negative where x is: pi + 2 (a + b)
    base, rest = select(negative, PI[0], 0.0), select(negative, PI[1], 0.0)
    far = base + (a * 2.0 + fma(b, 2.0, rest))
    return select(outer, far, middle)


def _angle(height: Value, width: Value) -> tuple[Value, Value, Value, Value]:
    """(low, high, t, rest) for finite height, width >= 0: their angle is t + rest + (0, pi/2 or pi/4).

    The offset is 0 in the lanes low, pi/2 in the lanes high, pi/4 between.
    The quotient is height/width, (height - width)/(height + width) or -width/height; sums are pairs, and the
    quotient's own error goes into the rest.
    """
    low = height.compare("ole", width * TAN_PI_8)
    high = height.compare("ogt", width * TAN_3PI_8)
    difference, difference_tail = two_sum(height, -width)
    total, total_tail = two_sum(height, width)
    above = select(low, height, select(high, -width, difference))
    below = select(low, width, select(high, height, total))
    edge = low | high
    above_tail, below_tail = select(edge, 0.0, difference_tail), select(edge, 0.0, total_tail)
    below = select(below.compare("oeq", 0.0), 1.0, below)
    t = above / below
    error = (fma(-t, below, above) + fma(-t, below_tail, above_tail)) / below
    square = t * t
    rest = fma(t * square, polynomial(square, ARCTANGENT), error)
    return low, high, t, rest


def _choose(low: Value, high: Value, values: tuple[float, float, float]) -> Value:
    return select(low, values[0], select(high, constant(values[1], low), values[2]))


def atan(x: Value) -> Value:
    """Odd; 2^100 stands for all that is larger."""
    size = absolute(x)
    low, high, t, rest = _angle(select(size.compare("ogt", 2.0**100), 2.0**100, size), constant(1.0, x))
    tail = _choose(low, high, (0.0, PI_HALF[1], PI_QUARTER[1]))
    return copysign(_choose(low, high, (0.0, PI_HALF[0], PI_QUARTER[0])) + (t + (rest + tail)), x)


def atan2(y: Value, x: Value) -> Value:
    """Angle of the point (x, y) in [-pi, pi], the sign of y; zeros and infinities as in the C library."""
    height, width = absolute(y), absolute(x)
    height_infinite, width_infinite = height.compare("oeq", INFINITY), width.compare("oeq", INFINITY)
    height = select(height_infinite, 1.0, select(width_infinite, height * 0.0, height))
    width = select(width_infinite, 1.0, select(height_infinite, width * 0.0, width))
    scale = select((height + width).compare("ogt", 2.0**1000), constant(2.0**-100, x), 1.0)
    low, high, t, rest = _angle(height * scale, width * scale)
    behind = x.bits().compare("slt", 0)
    t, rest = select(behind, -t, t), select(behind, -rest, rest)
    offset, tail = (
        select(
            behind,
            _choose(low, high, (PI[k], PI_HALF[k], PI_THREE_QUARTERS[k])),
            _choose(low, high, (0.0, PI_HALF[k], PI_QUARTER[k])),
        )
        for k in (0, 1)
    )
    return copysign(offset + (t + (rest + tail)), y)


DEFINITIONS = (
    Definition("asin", asin, 2.0, "|x| <= 1, NaN beyond"),
    Definition("acos", acos, 1.5, "|x| <= 1, NaN beyond"),
    Definition("atan", atan, 1.0, "all x"),
    Definition("atan2", atan2, 1.0, "all y, x", arguments=2),
)
