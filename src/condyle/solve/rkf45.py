"""The Runge-Kutta-Fehlberg pair of orders 4 and 5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from condyle.solve.control import Control
from condyle.solve.tableau import Tableau, combined, fractions, hermite

_FOURTH = fractions("25/216 0 1408/2565 2197/4104 -1/5 0")
_FIFTH = fractions("16/135 0 6656/12825 28561/56430 -9/50 2/55")


@final
@dataclass(frozen=True)
class RKF45:
    """Fehlberg's pair, 6 stages; continues with the fifth-order solution, as netlib's rkf45 does.

    The error estimate is that of the fourth-order solution; cubic Hermite output.
    Fehlberg (1969), NASA TR R-315, table III.
    """

    order: ClassVar[int] = 5
    family: ClassVar[str] = "explicit"
    control: ClassVar[Control | None] = Control(error_order=5, memory=0.04)
    tableau: ClassVar[Tableau] = Tableau(
        a=(
            fractions("1/4"),
            fractions("3/32 9/32"),
            fractions("1932/2197 -7200/2197 7296/2197"),
            fractions("439/216 -8 3680/513 -845/4104"),
            fractions("-8/27 2 -3544/2565 1859/4104 -11/40"),
        ),
        b=_FIFTH,
        errors=(combined(((fractions("1")[0], _FIFTH), (fractions("-1")[0], _FOURTH))),),
        dense=hermite(_FIFTH, 0, 6),
    )
