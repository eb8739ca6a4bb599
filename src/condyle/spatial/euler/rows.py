"""Rows of a constraint for rates of Euler parameters, for omega in ground axes, and for omega in body axes.

A row D_r rddot + D_omega omegadot = gamma becomes D_r rddot + Phi_p pddot = gamma_p. The multiple c of p' in
Phi_p = 2 D_omega G + c p' is free: it shifts the multiplier of |p| = 1 and, with p.pddot = -pdot.pdot, gamma.
Rows are (m x 3) or (m x 4), c and gamma vectors (m); the residual stays the same.
"""

from __future__ import annotations

from typing import Any

from condyle.spatial.euler.arrays import apply, inner, outer, scaled, transposed
from condyle.spatial.euler.matrices import G
from condyle.spatial.euler.orientation import orientation


def rows_in_body_axes(D: Any, p: Any) -> Any:
    """D_omega' = D_omega A (m x 3): omega = A omega'; gamma stays as it is."""
    return D @ orientation(p)


def rows_in_ground_axes(D: Any, p: Any) -> Any:
    """D_omega = D_omega' A' (m x 3)."""
    return D @ transposed(orientation(p))


def parameter_rows(D: Any, p: Any, along: Any = None) -> Any:
    """Phi_p = 2 D_omega G + c p' (m x 4); `along` is c (m), zero by default."""
    rows = 2 * D @ G(p)
    return rows if along is None else rows + outer(along, p)


def angular_rows(Phi: Any, p: Any) -> Any:
    """D_omega = Phi_p G' / 2 (m x 3), whatever c is."""
    return Phi @ transposed(G(p)) / 2


def along_parameters(Phi: Any, p: Any) -> Any:
    """c (m) = Phi_p p, the multiple of p' in rows of the p-form."""
    return apply(Phi, p)


def parameter_bias(gamma: Any, pdot: Any, along: Any) -> Any:
    """gamma_p = gamma_omega - c (pdot.pdot): in particular h(s) becomes h(s) + (omega.omega) s / 2."""
    return gamma - _squared(pdot, along)


def angular_bias(gamma: Any, pdot: Any, along: Any) -> Any:
    """gamma_omega = gamma_p + c (pdot.pdot)."""
    return gamma + _squared(pdot, along)


def _squared(pdot: Any, along: Any) -> Any:
    return scaled(inner(pdot, pdot), along)
