"""The smallest rotation that takes one direction to another."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from condyle.spatial.euler.arrays import apply, entries, inner, is_symbolic, scaled, vector
from condyle.spatial.euler.matrices import tilde


def least_rotation(a: Any, b: Any) -> Any:
    """Unit p (4), e0 >= 0, with A(p) a = b for unit vectors a and b, about a x b.

    p is (1 + a.b, a x b) made unit. Of opposite directions it is not determined: a half turn about some axis
    across a in NumPy, not a number in CasADi.
    """
    p = vector((1 + inner(a, b), *entries(apply(tilde(a), b))))
    if is_symbolic(p):
        return p / ca.norm_2(p)
    length = np.sqrt(inner(p, p))
    opposite = length < 1e-12
    if np.any(opposite):
        p = np.where(opposite[..., None], _half_turn(np.asarray(a, dtype=float)), p)
        length = np.where(opposite, 1.0, length)
    return scaled(1 / length, p)


def _half_turn(a: np.ndarray) -> np.ndarray:
    """(0, axis) with the axis across a, from the coordinate axis that is farthest from it."""
    farthest = np.eye(3)[np.argmin(np.abs(a), axis=-1)]
    axis = np.cross(a, farthest)
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    return np.concatenate([np.zeros((*axis.shape[:-1], 1)), axis], axis=-1)
