"""TR-BDF2: trapezoidal rule, then second-order backward differentiation, in one step."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, final

from condyle.solve.control import Control

GAMMA = 2.0 - sqrt(2.0)


@final
@dataclass(frozen=True)
class TRBDF2:
    """Order 2, L-stable, stiffly accurate, two implicit stages with one matrix; output by a parabola through
    the three states of a step.

    The error estimate is that of a third-order companion. Needs the system's jacobian.
    Bank et al. (1985), IEEE Trans. CAD 4(4); Hosea and Shampine (1996), Appl. Num. Math. 20, table 1.
    """

    order: ClassVar[int] = 2
    family: ClassVar[str] = "tr_bdf2"
    implicit: ClassVar[bool] = True  # asks for df/dy
    control: ClassVar[Control | None] = Control(error_order=3, grow=5.0)
    #: Diagonal of the implicit stages, nodes, weights (those of the last stage, too), third-order weights.
    diagonal: ClassVar[float] = GAMMA / 2.0
    nodes: ClassVar[tuple[float, ...]] = (0.0, GAMMA, 1.0)
    weights: ClassVar[tuple[float, ...]] = (sqrt(2.0) / 4.0, sqrt(2.0) / 4.0, GAMMA / 2.0)
    companion: ClassVar[tuple[float, ...]] = (
        (1.0 - sqrt(2.0) / 4.0) / 3.0,
        (1.0 + 3.0 * sqrt(2.0) / 4.0) / 3.0,
        GAMMA / 6.0,
    )
