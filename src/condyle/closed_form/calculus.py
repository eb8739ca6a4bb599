"""Derivatives of matrices with respect to a vector: definition 1 and theorems 1 to 4 [eq. 3-37].

`dA` stands for dA/dq, an (m r x n) matrix for A (m x n) and q (r): every entry of A is replaced by its
gradient.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from condyle.closed_form.matrices import Matrix, kron, permutation


def derivative(A: ca.SX, q: ca.SX) -> ca.SX:
    """dA/dq = sum of E_ik kron dA_ik/dq [definition 1, eq. 3], by automatic differentiation."""
    (m, n), r = A.shape, q.numel()
    gradients = ca.jacobian(ca.vec(A), q).T  # r x (m n), the columns of A one after the other
    columns = [ca.vec(gradients[:, k * m : (k + 1) * m]) for k in range(n)]
    return ca.horzcat(ca.SX(m * r, 0), *columns)


def of_product(A: Matrix, dA: Matrix, B: Matrix, dB: Matrix) -> Matrix:
    """d(A B)/dq = dA/dq B + (A kron I_r) dB/dq [theorem 1, eq. 4]."""
    return dA @ B + kron(A, np.eye(_length(A, dA))) @ dB


def of_multiple(a: Matrix, da: Matrix, A: Matrix, dA: Matrix) -> Matrix:
    """d(a A)/dq = A kron da/dq + a dA/dq of a scalar a [theorem 2, eq. 11]."""
    return kron(A, da) + a * dA


def of_kronecker(A: Matrix, dA: Matrix, C: Matrix, dC: Matrix) -> Matrix:
    """d(A kron C)/dq = (I_m kron U_{s,r}) (dA/dq kron C) + A kron dC/dq [theorem 3, eq. 14]; C (s x p)."""
    m, s, r = A.shape[0], C.shape[0], _length(A, dA)
    return kron(np.eye(m), permutation(s, r)) @ kron(dA, C) + kron(A, dC)


def differential(dA: Matrix, dq: Matrix) -> Matrix:
    """DA = (I_m kron dq') dA/dq [theorem 4a, eq. 27]; with qdot it is the rate of A."""
    return kron(np.eye(dA.shape[0] // dq.shape[0]), dq.T) @ dA


def differential_from_transpose(dAT: Matrix, dq: Matrix) -> Matrix:
    """DA = (dA'/dq)' (I_n kron dq) [theorem 4b, eq. 28], from the derivative of A's transpose."""
    return dAT.T @ kron(np.eye(dAT.shape[0] // dq.shape[0]), dq)


def _length(A: Matrix, dA: Matrix) -> int:
    """R, the number of entries of q."""
    return dA.shape[0] // A.shape[0]
