"""Matrices of numbers (NumPy) or of expressions (CasADi SX), and the products that the paper works with."""

from __future__ import annotations

from functools import reduce
from typing import Any

import casadi as ca
import numpy as np

#: np.ndarray (two axes) or ca.SX.
Matrix = Any


def matrix(value: Any) -> Matrix:
    """Two axes, numbers as floats; a plain vector becomes a column."""
    if isinstance(value, ca.SX):
        return value
    array = np.asarray(value, dtype=float)
    return array.reshape(-1, 1) if array.ndim < 2 else array


def kron(*factors: Matrix) -> Matrix:
    """Kronecker product of all factors, left to right."""
    return reduce(_kron, factors)


def _kron(a: Matrix, b: Matrix) -> Matrix:
    if isinstance(a, ca.SX) or isinstance(b, ca.SX):
        return ca.kron(ca.sparsify(ca.SX(a)), ca.sparsify(ca.SX(b)))
    return np.kron(matrix(a), matrix(b))


def vec(a: Matrix) -> Matrix:
    """The columns of a (m x n) on top of each other, (m n x 1)."""
    return ca.vec(a) if isinstance(a, ca.SX) else matrix(a).reshape(-1, 1, order="F")


def blocks(rows: list[list[Matrix]]) -> Matrix:
    """One matrix of blocks, given row by row."""
    if any(isinstance(block, ca.SX) for row in rows for block in row):
        return ca.sparsify(ca.vertcat(*[ca.horzcat(*row) for row in rows]))
    return np.block([[matrix(block) for block in row] for row in rows])


def tilde(v: Matrix) -> Matrix:
    """Skew matrix (3 x 3) of a vector of numbers: tilde(v) w = v x w."""
    x, y, z = np.asarray(v, dtype=float).reshape(3)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def sine(angle: Any) -> Any:
    """Of a number or an expression."""
    return ca.sin(angle) if isinstance(angle, ca.SX) else np.sin(angle)


def cosine(angle: Any) -> Any:
    """Of a number or an expression."""
    return ca.cos(angle) if isinstance(angle, ca.SX) else np.cos(angle)


def homogeneous(v: Any, last: float) -> Matrix:
    """{v; last} (4 x 1) of a vector (3)."""
    return blocks([[matrix(v)], [np.array([[last]])]])


def elementary(i: int, k: int, m: int, n: int) -> np.ndarray:
    """E_ik (m x n): 1 in row i and column k (from 0), else 0."""
    E = np.zeros((m, n))
    E[i, k] = 1.0
    return E


def permutation(m: int, n: int) -> np.ndarray:
    """U_{m,n} = sum of E_ik (m x n) kron E_ki (n x m) [eq. 2], an (m n x m n) matrix.

    U_{m,n} vec(A) = vec(A') for A (m x n); U_{m,n} (X kron Y) = (Y kron X) U_{t,s} for X (n x s), Y (m x t).
    The paper prints its size as m x m.
    """
    U = np.zeros((m * n, m * n))
    i, k = np.meshgrid(np.arange(m), np.arange(n), indexing="ij")
    U[(i * n + k).ravel(), (k * m + i).ravel()] = 1.0
    return U
