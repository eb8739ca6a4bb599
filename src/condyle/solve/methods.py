"""All methods that `integrate` accepts."""

from __future__ import annotations

from typing import Any, TypeAlias

from condyle.errors import InputError, closest
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


def checked_method(method: Any) -> Method:
    """The method, if it is one; else an error that says what is allowed."""
    if isinstance(method, METHODS):
        return method
    if method in METHODS:
        raise InputError(f"method: {method.__name__} is a class; allowed: an instance, {method.__name__}()")
    names = [f"{kind.__name__}()" for kind in METHODS]
    raise InputError(f"method: {method!r} is none of condyle.solve{closest(str(method), names)}")
