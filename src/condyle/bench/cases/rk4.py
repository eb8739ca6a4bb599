"""Steps of the classical Runge-Kutta method, free motion of the humanoid, beside MuJoCo's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from condyle.bench.agreement import agreement
from condyle.bench.kernels import mechanism
from condyle.bench.peers import ADVICE, mujoco_peer
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.states import random_states
from condyle.bench.timing import interleaved
from condyle.compiled.state_equations import StateEquations
from condyle.solve import RK4, System, integrate
from condyle.status import Status

STEP = 1e-4  # [s]: both errors of method are then below the bound that the states are compared to
COMPARED_STEPS = 20


def single(sizes: Sizes) -> Row:
    """One member."""
    return _steps("rk4_single", 1, sizes.steps, 3.0, sizes)


def lanes(sizes: Sizes) -> Row:
    """An ensemble, as many members at once as the machine has lanes; time per member and step."""
    return _steps("rk4_lanes", sizes.members, max(COMPARED_STEPS, sizes.steps // 2), 15.0, sizes)


def _steps(name: str, members: int, steps: int, target: float, sizes: Sizes) -> Row:
    row = Row(name, "us per step")
    states = random_states(mechanism(), members)
    advance = stepper()
    start = np.hstack([states.q, states.u])
    contenders: dict[str, tuple[Callable[[], object], int]]
    contenders = {"condyle": (lambda: advance(start, steps), members * steps)}
    peer = mujoco_peer()
    if peer is None:
        row.notes.append(f"mujoco {ADVICE}")
    else:
        q, u = states.q[0], states.u[0]
        ours = mechanism().forward_dynamics(q, u)
        row.figures["agreement"] = max(
            agreement("accelerations", ours, peer.accelerations(q, u)),
            agreement(
                f"state after {COMPARED_STEPS} steps",
                advance(start, COMPARED_STEPS)[0],
                peer.after(q, u, STEP, COMPARED_STEPS),
            ),
        )
        contenders["mujoco"] = (peer.steps(q, u, STEP, sizes.steps), sizes.steps)
        contenders["mujoco's binding"] = (peer.overhead(), sizes.steps)
    found = interleaved(contenders, sizes.rounds)
    row.condyle = found["condyle"].median * 1e6
    row.figures |= {"members": members, "steps": steps, "step_s": STEP}
    if peer is not None:
        row.compare("mujoco", (found["mujoco"].median - found["mujoco's binding"].median) * 1e6)
    row.spread(found, 1e6)
    row.at_least(target, "mujoco")
    return row


def stepper() -> Callable[[np.ndarray, int], np.ndarray]:
    """(initial states (members, n), number of steps) -> final states, by the library's integrator."""
    mech = mechanism()
    forces = np.zeros(len(mech.speeds))
    system = System(
        len(mech.coordinates) + len(mech.speeds),
        StateEquations(mech).rhs(),
        unit_groups=mech.tree.unit_groups,
    )

    def advance(start: np.ndarray, steps: int) -> np.ndarray:
        found = integrate(system, start, (0.0, steps * STEP), method=RK4(), step=STEP, p=forces)
        if np.any(found.status != Status.OK):
            raise RuntimeError(f"a member stopped with status {set(found.status.ravel().tolist())}")
        return found.states[..., -1, :]

    return advance
