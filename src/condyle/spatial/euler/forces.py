"""Generalised forces on Euler parameters and torques: Q_p.pdot = n.omega for every motion."""

from __future__ import annotations

from typing import Any

from condyle.spatial.euler.arrays import apply, transposed
from condyle.spatial.euler.matrices import G, L


def parameter_force(p: Any, torque: Any) -> Any:
    """Q_p = 2 G' n of a torque n [N m] in ground axes."""
    return 2 * apply(transposed(G(p)), torque)


def parameter_force_from_body(p: Any, torque: Any) -> Any:
    """Q_p = 2 L' n' of a torque n' [N m] in body axes."""
    return 2 * apply(transposed(L(p)), torque)


def torque(p: Any, force: Any) -> Any:
    """n = G Q_p / 2 [N m], ground axes; what Q_p has along p does no work."""
    return apply(G(p), force) / 2


def torque_in_body(p: Any, force: Any) -> Any:
    """n' = L Q_p / 2 [N m], body axes."""
    return apply(L(p), force) / 2
