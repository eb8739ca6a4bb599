"""Motion of a mechanism from given states: one member or a whole ensemble, in compiled loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from condyle.analyses.states import checked_state
from condyle.compiled.arguments import common_shape, parameter_values, real_array, wrench_values
from condyle.compiled.mechanism import Mechanism
from condyle.compiled.state_equations import Controller, StateEquations
from condyle.compiled.state_status import beyond_data, state_status, status_by_joints
from condyle.dynamics.stabilisation import Projection, Stabilisation, checked_stabilisation
from condyle.solve import CVODES, DormandPrince54, Event, Occurrences, System, Trajectories, integrate
from condyle.status import Status


@dataclass(frozen=True)
class StateEvent:
    """A zero of function(time, q, u), an expression: rising (+1), falling (-1) or both (0); a terminal one
    ends the member.
    """

    function: Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
    direction: int = 0
    terminal: bool = False


@dataclass(frozen=True)
class Simulation:
    """States at the output times and how each member fared; "..." are the batch axes of the given states.

    times (nt) [s]; q (..., nt, nq); u (..., nt, nu), NaN beyond the end of a member that stopped early;
    joint_values (..., nt, ns): all joint variables, those that couplings and closed loops determine too.
    status (...) of `condyle.Status`: BAD_INPUT for a start that `Mechanism.state_status` rejects, SINGULAR
    where the motion starts or ends in a singular pose; steps, rejections, evaluations (...).
    energy (..., nt): kinetic plus the potential of gravity and force elements [J]; energy_drift (...): its
    largest departure from the start, an error measure wherever no other force does work.
    constraint_residual, constraint_rate (...): largest |g| and |gdot| left at accepted steps (0 without
    constraints).
    closing_iterations (...): Newton steps of one solution of implicit couplings and loops, on average, and
    closing_most (...): the most of them (0 where nothing is solved for).
    final_time (...); events: zeros of the given events, their states as (q, u) side by side.
    """

    mechanism: Mechanism
    times: np.ndarray
    q: np.ndarray
    u: np.ndarray
    status: np.ndarray
    steps: np.ndarray
    rejections: np.ndarray
    evaluations: np.ndarray
    energy: np.ndarray
    constraint_residual: np.ndarray
    constraint_rate: np.ndarray
    joint_values: np.ndarray
    closing_iterations: np.ndarray
    closing_most: np.ndarray
    final_time: np.ndarray
    events: Occurrences

    @property
    def energy_drift(self) -> np.ndarray:
        """(...) max over time of |E - E(0)| [J]."""
        with np.errstate(invalid="ignore"):
            departure = np.abs(self.energy - self.energy[..., :1])
        return np.where(np.isnan(departure), 0.0, departure).max(axis=-1)

    @property
    def extrapolated(self) -> np.ndarray:
        """(...) whether some state lies outside the data of a joint's functions."""
        return np.asarray(beyond_data(self.mechanism, self.q, self.joint_values).any(axis=-1))

    def coordinate(self, name: str) -> np.ndarray:
        """(..., nt) of one joint variable, independent or not, by its full name."""
        return self.joint_values[..., self.mechanism.joint_variables.index(name)]


