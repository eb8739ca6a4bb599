"""Joint variables f_j(q) with their gradients and Hessians: all that the closed form asks of a joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from condyle.closed_form.matrices import Matrix, matrix


@dataclass(frozen=True, eq=False)
class JointVariables:
    """f[j] (scalars), gradient[j] (nq x 1) and hessian[j] (nq x nq) of every joint, numbers or
    expressions.
    """

    f: Sequence[Any]
    gradient: Sequence[Matrix]
    hessian: Sequence[Matrix]

    @staticmethod
    def of(q: ca.SX, expressions: Sequence[Any]) -> JointVariables:
        """From expressions in q, by automatic differentiation."""
        f = [ca.SX(expression) for expression in expressions]
        gradient = [ca.gradient(value, q) for value in f]
        return JointVariables(f, gradient, [ca.jacobian(column, q) for column in gradient])

    @staticmethod
    def given(f: Any, f_q: Any, f_qq: Any) -> JointVariables:
        """From values f (m), gradients as rows of f_q (m x nq) and Hessians f_qq (m x nq x nq, or m x nq^2).

        They may come from a regression, from a spline, or from any solution of loop equations.
        """
        if isinstance(f_q, ca.SX):
            m, nq = f_q.shape
            hessian = [ca.reshape(f_qq[j, :], nq, nq) for j in range(m)]
            return JointVariables([f[j] for j in range(m)], [f_q[j, :].T for j in range(m)], hessian)
        f, f_q = np.asarray(f, dtype=float), np.asarray(f_q, dtype=float)
        m, nq = f_q.shape
        f_qq = np.asarray(f_qq, dtype=float).reshape(m, nq, nq)
        return JointVariables(list(f), [matrix(row) for row in f_q], list(f_qq))

    def at(self, q: ca.SX, values: Any) -> JointVariables:
        """The numbers of expressions in q at `values` (nq)."""
        pairs = zip(self.f, self.gradient, self.hessian, strict=True)
        parts = [ca.densify(part) for triple in pairs for part in triple]
        found = [part.full() for part in ca.Function("variables", [q], parts).call([ca.DM(values)])]
        return JointVariables([float(value[0, 0]) for value in found[0::3]], found[1::3], found[2::3])

    @property
    def nq(self) -> int:
        return self.gradient[0].shape[0]
