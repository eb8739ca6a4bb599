"""Products of Euler parameters and the orientation of one body seen from another (paper 000, section 3.2)."""

from __future__ import annotations

from typing import Any

from condyle.spatial.euler.arrays import apply, entries, inner, vector
from condyle.spatial.euler.matrices import L, L_star, R_star


def conjugate(p: Any) -> Any:
    """(e0, -e): the opposite rotation."""
    e0, e1, e2, e3 = entries(p)
    return vector((e0, -e1, -e2, -e3))


def product(first: Any, second: Any) -> Any:
    """The Hamilton product: A(product) = A(first) A(second)."""
    return apply(L_star(conjugate(first)), second)


def relative(p_i: Any, p_j: Any) -> Any:
    """p_ij = L*(p_j) p_i, the orientation of i as seen from j: A(p_ij) = A_j' A_i."""
    return apply(L_star(p_j), p_i)


def relative_rate(p_i: Any, p_j: Any, rate_i: Any, rate_j: Any) -> Any:
    """pdot_ij = L*_j pdot_i + R*_i pdot_j (paper 000, equation 37)."""
    return apply(L_star(p_j), rate_i) + apply(R_star(p_i), rate_j)


def relative_second_rate(p: tuple[Any, Any], rates: tuple[Any, Any], second_rates: tuple[Any, Any]) -> Any:
    """pddot_ij of (i, j): L*_j pddot_i + R*_i pddot_j + (2 pdot_i.pdot_j; 2 Ldot_j pdot_i) (equation 39)."""
    (p_i, p_j), (rate_i, rate_j), (second_i, second_j) = p, rates, second_rates
    carried = 2 * apply(L(rate_j), rate_i)
    across = entries(carried)
    along = 2 * inner(rate_i, rate_j)
    bias = vector((along, *across))
    return apply(L_star(p_j), second_i) + apply(R_star(p_i), second_j) + bias
