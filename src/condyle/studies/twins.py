"""A joint as mobilizer and as its constrained twins: accelerations with reaction loads, and simulations, timed side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

import condyle as cd
from condyle.bench.evaluation import chained, independent
from condyle.bench.timing import Timing, interleaved
from condyle.compiled.graph import Graph
from condyle.compiled.state_equations import StateEquations
from condyle.dynamics.crba import crba
from condyle.dynamics.reactions import joint_reactions
from condyle.dynamics.rnea import rnea
from condyle.kernels import Kernel, build
from condyle.solve import DormandPrince54, System, integrate

ROWS = 256
ROUNDS = 21


@dataclass(frozen=True)
class Contender:
    """One formulation: its mechanism, states (q, u) to evaluate at, and how it is solved.

    dense: the whole system [M G'; G 0] as one dense elimination without projection, instead of the library's path.
    """

    mechanism: cd.Mechanism
    q: np.ndarray
    u: np.ndarray
    dense: bool = False

    def acceleration_kernel(self) -> Kernel:
        """(q, u, tau) -> accelerations and reaction loads (the joint's, or the constraints')."""
        return build(lambda: self._acceleration(), key=None, name="acceleration")

    def system(self) -> System:
        """The differential equations, with projection unless dense."""
        equations = StateEquations(self.mechanism)
        nq, nu = self.q.shape[-1], self.u.shape[-1]
        if not self.dense:
            return System(
                nq + nu,
                equations.rhs(),
                unit_groups=self.mechanism.tree.unit_groups,
                position_projection=equations.position_projection(),
                velocity_projection=equations.velocity_projection(),
            )
        return System(
            nq + nu,
            build(lambda: self._dense_rhs(), key=None, name="dense_rhs"),
            unit_groups=self.mechanism.tree.unit_groups,
        )

    def trajectory(self, times: np.ndarray, tolerance: float) -> np.ndarray:
        """Q (nt, nq) of the first state's motion."""
        y0 = np.concatenate([self.q[0], self.u[0]])
        found = integrate(
            self.system(), y0, times, rtol=tolerance, atol=tolerance, p=np.zeros(self.u.shape[-1])
        )
        return found.states[:, : self.q.shape[-1]]

    def operations(self) -> int:
        """Instructions of the accelerations alone."""
        graph = self.mechanism.graph()
        udot = dense_accelerations(graph)[0] if self.dense else graph.forward.udot
        return ca.Function("f", [graph.q, graph.u, graph.tau], ca.cse([udot])).n_instructions()

    def _acceleration(self) -> ca.Function:
        graph = self.mechanism.graph()
        if self.dense:
            udot, multipliers = dense_accelerations(graph)
        else:
            udot, multipliers = graph.forward.udot, graph.forward.multipliers
        if graph.constrained is None:
            loads = joint_reactions(graph.linkage, graph.forward.wrenches)
        else:
            wrenches = graph.constrained.wrenches(multipliers)
            loads = ca.vertcat(*[ca.vertcat(*wrench) for wrench in wrenches.values()] or [multipliers])
        return ca.Function("acceleration", [graph.q, graph.u, graph.tau], ca.cse([udot, loads]))

    def _dense_rhs(self) -> ca.Function:
        graph = self.mechanism.graph()
        rhs = ca.vertcat(graph.linkage.qdot(), dense_accelerations(graph)[0])
        y = ca.vertcat(graph.q, graph.u)
        return ca.Function("dense_rhs", [y, graph.time, graph.tau], ca.cse([ca.densify(rhs)]))


def dense_accelerations(graph: Graph) -> tuple[ca.SX, ca.SX]:
    """(udot, lambda) from the whole system by elimination in the order of its rows, no structure used."""
    assert graph.constrained is not None
    equations = graph.constrained.equations
    bias = rnea(graph.linkage, ca.SX(graph.u.numel(), 1)).tau
    G = equations.G
    matrix = ca.densify(ca.blockcat([[crba(graph.linkage), G.T], [G, ca.SX(G.shape[0], G.shape[0])]]))
    right = ca.vertcat(graph.tau - bias, -equations.bias)
    n = matrix.shape[0]
    rows = [[matrix[i, j] for j in range(n)] + [right[i]] for i in range(n)]
    for k in range(n):
        inverse = 1 / rows[k][k]
        for i in range(k + 1, n):
            factor = rows[i][k] * inverse
            for j in range(k + 1, n + 1):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
    solution: list[ca.SX] = [ca.SX(0)] * n
    for k in reversed(range(n)):
        rest = rows[k][n]
        for j in range(k + 1, n):
            rest = rest - rows[k][j] * solution[j]
        solution[k] = rest / rows[k][k]
    nu = graph.u.numel()
    return ca.vertcat(*solution[:nu]), ca.vertcat(*solution[nu:])


def acceleration_times(contenders: Mapping[str, Contender]) -> dict[str, dict[str, Timing]]:
    """Seconds per evaluation: "chained" (scalar, each state waits for the last result), "scalar" (independent states), "lanes"."""
    measured: dict[str, dict[str, object]] = {"chained": {}, "scalar": {}, "lanes": {}}
    for name, contender in contenders.items():
        kernel = contender.acceleration_kernel()
        rows = len(contender.q)
        inputs = [contender.q, contender.u, np.zeros_like(contender.u)]
        measured["chained"][name] = (chained(kernel, inputs, 8 * rows), 8 * rows)
        measured["scalar"][name] = (independent(kernel, inputs, 1, 8), 8 * rows)
        measured["lanes"][name] = (independent(kernel, inputs, kernel.lanes, 64), 64 * rows)
    return {kind: interleaved(runs, ROUNDS) for kind, runs in measured.items()}  # type: ignore[arg-type]


def simulation_times(
    contenders: Mapping[str, Contender], duration: float, tolerance: float, members: int = 64
) -> dict[str, dict[str, Timing]]:
    """Seconds per simulated member of an ensemble that starts at the contender's first states; scalar loop, and lanes."""
    measured: dict[str, dict[str, object]] = {"scalar": {}, "lanes": {}}
    times = np.array([0.0, duration])
    for name, contender in contenders.items():
        system = contender.system()
        y0 = np.concatenate([contender.q, contender.u], axis=-1)[:members]
        p = np.zeros(contender.u.shape[-1])
        for kind, lanes in (("scalar", 1), ("lanes", None)):

            def run(system=system, y0=y0, p=p, lanes=lanes) -> object:
                return integrate(
                    system,
                    y0,
                    times,
                    method=DormandPrince54(),
                    rtol=tolerance,
                    atol=tolerance,
                    p=p,
                    constraint_tolerance=tolerance,
                    lanes=lanes,
                )

            run()
            measured[kind][name] = (run, len(y0))
    return {kind: interleaved(runs, ROUNDS) for kind, runs in measured.items()}  # type: ignore[arg-type]


def ratio(times: Mapping[str, Timing], over: str, under: str) -> float:
    """Ratio of medians."""
    return times[over].median / times[under].median


def spread(times: Mapping[str, Mapping[str, Timing]]) -> dict[str, dict[str, dict[str, float]]]:
    """Medians and quartiles in a form for JSON."""
    return {kind: {name: timing.as_dict() for name, timing in row.items()} for kind, row in times.items()}
