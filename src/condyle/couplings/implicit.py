"""Joint variables that solve equations g(q, s) = 0, by the implicit-function theorem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.couplings.equations import Equations
from condyle.couplings.linear import LinearSystem


@final
@dataclass(frozen=True)
class Implicit(Equations):
    """`dependent`... solve as many `equations`, each a function of (`independent`..., `dependent`...).

    Derivatives are those of the implicit-function theorem: one factorisation of dg/ds gives
    ds/dq = -(dg/ds)^-1 dg/dq and, with S = [I; ds/dq], d2s/dq2[:, a, b] = -(dg/ds)^-1 (S_a' Hess(g) S_b).
    They are the same as those of the analytical projection, which squares the condition number of dg/ds.
    Of several solutions, a mechanism takes the one that is continuously connected to its default pose.
    `near`: where Newton's method starts when the coupling is asked by itself; () stands for zeros.
    """

    def derivative(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return self._system(q, s).solve(-ca.jacobian(self.residual(q, s), q))

    def curvature(self, q: ca.SX, s: ca.SX, rates: ca.SX) -> ca.SX:
        return self._system(q, s).solve(-self.bend(q, s, rates, self.derivative(q, s)))

    def _system(self, q: ca.SX, s: ca.SX) -> LinearSystem:
        g = self.residual(q, s)
        return LinearSystem(ca.jacobian(g, s), ca.jacobian(g, q))
