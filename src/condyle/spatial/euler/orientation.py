"""The rotation matrix of Euler parameters, and how points fixed in a body move with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.spatial.euler.arrays import apply, column, entries, inner, is_symbolic, matrix, outer, transposed
from condyle.spatial.euler.matrices import G, L, bar, tilde


def orientation(p: Any) -> Any:
    """A (3 x 3) = G L' from body to ground components, for |p| = 1; p'p A for any p."""
    return G(p) @ transposed(L(p))


def orientation_rate(p: Any, pdot: Any) -> Any:
    """Adot = 2 G(pdot) L'."""
    return 2 * G(pdot) @ transposed(L(p))


def orientation_of_axis(p: Any) -> Any:
    """A = (2 e0^2 - 1) 1 + 2 e e' + 2 e0 e~ (appendix of paper 002, B.12; the same for |p| = 1)."""
    e0, e = entries(p)[0], _vector_part(p)
    scalar = 2 * e0 * e0 - 1
    zero = 0 * e0
    diagonal = matrix(((scalar, zero, zero), (zero, scalar, zero), (zero, zero, scalar)))
    return diagonal + 2 * outer(e, e) + 2 * _times(e0, tilde(e))


def point_matrix(p: Any, s: Any) -> Any:
    """B(p, s') (3 x 4) = d(A s')/dp = 2 G s'bar, for s' fixed in the body: sdot = B pdot."""
    return 2 * G(p) @ bar(s)


def point_acceleration(p: Any, pdot: Any, pddot: Any, s: Any) -> Any:
    """sddot = B(p, s') pddot + 2 Gdot s'bar pdot in ground axes."""
    return apply(point_matrix(p, s), pddot) + apply(point_matrix(pdot, s), pdot)


def centripetal(p: Any, pdot: Any, s: Any) -> Any:
    """h(s) = omega x (omega x s) from 2 Gdot s'bar pdot = h(s) + (omega.omega) s / 2."""
    squared = 4 * inner(pdot, pdot)
    carried = apply(point_matrix(pdot, s), pdot)
    return carried - apply(_times(squared / 2, orientation(p)), s)


def _vector_part(p: Any) -> Any:
    return p[1:4] if is_symbolic(p) else np.asarray(p, dtype=float)[..., 1:4]


def _times(factor: Any, m: Any) -> Any:
    """A matrix times a number per member of the batch."""
    return factor * m if is_symbolic(factor, m) else column(column(factor)) * m
