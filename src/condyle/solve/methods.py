"""All methods that `integrate` accepts."""

from __future__ import annotations

from typing import TypeAlias

from condyle.solve.dormand_prince54 import DormandPrince54
from condyle.solve.dormand_prince853 import DormandPrince853
from condyle.solve.rk4 import RK4
from condyle.solve.rkf45 import RKF45
from condyle.solve.rosenbrock import Rosenbrock
from condyle.solve.sundials import CVODES
from condyle.solve.tr_bdf2 import TRBDF2

Method: TypeAlias = RK4 | RKF45 | DormandPrince54 | DormandPrince853 | TRBDF2 | Rosenbrock | CVODES

METHODS: tuple[type[Method], ...] = (
    RK4,
    RKF45,
    DormandPrince54,
    DormandPrince853,
    TRBDF2,
    Rosenbrock,
    CVODES,
)
