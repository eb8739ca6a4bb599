"""G, L, their 4 x 4 companions, and the 4 x 4 matrices of a three-vector (Nikravesh; paper 000, appendix A).

All are linear in their argument: their rates are the same functions of the rates. p = (e0, e1, e2, e3).
"""

from __future__ import annotations

from typing import Any

from condyle.spatial.euler.arrays import below, column, entries, matrix, transposed


def tilde(a: Any) -> Any:
    """a~ (3 x 3) with a~ b = a x b."""
    x, y, z = entries(a)
    zero = 0 * x
    return matrix(((zero, -z, y), (z, zero, -x), (-y, x, zero)))


def G(p: Any) -> Any:
    """(3 x 4) [-e, e0 1 + e~], paper 000 equation 26: omega = 2 G pdot in ground axes."""
    e0, e1, e2, e3 = entries(p)
    return matrix(((-e1, e0, -e3, e2), (-e2, e3, e0, -e1), (-e3, -e2, e1, e0)))


def L(p: Any) -> Any:
    """(3 x 4) [-e, e0 1 - e~], paper 000 equation 27: omega' = 2 L pdot in body axes."""
    e0, e1, e2, e3 = entries(p)
    return matrix(((-e1, e0, e3, -e2), (-e2, -e3, e0, e1), (-e3, e2, -e1, e0)))


def plus(a: Any) -> Any:
    """a+ (4 x 4) = [0, -a'; a, a~]: G(p)' a = a+ p (paper 000, equations 29 and 30)."""
    x, y, z = entries(a)
    zero = 0 * x
    return matrix(((zero, -x, -y, -z), (x, zero, -z, y), (y, z, zero, -x), (z, -y, x, zero)))


def bar(a: Any) -> Any:
    """abar (4 x 4) = [0, -a'; a, -a~]: L(p)' a = abar p (paper 000, equations 29 and 30)."""
    x, y, z = entries(a)
    zero = 0 * x
    return matrix(((zero, -x, -y, -z), (x, zero, z, -y), (y, -z, zero, x), (z, y, -x, zero)))


def L_star(p: Any) -> Any:
    """L* (4 x 4) = [p'; L]: p_ij = L*(p_j) p_i (paper 000, equation 18). Orthogonal for a unit p."""
    return below(transposed(column(p)), L(p))


def R_star(p: Any) -> Any:
    """R* (4 x 4) = [p'; -L]: p_ij = R*(p_i) p_j (paper 000, equation 37). Orthogonal for a unit p."""
    return below(transposed(column(p)), -L(p))
