"""Motion of a mechanism from given states: one member or a whole ensemble, in compiled loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from condyle.analyses.states import checked_state
from condyle.compiled.arguments import parameter_values, wrench_values
from condyle.compiled.mechanism import Mechanism
from condyle.compiled.state_equations import Controller, StateEquations
from condyle.errors import InputError
from condyle.solve import DormandPrince54, Event, Occurrences, System, integrate


@dataclass(frozen=True)
class StateEvent:
    """A zero of function(time, q, u), an expression: rising (+1), falling (-1) or both (0); a terminal one ends the member."""

    function: Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
    direction: int = 0
    terminal: bool = False


@dataclass(frozen=True)
class Simulation:
    """States at the output times and how each member fared; "..." are the batch axes of the given states.

    times (nt) [s]; q (..., nt, nq); u (..., nt, nu), NaN beyond the end of a member that stopped early.
    status (...) of `condyle.Status`; steps, rejections, evaluations (...).
    energy (..., nt): kinetic plus gravity's potential [J]; energy_drift (...): its largest departure from the start, an error
    measure wherever no other force does work.
    constraint_residual (...): largest |g| left at accepted steps (0 without constraints).
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
    final_time: np.ndarray
    events: Occurrences

    @property
    def energy_drift(self) -> np.ndarray:
        """(...) max over time of |E - E(0)| [J]."""
        with np.errstate(invalid="ignore"):
            departure = np.abs(self.energy - self.energy[..., :1])
        return np.where(np.isnan(departure), 0.0, departure).max(axis=-1)

    def coordinate(self, name: str) -> np.ndarray:
        """(..., nt) of one coordinate by its full name."""
        return self.q[..., self.mechanism.coordinates.index(name)]


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
    constraint_tolerance: float = 1e-8,
    max_steps: int | None = None,
    threads: int = 1,
    lanes: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Simulation:
    """Integrate qdot = N u, udot = forward dynamics, from (q, u) (..., nq), (..., nu).

    times: the end [s], or output times (nt,), the first being the start. tau (..., nu), wrenches {body: (..., 6)} and parameters are
    constant in time; `controller`(time, q, u) -> tau, written in casadi expressions, is added. Euler parameters are
    scaled to unit length in the given state and at accepted steps; constraints are projected onto at accepted steps to
    `constraint_tolerance`. Ctrl-C raises KeyboardInterrupt within 0.1 s.
    """
    nq, nu = len(mechanism.coordinates), len(mechanism.speeds)
    q, u = checked_state(mechanism, q, u)
    instants = np.atleast_1d(np.asarray(times, dtype=float))
    if instants.size == 1:
        instants = np.linspace(0.0, float(instants[0]), 101)
    bodies, loads = wrench_values(wrenches, mechanism.bodies)
    values = parameter_values(parameters, mechanism.parameters, mechanism.parameter_defaults)
    constant = _joined([np.broadcast_to(np.asarray(tau, dtype=float), _with_last(tau, nu)), values, loads])
    equations = StateEquations(mechanism, controller, _stacked(events), bodies)
    trajectories = integrate(
        System(
            nq + nu,
            equations.rhs(),
            jacobian=equations.jacobian() if getattr(method, "implicit", False) else None,
            unit_groups=mechanism.tree.unit_groups,
            position_projection=equations.position_projection(),
            velocity_projection=equations.velocity_projection(),
            events=equations.event_values(),
        ),
        np.concatenate(_alike(q, u), axis=-1),
        instants,
        method=method,
        rtol=rtol,
        atol=atol,
        step=step,
        p=constant,
        constraint_tolerance=constraint_tolerance,
        max_steps=max_steps,
        events=[Event(event.direction, event.terminal) for event in events] if events else None,
        threads=threads,
        lanes=lanes,
        progress=progress,
    )
    states = trajectories.states
    q_all, u_all = states[..., :nq], states[..., nq:]
    at_times = values[..., None, :] if values.ndim > 1 else values
    energy = mechanism.kinetic_energy(q_all, u_all, parameters=at_times if mechanism.parameters else None)
    energy = energy + mechanism.potential_energy(q_all, parameters=at_times if mechanism.parameters else None)
    return Simulation(
        mechanism,
        trajectories.times,
        q_all,
        u_all,
        trajectories.status,
        trajectories.steps,
        trajectories.rejections,
        trajectories.evaluations,
        energy,
        trajectories.position_residual,
        trajectories.final_time,
        trajectories.events,
    )


def _stacked(events: Sequence[StateEvent]) -> Callable[[ca.SX, ca.SX, ca.SX], ca.SX] | None:
    if not events:
        return None
    return lambda time, q, u: ca.vertcat(*[event.function(time, q, u) for event in events])


def _with_last(value: Any, count: int) -> tuple[int, ...]:
    """Shape (..., count) that a scalar or (..., count) array broadcasts to."""
    shape = np.shape(value)
    if shape and shape[-1] != count and shape != (1,):
        raise InputError(f"tau has shape {shape}, allowed is a number or (..., {count})")
    return (*shape[:-1], count)


def _alike(*arrays: np.ndarray) -> list[np.ndarray]:
    """Arrays with their leading axes broadcast against each other."""
    leading = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    return [np.broadcast_to(array, (*leading, array.shape[-1])) for array in arrays]


def _joined(parts: list[Any]) -> np.ndarray:
    return np.concatenate(_alike(*[np.asarray(part, dtype=float) for part in parts if part is not None]), axis=-1)
