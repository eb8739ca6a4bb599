"""One way to write formulas that hold for CasADi expressions and for NumPy arrays with leading axes.

A vector is (n x 1) in CasADi, (..., n) in NumPy; a matrix is (m x n), or (..., m, n). `@` multiplies matrices
of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

CASADI = (ca.SX, ca.MX, ca.DM)


def is_symbolic(*values: Any) -> bool:
    """Whether any of these is a CasADi expression."""
    return any(isinstance(value, CASADI) for value in values)


def entries(v: Any) -> list[Any]:
    """The components of a vector; of a batch, each over its leading axes."""
    if is_symbolic(v):
        return [v[k] for k in range(v.numel())]
    v = np.asarray(v, dtype=float)
    return [v[..., k] for k in range(v.shape[-1])]


def vector(components: Sequence[Any]) -> Any:
    """The vector of these components."""
    if is_symbolic(*components):
        return ca.vertcat(*components)
    return np.stack(np.broadcast_arrays(*components), axis=-1)


def matrix(rows: Sequence[Sequence[Any]]) -> Any:
    """The matrix of these entries; exact zeros become structural in CasADi."""
    flat = [entry for row in rows for entry in row]
    if is_symbolic(*flat):
        return ca.sparsify(ca.vertcat(*[ca.horzcat(*row) for row in rows]))
    shared = np.broadcast_arrays(*[np.asarray(entry, dtype=float) for entry in flat])
    return np.stack(shared, axis=-1).reshape(*shared[0].shape, len(rows), len(rows[0]))


def beside(*parts: Any) -> Any:
    """Matrices side by side."""
    if is_symbolic(*parts):
        return ca.horzcat(*parts)
    return np.concatenate(_same_leading(parts), axis=-1)


def below(*parts: Any) -> Any:
    """Matrices one below the other."""
    if is_symbolic(*parts):
        return ca.vertcat(*parts)
    return np.concatenate(_same_leading(parts), axis=-2)


def column(v: Any) -> Any:
    """A vector as a matrix of one column."""
    return v if is_symbolic(v) else np.asarray(v, dtype=float)[..., None]


def columns(m: Any) -> list[Any]:
    """The columns of a matrix, as vectors."""
    return [m[:, k] for k in range(m.shape[1])] if is_symbolic(m) else list(np.moveaxis(m, -1, 0))


def transposed(m: Any) -> Any:
    """The transpose of a matrix."""
    return m.T if is_symbolic(m) else np.swapaxes(m, -1, -2)


def apply(m: Any, v: Any) -> Any:
    """Matrix times vector."""
    if is_symbolic(m, v):
        return ca.mtimes(_constant(m), _constant(v))
    return np.matmul(m, np.asarray(v, dtype=float)[..., None])[..., 0]


def outer(a: Any, b: Any) -> Any:
    """a b'."""
    return column(a) @ transposed(column(b))


def inner(a: Any, b: Any) -> Any:
    """a.b."""
    if is_symbolic(a, b):
        return ca.dot(_constant(a), _constant(b))
    return np.sum(np.asarray(a, dtype=float) * b, axis=-1)


def scaled(factor: Any, v: Any) -> Any:
    """A vector times a number per member of the batch."""
    return factor * v if is_symbolic(factor, v) else np.asarray(factor)[..., None] * v


def cosine(angle: Any) -> Any:
    """The cosine of an angle [rad]."""
    return ca.cos(angle) if is_symbolic(angle) else np.cos(angle)


def sine(angle: Any) -> Any:
    """The sine of an angle [rad]."""
    return ca.sin(angle) if is_symbolic(angle) else np.sin(angle)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """One of two numbers per member of the batch, without a branch."""
    return ca.if_else(condition, yes, no) if is_symbolic(condition) else np.where(condition, yes, no)


def solved(m: Any, v: Any) -> Any:
    """x with m x = v, m square."""
    if is_symbolic(m, v):
        return ca.solve(ca.densify(ca.SX(_constant(m))), ca.densify(ca.SX(_constant(v))))
    return np.linalg.solve(np.asarray(m, dtype=float), np.asarray(v, dtype=float)[..., None])[..., 0]


def arc_tangent(y: Any, x: Any) -> Any:
    """atan2(y, x) [rad]."""
    return ca.atan2(y, x) if is_symbolic(y, x) else np.arctan2(y, x)


def square_root(x: Any) -> Any:
    """The square root."""
    return ca.sqrt(x) if is_symbolic(x) else np.sqrt(x)


def _constant(value: Any) -> Any:
    return value if is_symbolic(value) else ca.DM(np.asarray(value, dtype=float))


def _same_leading(parts: Sequence[Any]) -> list[np.ndarray]:
    arrays = [np.asarray(part, dtype=float) for part in parts]
    leading = np.broadcast_shapes(*[array.shape[:-2] for array in arrays])
    return [np.broadcast_to(array, leading + array.shape[-2:]) for array in arrays]
