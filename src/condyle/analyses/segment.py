"""One run of compiled loops in one set of independent coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from condyle.analyses.simulation import Simulation, StateEvent
from condyle.compiled.arguments import common_shape, parameter_values, real_array, wrench_values
from condyle.compiled.mechanism import Mechanism
from condyle.compiled.state_equations import Controller, StateEquations
from condyle.compiled.state_status import state_status, status_by_joints
from condyle.dynamics.stabilisation import Stabilisation
from condyle.solve import CVODES, Event, Occurrences, System, Trajectories, integrate
from condyle.status import Status


@dataclass(frozen=True)
class Segment:
    """All that `simulate` is told but the start and the times.

    `reference`: the mechanism in whose coordinates tau, controller and events are written. `switch_below`: a
    member ends with an event, the last one, where the loops' regularity falls below.
    """

    reference: Mechanism
    method: Any
    rtol: float
    atol: Any
    step: float | None
    tau: Any
    controller: Controller | ca.Function | None
    parameters: Any
    wrenches: Mapping[str, Any] | None
    events: tuple[StateEvent, ...]
    stabilisation: Stabilisation
    constraint_tolerance: float
    max_steps: int | None
    threads: int
    lanes: int | None
    progress: Callable[[float], None] | None
    switch_below: float | None = None

    def __call__(
        self, mechanism: Mechanism, q: np.ndarray, u: np.ndarray, solved: np.ndarray | None, times: np.ndarray
    ) -> tuple[Simulation, Trajectories]:
        """Motion from (q, u) in the coordinates of `mechanism`; `solved`: unknown joint variables, where
        known.
        """
        nq, nu, roles = len(mechanism.coordinates), len(mechanism.speeds), mechanism.roles
        start, solved, u = self._start(mechanism, q, u, solved)
        bodies, loads = wrench_values(self.wrenches, mechanism.bodies)
        values = parameter_values(self.parameters, mechanism.parameters, mechanism.parameter_defaults)
        tau = self.tau if np.ndim(self.tau) else np.full(nu, self.tau)
        torques = real_array("tau", tau, self.reference.speeds)
        stabilisation = self.stabilisation
        equations = StateEquations(
            mechanism,
            self.controller,
            tuple(event.function for event in self.events),
            bodies,
            stabilisation,
            self.switch_below,
            self.reference.roles if self.reference is not mechanism else None,
        )
        events = [Event(event.direction, event.terminal) for event in self.events]
        events += [] if self.switch_below is None else [Event(-1, terminal=True)]
        # CVODES moves no states; what is not moved is measured by our own loops only.
        measured = not isinstance(self.method, CVODES)
        moves = [stabilisation.projects_positions, stabilisation.projects_velocities]
        moves[1] = moves[1] and (measured or not mechanism.tree.rates)  # e.edot = 0 is of no user's asking
        atol = self.atol
        if np.ndim(atol) and solved is not None:
            atol = np.append(atol, np.zeros(solved.shape[-1]))
        found = integrate(
            System(
                nq + nu + len(roles.unknown),
                equations.rhs(),
                jacobian=equations.jacobian() if getattr(self.method, "implicit", False) else None,
                unit_groups=mechanism.unit_groups,
                position_projection=equations.position_projection() if moves[0] or measured else None,
                velocity_projection=equations.velocity_projection() if moves[1] or measured else None,
                events=equations.event_values(),
                closing=equations.closing(),
                second_order=equations.second_order,
            ),
            joined(q=q, u=u, z=solved),
            times,
            method=self.method,
            rtol=self.rtol,
            atol=atol,
            step=self.step,
            p=joined(tau=torques, parameters=values, wrenches=loads),
            constraint_tolerance=(
                self.constraint_tolerance if moves[0] else np.inf,
                self.constraint_tolerance if moves[1] else np.inf,
            ),
            max_steps=self.max_steps,
            events=events or None,
            threads=self.threads,
            lanes=self.lanes,
            progress=self.progress,
        )
        return self._result(mechanism, found, start, values), found

    def _start(
        self, mechanism: Mechanism, q: np.ndarray, u: np.ndarray, solved: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
        """(status (...), unknown joint variables, u; NaN for members that end where they start)."""
        roles, s, status = mechanism.roles, None, None
        if roles.unknown and solved is None:
            closed = mechanism.close(q, parameters=self.parameters)
            s, status = closed.joint_values, closed.status
            solved = s[..., list(roles.unknown)]
        elif roles.unknown:
            s = mechanism._call("joint_values", (q,), self.parameters, None, solved)
        start = status_by_joints(mechanism, q, u, s)
        if status is not None:
            start = np.where(start == Status.OK, status, start)
        return start, solved, np.where((start == Status.OK)[..., None], u, np.nan)

    def _result(
        self, mechanism: Mechanism, found: Trajectories, start: np.ndarray, values: np.ndarray
    ) -> Simulation:
        nq, nu, roles = len(mechanism.coordinates), len(mechanism.speeds), mechanism.roles
        q, u, z = np.split(found.states, [nq, nq + nu], axis=-1)
        solved = z if roles.unknown else None
        at_times = values[..., None, :] if values.ndim > 1 else values
        given = at_times if mechanism.parameters else None
        energy = mechanism._call("kinetic_energy", (q, u), given, None, solved)[..., 0]
        energy = energy + mechanism._call("potential_energy", (q,), given, None, solved)[..., 0]
        s = mechanism._call("joint_values", (q,), given, None, solved) if roles.embeds else q
        logged = found.events
        return Simulation(
            mechanism,
            found.times,
            q,
            u,
            _explained(mechanism, found, start, values),
            found.steps,
            found.rejections,
            found.evaluations,
            energy,
            found.position_residual,
            found.velocity_residual,
            s,
            found.closing_steps / np.maximum(found.closing_solves, 1),
            found.closing_most,
            found.final_time,
            Occurrences(logged.member, logged.index, logged.time, logged.state[:, : nq + nu]),
        )


def joined(**parts: np.ndarray | None) -> np.ndarray:
    """Arrays side by side, their leading axes broadcast against each other."""
    given = {name: part for name, part in parts.items() if part is not None}
    leading = common_shape({name: part.shape[:-1] for name, part in given.items()})
    return np.concatenate(
        [np.broadcast_to(part, (*leading, part.shape[-1])) for part in given.values()], axis=-1
    )


def _explained(
    mechanism: Mechanism, found: Trajectories, start: np.ndarray, parameters: np.ndarray
) -> np.ndarray:
    """The members' status, with the reason where the state says it: bad or singular at the start, singular at
    the end.
    """
    status = np.where(start == Status.OK, found.status, start)
    stuck = np.isin(status, (Status.STEP_TOO_SMALL, Status.NOT_CONVERGED, Status.TOO_MANY_STEPS))
    if stuck.any():
        nq = len(mechanism.coordinates)
        values = np.broadcast_to(parameters, (*status.shape, parameters.shape[-1]))[stuck]
        ends = found.final_state[stuck]
        q, u, solved = np.split(ends, [nq, nq + len(mechanism.speeds)], axis=-1)
        at_end = state_status(mechanism, q, u, solved, values if values.shape[-1] else None)
        status[stuck] = np.where(at_end == Status.SINGULAR, at_end, status[stuck])
    return status