def simulate(
    mechanism: Mechanism,
    q: Any,
    u: Any,
    times: Any,
    *,
    method: Any = DormandPrince54(),  # noqa: B008 (frozen)
    rtol: float = 1e-6,
    atol: Any = 1e-9,
    step: float | None = None,
    tau: Any = 0.0,
    controller: Controller | ca.Function | None = None,
    parameters: Any = None,
    wrenches: Mapping[str, Any] | None = None,
    events: Sequence[StateEvent] = (),
    stabilisation: Stabilisation = Projection(),
    constraint_tolerance: float = 1e-8,
    max_steps: int | None = None,
    threads: int = 1,
    lanes: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Simulation:
    """Integrate qdot = N u, udot = forward dynamics, from (q, u) (..., nq), (..., nu).

    times: the end [s], or output times (nt,), the first being the start. tau (..., nu), wrenches {body: (...,
    6)} and parameters are constant in time; `controller`(time, q, u) -> tau, written in casadi expressions,
    is added. Euler parameters are scaled to unit length in the given state and at accepted steps.
    stabilisation: how constraints are kept: `Projection()` onto them, to `constraint_tolerance`;
    `VelocityProjection()`; `Baumgarte(alpha, beta)`; `Unstabilised()`. Ctrl-C raises KeyboardInterrupt within
    0.1 s.
    """
    nq, nu = len(mechanism.coordinates), len(mechanism.speeds)
    q, u = checked_state(mechanism, q, u)
    instants = np.atleast_1d(np.asarray(times, dtype=float))
    if instants.size == 1:
        instants = np.linspace(0.0, float(instants[0]), 101)
    roles, solved, at_start = mechanism.roles, None, q
    if roles.unknown:
        closed = mechanism.close(q, parameters=parameters)
        at_start = closed.joint_values
        solved = at_start[..., list(roles.unknown)]
    start = status_by_joints(mechanism, q, u, at_start if roles.unknown else None)
    if roles.unknown:
        start = np.where(start == Status.OK, closed.status, start)
    u = np.where((start == Status.OK)[..., None], u, np.nan)  # such members end where they start
    bodies, loads = wrench_values(wrenches, mechanism.bodies)
    values = parameter_values(parameters, mechanism.parameters, mechanism.parameter_defaults)
    torques = real_array("tau", tau if np.ndim(tau) else np.full(nu, tau), mechanism.speeds)
    constant = _joined(tau=torques, parameters=values, wrenches=loads)
    stabilisation = checked_stabilisation(stabilisation)
    functions = tuple(event.function for event in events)
    equations = StateEquations(mechanism, controller, functions, bodies, stabilisation)
    # CVODES moves no states; what is not moved is measured by our own loops only.
    moves = stabilisation.projects_positions, stabilisation.projects_velocities
    measured = not isinstance(method, CVODES)
    trajectories = integrate(
        System(
            nq + nu + len(roles.unknown),
            equations.rhs(),
            jacobian=equations.jacobian() if getattr(method, "implicit", False) else None,
            unit_groups=mechanism.unit_groups,
            position_projection=equations.position_projection() if moves[0] or measured else None,
            velocity_projection=equations.velocity_projection() if moves[1] or measured else None,
            events=equations.event_values(),
            closing=equations.closing(),
        ),
        _joined(q=q, u=u, z=solved),
        instants,
        method=method,
        rtol=rtol,
        atol=atol if solved is None or not np.ndim(atol) else np.append(atol, np.zeros(solved.shape[-1])),
        step=step,
        p=constant,
        constraint_tolerance=(
            constraint_tolerance if moves[0] else np.inf,
            constraint_tolerance if moves[1] else np.inf,
        ),
        max_steps=max_steps,
        events=[Event(event.direction, event.terminal) for event in events] if events else None,
        threads=threads,
        lanes=lanes,
        progress=progress,
    )
    states = trajectories.states
    q_all, u_all, z_all = np.split(states, [nq, nq + nu], axis=-1)
    at_times = values[..., None, :] if values.ndim > 1 else values
    given = at_times if mechanism.parameters else None
    z_all = z_all if roles.unknown else None
    energy = mechanism._call("kinetic_energy", (q_all, u_all), given, None, z_all)[..., 0]
    energy = energy + mechanism._call("potential_energy", (q_all,), given, None, z_all)[..., 0]
    joint_values = mechanism._call("joint_values", (q_all,), given, None, z_all) if roles.embeds else q_all
    return Simulation(
        mechanism,
        trajectories.times,
        q_all,
        u_all,
        _explained(mechanism, trajectories, start, values),
        trajectories.steps,
        trajectories.rejections,
        trajectories.evaluations,
        energy,
        trajectories.position_residual,
        trajectories.velocity_residual,
        joint_values,
        trajectories.closing_steps / np.maximum(trajectories.closing_solves, 1),
        trajectories.closing_most,
        trajectories.final_time,
        trajectories.events,
    )


def _joined(**parts: np.ndarray | None) -> np.ndarray:
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
