"""Joint variables that solve g(q, s) = 0, by numerical differentiation [empirical, 3-3, figure 2]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca
import numpy as np

from condyle.couplings.equations import Equations
from condyle.couplings.linear import LinearSystem
from condyle.functions.leaves import finite_problems

#: Newton steps from the centre of the molecule to each other point. From a distance h they leave about
#: (c h)^32 with c the curvature over the slope: round-off as long as the step means anything.
ITERATIONS = 5


@final
@dataclass(frozen=True)
class FiniteDifference(Equations):
    """`dependent`... solve as many `equations`, each a function of (`independent`..., `dependent`...).

    Derivatives are central differences over the paper's computational molecule: the equations are solved
    at 1 + 2 m + 2 m (m - 1) points, `step` away from the middle along each of the m independents. Their error
    falls with the square of the step until round-off takes over, which for second derivatives is soon: the
    other kinds are exact and cheaper. It is here to compare with.
    """

    step: float = 1e-4

    def derivative(self, q: ca.SX, s: ca.SX) -> ca.SX:
        m = q.numel()
        pairs = [(self._moved(q, s, {a: 1}), self._moved(q, s, {a: -1})) for a in range(m)]
        return ca.horzcat(*[(after - before) / (2.0 * self.step) for after, before in pairs])

    def curvature(self, q: ca.SX, s: ca.SX, rates: ca.SX) -> ca.SX:
        m, total = q.numel(), ca.SX(s.numel(), 1)
        # The centre is solved like the others: so its own derivatives cancel against theirs.
        s = self._moved(q, s, {})
        for a in range(m):
            ends = self._moved(q, s, {a: 1}) + self._moved(q, s, {a: -1})
            total = total + rates[a] ** 2 * (ends - 2.0 * s) / self.step**2
            for b in range(a):
                same = self._moved(q, s, {a: 1, b: 1}) + self._moved(q, s, {a: -1, b: -1})
                other = self._moved(q, s, {a: 1, b: -1}) + self._moved(q, s, {a: -1, b: 1})
                total = total + rates[a] * rates[b] * (same - other) / (2.0 * self.step**2)
        return total

    def _moved(self, q: ca.SX, s: ca.SX, steps: dict[int, int]) -> ca.SX:
        """S at a point of the molecule, `steps` away from its centre (q, s)."""
        shifts = np.zeros(q.numel())
        for place, count in steps.items():
            shifts[place] = count
        there = q + self.step * ca.DM(shifts)
        s_ = ca.SX.sym("s", s.numel())
        g = self.residual(there, s_)
        better = s_ + LinearSystem(ca.jacobian(g, s_)).solve(-g)
        for _ in range(ITERATIONS):
            s = ca.substitute([better], [s_], [ca.densify(s)])[0]
        return s

    def problems(self) -> list[str]:
        wrong = finite_problems("step", self.step)
        if not wrong and not isinstance(self.step, ca.SX) and self.step <= 0.0:
            wrong.append(f"step must be positive, found {self.step}")
        return super().problems() + wrong
