"""Integrators, Newton loops and dense linear algebra: compiled loops around kernels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condyle.solve.dormand_prince54 import DormandPrince54
    from condyle.solve.dormand_prince853 import DormandPrince853
    from condyle.solve.integration import integrate
    from condyle.solve.rk4 import RK4
    from condyle.solve.rkf45 import RKF45
    from condyle.solve.system import Event, System
    from condyle.solve.trajectories import Occurrences, Trajectories

_HOMES = {
    "DormandPrince54": "dormand_prince54",
    "DormandPrince853": "dormand_prince853",
    "Event": "system",
    "Occurrences": "trajectories",
    "RK4": "rk4",
    "RKF45": "rkf45",
    "System": "system",
    "Trajectories": "trajectories",
    "integrate": "integration",
}

__all__ = [
    "RK4",
    "RKF45",
    "DormandPrince54",
    "DormandPrince853",
    "Event",
    "Occurrences",
    "System",
    "Trajectories",
    "integrate",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"condyle.solve.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
