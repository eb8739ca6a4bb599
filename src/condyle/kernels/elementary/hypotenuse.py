"""hypot: sqrt(x^2 + y^2) with the larger square exact."""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.ir import Value, absolute, fma, select, square_root

LARGE, SMALL = 2.0**500, 2.0**-450


def hypot_near(x: Value, y: Value) -> Value:
    """Where neither square overflows and the larger one does not underflow."""
    larger, smaller = _sorted(x, y)
    return square_root(fma(larger, larger, smaller * smaller))


def _sorted(x: Value, y: Value) -> tuple[Value, Value]:
    x, y = absolute(x), absolute(y)
    swap = x.compare("olt", y)
    return select(swap, y, x), select(swap, x, y)


def outside(x: Value, y: Value) -> Value:
    """Larger than 2^500, smaller than 2^-450 but not zero, infinite, NaN."""
    larger, smaller = _sorted(x, y)
    beyond = larger.compare("ugt", LARGE) | (larger.compare("olt", SMALL) & larger.compare("ogt", 0.0))
    return beyond | smaller.compare("uno", 0.0)


DEFINITIONS = (
    Definition(
        "hypot",
        hypot_near,
        1.0,
        "both 0, or the larger within 2^-450 and 2^500; the C library otherwise",
        arguments=2,
        outside=outside,
        libm=("hypot",),
    ),
)
