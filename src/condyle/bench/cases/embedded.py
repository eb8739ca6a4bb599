"""Right-hand sides of mechanisms with embedded loops, Newton's method included: in lanes, and as loops
multiply.

What is timed are steps of the classical Runge-Kutta method in the compiled loop: each of its four
evaluations first closes the loops, from what the method predicts, and then evaluates the accelerations.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from condyle.bench.agreement import agreement
from condyle.bench.cases.chain_scaling import exponent
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.timing import interleaved
from condyle.compiled.mechanism import Mechanism
from condyle.compiled.state_equations import StateEquations
from condyle.library import four_bars
from condyle.library.andrews import TORQUE, andrews
from condyle.library.four_bars import lean_acceleration
from condyle.solve import RK4, System, Trajectories, integrate
from condyle.status import Status

LANES, RATIO, LIMIT = 8, 4.0, 1.3
CRANK_SPEED = 500.0  # of Andrews' mechanism [rad/s]; a step of 1e-5 s turns the crank by 0.3 degrees
STEP = 1e-5
LEAN = 0.3  # of the uprights [rad]
LEAN_STEP = 1e-3  # [s]
STAGES = 4

#: (initial states (members, n), number of steps, lanes) -> motions.
Run = Callable[[np.ndarray, int, int], Trajectories]


def lanes(sizes: Sizes) -> Row:
    """Andrews' mechanism at crank angles all around: eight members at once against one."""
    row = Row("embedded_lanes", "us per evaluation")
    mechanism = Mechanism(andrews())
    members = max(LANES, LANES * (sizes.states // LANES))
    q = mechanism.default_state()[0] + np.linspace(0.0, 2 * np.pi, members, endpoint=False)[:, None]
    z = mechanism.joint_values(q)[:, list(mechanism.roles.unknown)]
    start = np.hstack([q, np.full((members, 1), CRANK_SPEED), z])
    steps = max(4, sizes.steps // 10)
    run = _stepper(mechanism, STEP, np.array([TORQUE]))
    together, alone = run(start, steps, LANES), run(start, steps, 1)
    # Bit for bit: what a member gets does not depend on its neighbours.
    row.figures["agreement"] = agreement("states after some steps", together.states, alone.states, 0.0)
    evaluations = members * steps * STAGES
    found = interleaved(
        {
            "condyle": (lambda: run(start, steps, LANES), evaluations),
            "one lane": (lambda: run(start, steps, 1), evaluations),
        },
        sizes.rounds,
    )
    row.condyle = found["condyle"].median * 1e6
    row.compare("one lane", found["one lane"].median * 1e6)
    row.spread(found, 1e6)
    row.figures |= {"lanes": LANES, "members": members} | _iterations(together)
    row.at_least(RATIO, "one lane")
    return row


def scaling(sizes: Sizes) -> Row:
    """N four-bars in a row: how the time of one evaluation grows with N. Processor time, the best of some
    rounds.
    """
    row = Row("n_four_bar_scaling", "us per evaluation")
    runs: dict[int, tuple[Callable[[], Trajectories], int]] = {}
    operations, iterations = [], []
    for count in sizes.four_bars:
        mechanism = Mechanism(four_bars(count, LEAN))
        q, u = mechanism.default_state()
        own, by_hand = mechanism.forward_dynamics(q, u), np.array([-lean_acceleration(count, LEAN)])
        agreement(f"acceleration of {count} four-bars", own, by_hand)
        start = np.concatenate([q, u, mechanism.assembly.unknown])[None, :]
        steps = max(5, 5 * sizes.steps // (10 * count + 50))
        step = _stepper(mechanism, LEAN_STEP, np.zeros(1))
        runs[count] = (lambda step=step, start=start, steps=steps: step(start, steps, 1)), steps * STAGES
        operations.append(sum(kernel.operations for kernel in _kernels(mechanism)))
        iterations.append(_iterations(runs[count][0]()))
    seconds: dict[int, list[float]] = {count: [] for count in runs}
    for _ in range(sizes.rounds):
        for count, (run, evaluations) in runs.items():
            begin = time.process_time()
            run()
            seconds[count].append((time.process_time() - begin) / evaluations)
    times = [min(seconds[count]) * 1e6 for count in runs]
    row.condyle = {"n": list(runs), "time_us": times, "exponent": exponent(list(runs), times)}
    row.figures |= {
        "operations": operations,
        "exponent_operations": exponent(list(runs), operations),
        "mean_iterations": [found["mean_iterations"] for found in iterations],
        "worst_iterations": [found["worst_iterations"] for found in iterations],
    }
    row.target = f"exponent <= {LIMIT:g}"
    row.holds = row.condyle["exponent"] <= LIMIT
    return row


def _kernels(mechanism: Mechanism) -> list:
    equations = StateEquations(mechanism)
    return [equations.rhs(), equations.closing()]


def _stepper(mechanism: Mechanism, size: float, tau: np.ndarray) -> Run:
    rhs, closing = _kernels(mechanism)
    n = len(mechanism.coordinates) + len(mechanism.speeds) + len(mechanism.roles.unknown)
    system = System(n, rhs, closing=closing)

    def run(start: np.ndarray, steps: int, width: int) -> Trajectories:
        found = integrate(system, start, (0.0, steps * size), method=RK4(), step=size, p=tau, lanes=width)
        if np.any(found.status != Status.OK):
            raise RuntimeError(f"a member stopped with status {set(found.status.ravel().tolist())}")
        return found

    return run


def _iterations(found: Trajectories) -> dict[str, float]:
    mean = float(found.closing_steps.sum() / found.closing_solves.sum())
    return {"mean_iterations": mean, "worst_iterations": int(found.closing_most.max())}
