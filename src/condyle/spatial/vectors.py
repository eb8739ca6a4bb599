"""Three-vectors and 3 x 3 matrices as sparse CasADi expressions: a structural zero costs no instruction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca


def constant(values: Any) -> ca.SX:
    """A float, (nested) sequence of floats or expressions, or expression as SX with exact zeros removed."""
    if isinstance(values, ca.SX):
        return ca.sparsify(values)
    if isinstance(values, Sequence) and any(_symbolic(entry) for entry in values):
        rows = [ca.horzcat(*row) if isinstance(row, Sequence) else row for row in values]
        return ca.sparsify(ca.SX(ca.vertcat(*rows)))
    return ca.sparsify(ca.SX(ca.DM(values)))


def _symbolic(entry: Any) -> bool:
    if isinstance(entry, Sequence) and not isinstance(entry, str):
        return any(_symbolic(item) for item in entry)
    return isinstance(entry, ca.SX)


def skew(v: ca.SX) -> ca.SX:
    """Matrix with skew(v) w = v x w."""
    x, y, z = v[0], v[1], v[2]
    zero = ca.SX(1, 1)
    return ca.vertcat(ca.horzcat(zero, -z, y), ca.horzcat(z, zero, -x), ca.horzcat(-y, x, zero))


def vee(matrix: ca.SX) -> ca.SX:
    """The vector of a skew matrix (read from its lower triangle)."""
    return ca.vertcat(matrix[2, 1], matrix[0, 2], matrix[1, 0])


def cross(a: ca.SX, b: ca.SX) -> ca.SX:
    """a x b, keeping structural zeros of both factors."""
    return ca.mtimes(skew(a), b)
