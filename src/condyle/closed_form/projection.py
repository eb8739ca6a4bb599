"""Analytical projection: gradients and Hessians of joint variables that solve G(f, q) = 0 [eq. 100-120]."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from condyle.closed_form.calculus import derivative
from condyle.closed_form.matrices import Matrix, kron, permutation, vec
from condyle.closed_form.multibody import total
from condyle.closed_form.variables import JointVariables


def eliminated(columns: Sequence[Matrix], right: Matrix) -> list[Matrix]:
    """The x_j (n x 1) with sum over j of g_j kron x_j = right (m n x 1) [eq. 102 and 120]; g_j (m x 1).

    Projections gamma_i take the columns out, the last first [eq. 110-117]; then every x_i follows, the first
    first [eq. 118, 119]. The error grows with the square of the condition number of [g_1 ... g_m].
    """
    m = len(columns)
    n = right.shape[0] // m
    gamma: list[Matrix] = [np.eye(m)]  # gamma_{m+1}, gamma_m, ..., gamma_2
    for g in reversed(columns[1:]):
        after = gamma[-1]
        sigma = np.eye(m) - (g @ g.T @ after) / _square(after @ g)  # eq. 116
        gamma.append(after @ sigma)  # eq. 117
    eta: Matrix = np.zeros((m * n, 1))
    found = []
    for g, after in zip(columns, reversed(gamma), strict=True):
        x = -kron(g.T @ after, np.eye(n)) @ (eta - right) / _square(after @ g)  # eq. 118
        eta = eta + kron(g, x)  # eq. 119
        found.append(x)
    return found


def project(G: ca.SX, f: ca.SX, q: ca.SX) -> JointVariables:
    """Joint variables f (m) with their gradients and Hessians from G(f, q) = 0 (m), as expressions in f and
    q.
    """
    m, nq = f.numel(), q.numel()
    columns = [ca.jacobian(G, f[j]) for j in range(m)]  # eq. 104
    gradient = eliminated(columns, -derivative(G, q))
    hessian = eliminated(columns, gamma_of(G, f, q, gradient))
    return JointVariables(
        [f[j] for j in range(m)], gradient, [ca.reshape(column, nq, nq) for column in hessian]
    )


def gamma_of(G: ca.SX, f: ca.SX, q: ca.SX, gradient: Sequence[ca.SX]) -> ca.SX:
    """Gamma (m nq^2 x 1) of equation 120, which the paper leaves out; the total derivative of equation 102.

    - d^2 G/dq^2 - sum over k of (d/df_k dG/dq) kron grad f_k
    - sum over j of (I_m kron U_{nq,nq}) ((dg_j/dq + sum over k of dg_j/df_k kron grad f_k) kron grad f_j)
    """
    m, nq = f.numel(), q.numel()

    def along_f(A: ca.SX) -> list[ca.SX]:
        """D A/df_k kron grad f_k of a column A."""
        return [kron(ca.jacobian(A, f[k]), gradient[k]) for k in range(m)]

    slope = derivative(G, q)
    parts = [derivative(slope, q), *along_f(slope)]
    swap = kron(np.eye(m), permutation(nq, nq))
    for j in range(m):
        g = ca.jacobian(G, f[j])
        parts.append(swap @ kron(total([derivative(g, q), *along_f(g)]), gradient[j]))
    return -total(parts)


def vec_hessians(variables: JointVariables) -> list[Matrix]:
    """Vec(H_j) of all joints [eq. 80]."""
    return [vec(hessian) for hessian in variables.hessian]


def _square(v: Matrix) -> Matrix:
    """|v|^2 of a column."""
    return v.T @ v
