"""Integrators, Newton loops and dense linear algebra: compiled loops around kernels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condyle.solve.dormand_prince54 import DormandPrince54
    from condyle.solve.dormand_prince853 import DormandPrince853
    from condyle.solve.frames import FrameSolutions, follow_frames
    from condyle.solve.integration import integrate
    from condyle.solve.methods import METHODS, Method
    from condyle.solve.newton import Roots, find_roots
    from condyle.solve.rk4 import RK4
    from condyle.solve.rkf45 import RKF45
    from condyle.solve.rosenbrock import Rosenbrock
    from condyle.solve.sundials import CVODES
    from condyle.solve.system import Event, System
    from condyle.solve.tr_bdf2 import TRBDF2
    from condyle.solve.trajectories import Occurrences, Trajectories

_HOMES = {
    "CVODES": "sundials",
    "DormandPrince54": "dormand_prince54",
    "DormandPrince853": "dormand_prince853",
    "Event": "system",
    "FrameSolutions": "frames",
    "METHODS": "methods",
    "Method": "methods",
    "Occurrences": "trajectories",
    "RK4": "rk4",
    "RKF45": "rkf45",
    "Roots": "newton",
    "Rosenbrock": "rosenbrock",
    "System": "system",
    "TRBDF2": "tr_bdf2",
    "Trajectories": "trajectories",
    "find_roots": "newton",
    "follow_frames": "frames",
    "integrate": "integration",
}

__all__ = [
    "CVODES",
    "METHODS",
    "RK4",
    "RKF45",
    "TRBDF2",
    "DormandPrince54",
    "DormandPrince853",
    "Event",
    "FrameSolutions",
    "Method",
    "Occurrences",
    "Roots",
    "Rosenbrock",
    "System",
    "Trajectories",
    "find_roots",
    "follow_frames",
    "integrate",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"condyle.solve.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
