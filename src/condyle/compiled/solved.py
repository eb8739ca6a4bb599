"""Unknown joint variables of one pose at a time, through CasADi's interpreter: for what is settled when
compiling.
"""

from __future__ import annotations

from functools import cached_property

import casadi as ca
import numpy as np

from condyle.compiled.graph import Graph
from condyle.dynamics.closure import Closure
from condyle.errors import Problem
from condyle.mechanism.roles import Roles

_CLOSED = 1e-9  # step at which Newton's method ends, relative to 1 + |z|
_LONGEST = 0.5  # of a step, rad or m
_ITERATIONS = 60


class Solver:
    """Newton's method on implicit couplings and loops, with short steps. Final."""

    def __init__(self, roles: Roles, rows: tuple[int, ...]) -> None:
        self.roles, self.rows = roles, rows

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.roles.tree, roles=self.roles, closing_rows=self.rows)

    @cached_property
    def step(self) -> ca.Function:
        """(q, z) -> (Newton step, residual)."""
        graph = self.graph
        assert graph.embedding is not None
        closure = Closure(graph.embedding)
        values = graph.finished([closure.step(graph.dependent), closure.residual])
        return ca.Function("step", [graph.q, graph.dependent], ca.cse(values))

    @cached_property
    def positions(self) -> ca.Function:
        """(q, z) -> all joint variables s."""
        graph = self.graph
        assert graph.embedding is not None
        return ca.Function(
            "s", [graph.q, graph.dependent], [graph.embedding.positions(graph.q, graph.dependent)]
        )

    def settle(self, q: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, bool]:
        """(z with everything solved at q, starting near z; whether that worked)."""
        z = np.array(z, dtype=float)
        for _ in range(_ITERATIONS):
            step = np.array(self.step(q, z)[0].full())[:, 0]
            longest = np.abs(step).max(initial=0.0)
            if not np.isfinite(longest):
                return z, False
            z = z + step * min(1.0, _LONGEST / max(longest, 1e-300))
            if (np.abs(step) <= _CLOSED * (1 + np.abs(z))).all():
                return z, True
        return z, False

    def residual(self, q: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Of all equations: implicit couplings in order, then the rows of loops."""
        return np.array(self.step(q, z)[1].full())[:, 0]


def unsolved_couplings(solver: Solver, q: np.ndarray, z: np.ndarray) -> list[Problem]:
    """Which implicit couplings have no solution at the default pose, and what they say."""
    residual, problems, start = solver.residual(q, z), [], 0
    for coupling in solver.roles.implicit:
        own = residual[start : start + len(coupling.dependents)]
        start += own.size
        if np.isfinite(own).all() and np.abs(own).max() < 1e-9:
            continue
        named = ", ".join(repr(name) for name in coupling.dependents)
        given = ", ".join(coupling.independents)
        what = (
            f"no values of {named} near their defaults solve it at the default of {given} "
            f"(residual {np.abs(own).max():.3g}); change a default"
        )
        problems.append(Problem(f"couplings.{coupling.name}", what))
    return problems or [Problem("loops", "the default pose cannot be assembled; change a default")]
