"""The classical Runge-Kutta method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from condyle.solve.control import Control
from condyle.solve.tableau import Tableau, fractions, hermite

_B = fractions("1/6 1/3 1/3 1/6")


@final
@dataclass(frozen=True)
class RK4:
    """Runge-Kutta of order 4, 4 stages, fixed step (`integrate(..., step=...)`); cubic Hermite output.

    Kutta (1901); Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, table II.1.2.
    """

    order: ClassVar[int] = 4
    family: ClassVar[str] = "explicit"
    control: ClassVar[Control | None] = None
    tableau: ClassVar[Tableau] = Tableau(
        a=(fractions("1/2"), fractions("0 1/2"), fractions("0 0 1")),
        b=_B,
        dense=hermite(_B, 0, 4),
    )
