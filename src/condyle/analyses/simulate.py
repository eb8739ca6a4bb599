"""Motion of a mechanism from given states: one member or a whole ensemble, in compiled loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from condyle.analyses.segment import Segment
from condyle.analyses.simulation import Simulation, StateEvent
from condyle.analyses.states import checked_state
from condyle.analyses.switching import switching
from condyle.compiled.mechanism import Mechanism
from condyle.compiled.state_equations import Controller
from condyle.couplings.prescribed import CLOCK
from condyle.dynamics.stabilisation import Projection, Stabilisation, checked_stabilisation
from condyle.errors import InputError
from condyle.solve import DormandPrince54


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
    switch_below: float | None = None,
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
    switch_below: where the loops' regularity (`Mechanism.loop_regularity`) falls below this number, the
    motion goes on in the independent coordinates that are best conditioned there; q, u, tau, controller and
    events stay those of `mechanism`.
    """
    q, u = checked_state(mechanism, q, u)
    if CLOCK in mechanism.speeds and not (u[..., mechanism.speeds.index(CLOCK)] == 1).all():
        raise InputError(f"u: the speed of {CLOCK!r} is not 1; time runs as in the default state")
    instants = np.atleast_1d(np.asarray(times, dtype=float))
    if instants.size == 1:
        instants = np.linspace(0.0, float(instants[0]), 101)
    if switch_below is not None and not (switch_below > 0 and mechanism.roles.closing):
        reason = "allowed: a positive number" if mechanism.roles.closing else "there is no embedded loop"
        raise InputError(f"switch_below is {switch_below!r}; {reason}")
    run = Segment(
        mechanism,
        method,
        rtol,
        atol,
        step,
        tau,
        controller,
        parameters,
        wrenches,
        tuple(events),
        checked_stabilisation(stabilisation),
        constraint_tolerance,
        max_steps,
        threads,
        lanes,
        progress,
        switch_below,
    )
    if switch_below is not None:
        return switching(run, q, u, instants)
    return run(mechanism, q, u, None, instants)[0]
