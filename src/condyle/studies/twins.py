"""A joint as mobilizer and as its constrained twins: accelerations with reaction loads, and simulations,
timed side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

import condyle as cd
from condyle.bench.evaluation import chained, independent
from condyle.compiled.graph import Graph
from condyle.compiled.state_equations import StateEquations
from condyle.dynamics.crba import crba
from condyle.dynamics.reactions import joint_reactions
from condyle.dynamics.rnea import rnea
from condyle.kernels import Kernel, build
from condyle.solve import DormandPrince54, System, Trajectories, integrate
from condyle.studies.rounds import Rounds, in_turn

ROWS = 256  # states at which accelerations are evaluated
MEMBERS = 4096  # of a simulated ensemble; with this many, entering the integrator from Python hardly counts
ROUNDS = 21
TOLERANCE = 1e-4  # of the paper, for integration and constraints
TIGHTER_TOLERANCES = (1e-6, 1e-8)


@dataclass(frozen=True)
class Contender:
    """One formulation: its mechanism, states (q, u) to evaluate at, and how it is solved.

    dense: the whole system [M G'; G 0] as one dense elimination, simulated without projection, instead of the
    library's path.
    """

    mechanism: cd.Mechanism
    q: np.ndarray
    u: np.ndarray
    dense: bool = False

    def acceleration_kernel(self) -> Kernel:
        """(q, u, tau) -> accelerations (nu), and the load of the joint and its constraints on the child (see
        `_acceleration`).
        """
        return build(lambda: self._acceleration(), key=None, name="acceleration")

    def evaluate(self) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations (n, nu) and loads (n, ...) of the states, no force applied."""
        return self.acceleration_kernel()(self.q, self.u, np.zeros_like(self.u))

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
        """All contenders return the same load, that on the child about B's origin, in P axes.

        Without constraints it is the joint's reaction (moment, force). The twins' speeds are the components
        of that motion, so that tau - G' lambda is the same wrench along them.
        """
        graph = self.mechanism.graph()
        if graph.constrained is None:
            udot, load = graph.forward.udot, joint_reactions(graph.linkage, graph.forward.wrenches)
        else:
            solved = (
                dense_accelerations(graph) if self.dense else (graph.forward.udot, graph.forward.multipliers)
            )
            udot, multipliers = solved
            load = ca.densify(graph.tau - ca.mtimes(graph.constrained.equations.G.T, multipliers))
        return ca.Function("acceleration", [graph.q, graph.u, graph.tau], ca.cse([udot, load]))

    def _dense_rhs(self) -> ca.Function:
        graph = self.mechanism.graph()
        rhs = ca.vertcat(graph.linkage.qdot(), dense_accelerations(graph)[0])
        y = ca.vertcat(graph.q, graph.u)
        return ca.Function("dense_rhs", [y, graph.time, graph.tau], ca.cse([ca.densify(rhs)]))


def dense_accelerations(graph: Graph) -> tuple[ca.SX, ca.SX]:
    """(udot, lambda) from the whole symmetric system by L D L' in the order of its rows; only zeros of M and
    G are skipped.
    """
    assert graph.constrained is not None
    equations = graph.constrained.equations
    bias = rnea(graph.linkage, ca.SX(graph.u.numel(), 1)).tau
    G = equations.G
    matrix = ca.densify(ca.blockcat([[crba(graph.linkage), G.T], [G, ca.SX(G.shape[0], G.shape[0])]]))
    right = ca.vertcat(graph.tau - bias, -equations.bias)
    n = matrix.shape[0]
    rows = [{j: matrix[i, j] for j in range(i, n)} for i in range(n)]
    x = [right[i] for i in range(n)]
    for k in range(n):
        inverse = 1 / rows[k][k]
        for i in range(k + 1, n):
            factor = rows[k][i] * inverse
            for j in range(i, n):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
            x[i] = x[i] - factor * x[k]
            rows[k][i] = factor
        # From here on row k holds the column of L, and x[k] the solution of D.
        x[k] = x[k] * inverse
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            x[k] = x[k] - rows[k][j] * x[j]
    nu = graph.u.numel()
    return ca.vertcat(*x[:nu]), ca.vertcat(*x[nu:])


def relative_difference(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference, relative to the largest entry."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def twin_differences(
    contenders: Mapping[str, Contender], udot: np.ndarray, load: np.ndarray, by_hand: ca.Function
) -> dict[str, Any]:
    """How far the twins are from what the mobilizer found (in the twins' speeds), and the elimination by hand
    from the library's.
    """
    found = {name: contenders[name].evaluate() for name in ("dense_twin", "general_twin")}
    twin = contenders["general_twin"]
    tau = np.random.default_rng(1).standard_normal(twin.u.shape)
    eliminated = np.array(by_hand(twin.q.T, twin.u.T, tau.T)).T
    return {
        "twin_acceleration_difference": {
            name: relative_difference(a, udot) for name, (a, _) in found.items()
        },
        "twin_load_difference": {name: relative_difference(f, load) for name, (_, f) in found.items()},
        "hand_derived_difference": relative_difference(
            eliminated, twin.mechanism.forward_dynamics(twin.q, twin.u, tau)
        ),
    }


def acceleration_times(contenders: Mapping[str, Contender]) -> dict[str, Rounds]:
    """Accelerations with loads: "chained" (scalar, each state waits for the last result), "scalar"
    (independent states), "lanes".
    """
    measured: dict[str, dict] = {"chained": {}, "scalar": {}, "lanes": {}}
    for name, contender in contenders.items():
        kernel = contender.acceleration_kernel()
        rows = len(contender.q)
        inputs = [contender.q, contender.u, np.zeros_like(contender.u)]
        measured["chained"][name] = (chained(kernel, inputs, 8 * rows), 8 * rows)
        measured["scalar"][name] = (independent(kernel, inputs, 1, 8), 8 * rows)
        measured["lanes"][name] = (independent(kernel, inputs, kernel.lanes, 64), 64 * rows)
    return {kind: in_turn(runs, ROUNDS) for kind, runs in measured.items()}


@dataclass(frozen=True)
class SimulationTimes:
    """Time per member, in the scalar loop and in lanes; what a member needs on average: evaluations of the
    derivative.
    """

    scalar: Rounds
    lanes: Rounds
    evaluations: dict[str, float]


def simulation_times(
    contenders: Mapping[str, Contender], duration: float, tolerance: float, members: int
) -> SimulationTimes:
    """Simulate ensembles that start at the contender's states, over and over; the tolerance is that of
    constraints too.
    """
    scalar, lanes, evaluations = {}, {}, {}
    times = np.array([0.0, duration])
    for name, contender in contenders.items():
        system = contender.system()
        y0 = np.concatenate([contender.q, contender.u], axis=-1)
        y0 = np.resize(y0, (members, y0.shape[1]))
        p = np.zeros(contender.u.shape[-1])

        def run(
            width: int | None, system: System = system, y0: np.ndarray = y0, p: np.ndarray = p
        ) -> Trajectories:
            return integrate(
                system,
                y0,
                times,
                method=DormandPrince54(),
                rtol=tolerance,
                atol=tolerance,
                p=p,
                constraint_tolerance=tolerance,
                lanes=width,
            )

        evaluations[name] = float(run(1).evaluations.mean())
        scalar[name], lanes[name] = (partial(run, 1), members), (partial(run, None), members)
    return SimulationTimes(in_turn(scalar, ROUNDS), in_turn(lanes, ROUNDS), evaluations)
