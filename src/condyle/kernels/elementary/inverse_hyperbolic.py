"""asinh, acosh and atanh: logarithms of arguments formed as pairs, so that nothing is lost near zero."""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.ir import Value, absolute, copysign, fma, select
from condyle.kernels.elementary.logarithm import log_of_sum
from condyle.kernels.elementary.pairs import Pair, root, square, two_sum

SMALL = 2.0**-50  # below, asinh x and atanh x are x
BIG = 2.0**28  # above, asinh x and acosh x are log 2x
INFINITY = float("inf")


def _log_with_root(size: Value, addend: float) -> Value:
    """log(a + sqrt(a^2 + addend)) for a >= 0 (addend 1) or a >= 1 (addend -1); infinity and NaN stay."""
    product, error = square(size)
    total, lost = two_sum(product, addend)
    high, low = root((total, lost + error))
    low = select(total.compare("oeq", 0.0), 0.0, low)
    sum_high, sum_low = two_sum(high, size)
    big = size.compare("ogt", BIG)
    argument, tail = select(big, size, sum_high), select(big, 0.0, sum_low + low)
    result = log_of_sum(argument, tail, select(big, 1.0, 0.0))
    return select(size.compare("olt", INFINITY), result, size)


def asinh(x: Value) -> Value:
    """Odd; log(|x| + sqrt(x^2 + 1))."""
    size = absolute(x)
    return select(size.compare("olt", SMALL), x, copysign(_log_with_root(size, 1.0), x))


def acosh(x: Value) -> Value:
    """log(x + sqrt(x^2 - 1)); NaN below 1."""
    return select(x.compare("ult", 1.0), float("nan"), _log_with_root(x, -1.0))


def atanh(x: Value) -> Value:
    """Odd; half of log((1 + |x|)/(1 - |x|)); infinite at 1, NaN beyond."""
    size = absolute(x)
    above, below = two_sum(size, 1.0), two_sum(-size, 1.0)
    high, low = _long_quotient(above, below)
    result = log_of_sum(high, low) * 0.5
    result = select(size.compare("oeq", 1.0), INFINITY, result)
    result = select(size.compare("ugt", 1.0), float("nan"), result)
    return select(size.compare("olt", SMALL), x, copysign(result, x))


def _long_quotient(above: Pair, below: Pair) -> Pair:
    """Above over below as a pair."""
    first = above[0] / below[0]
    rest = fma(-first, below[0], above[0]) + fma(-first, below[1], above[1])
    return first, rest / below[0]


DEFINITIONS = (
    Definition("asinh", asinh, 1.0, "all x"),
    Definition("acosh", acosh, 1.0, "all x"),
    Definition("atanh", atanh, 1.0, "all x"),
)
