"""Joint variables that solve g(q, s) = 0, by the paper's analytical projection [empirical, 101-120]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.couplings.equations import Equations


@final
@dataclass(frozen=True)
class Projection(Equations):
    """`dependent`... solve as many `equations`, each a function of (`independent`..., `dependent`...).

    Gradients and Hessians come out of the loop's equations by the paper's projections, one joint variable
    after the other: the same as `Implicit` gives, with the square of its condition number. The right-hand
    side of the Hessians, which the paper leaves out, is Gamma_i,ab = -S_a' Hess(g_i) S_b with S = [I; ds/dq].
    `condyle.closed_form` has the same with the paper's Kronecker products.
    """

    def derivative(self, q: ca.SX, s: ca.SX) -> ca.SX:
        g = self.residual(q, s)
        return eliminated(ca.jacobian(g, s), -ca.jacobian(g, q))

    def curvature(self, q: ca.SX, s: ca.SX, rates: ca.SX) -> ca.SX:
        columns = ca.jacobian(self.residual(q, s), s)
        return eliminated(columns, -self.bend(q, s, rates, self.derivative(q, s)))


def eliminated(A: ca.SX, right: ca.SX) -> ca.SX:
    """X (n x k) with A X = right: rows x_i are what multiplies the columns g_i of A [empirical, 105-119].

    Going down, gamma_i takes g_i and all later columns out [110-117]; going up, each x_i follows from those
    before it [118, 119].
    """
    n = A.shape[0]
    columns = ca.horzsplit(ca.sparsify(A))
    after = [ca.SX.eye(n)]  # gamma_{n+1}, gamma_n, ..., gamma_2
    for g in reversed(columns[1:]):
        gamma = after[-1]
        projected = ca.mtimes(gamma, g)
        # The projections are symmetric: gamma g g' gamma is the outer product of `projected`.
        after.append(ca.sparsify(gamma - ca.mtimes(projected, projected.T) / ca.sumsqr(projected)))
    eta = ca.SX(*right.shape)
    rows = []
    for g, gamma in zip(columns, reversed(after), strict=True):
        projected = ca.mtimes(gamma, g)
        x = ca.mtimes(projected.T, right - eta) / ca.sumsqr(projected)
        eta = ca.sparsify(eta + ca.mtimes(g, x))
        rows.append(x)
    return ca.sparsify(ca.vertcat(*rows))
