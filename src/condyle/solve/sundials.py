"""CVODES of SUNDIALS, through CasADi: a second opinion, one member at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from condyle.errors import InputError
from condyle.solve.control import Control
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.solve.problem import Problem


@final
@dataclass(frozen=True)
class CVODES:
    """Variable-order multistep methods: backward differentiation ("bdf", stiff) or Adams ("adams").

    Runs on CasADi's interpreter with its own error control (weights rtol * |y| + atol, smallest atol). It
    knows neither projections nor events; unit groups are normalised in the output only. Evaluations are those
    of the right-hand side, without those of Jacobians and of their linear solves.
    """

    scheme: str = "bdf"
    order: ClassVar[int] = 0  # variable
    family: ClassVar[str] = "sundials"
    control: ClassVar[Control | None] = Control(error_order=1)


def run_cvodes(problem: Problem) -> None:
    """Fill the problem's states and outcome."""
    import casadi as ca

    system, method = problem.system, problem.method
    refused = [
        name
        for name, given in (
            ("position_projection", system.position_projection),
            ("velocity_projection", system.velocity_projection),
            ("events", system.events),
            ("closing", system.closing),
        )
        if given is not None
    ]
    if refused:
        raise InputError(f"CVODES has no {' and no '.join(refused)}; use another method or leave them out")
    if method.scheme not in ("bdf", "adams"):
        raise InputError(f"CVODES scheme {method.scheme!r}; allowed: 'bdf', 'adams'")
    symbol = ca.SX if system.rhs.function.is_a("SXFunction") else ca.MX
    y, t = symbol.sym("y", system.n_state), symbol.sym("t")
    p = symbol.sym("p", system.n_parameters)
    equations = {"x": y, "t": t, "p": p, "ode": system.rhs.function(y, t, p)}
    options = {
        "linear_multistep_method": method.scheme,
        "reltol": problem.rtol,
        "abstol": float(problem.atol.min()),
        "max_num_steps": problem.max_steps,
    }
    start, times = problem.times[0], problem.times[1:]
    integrator = ca.integrator("cvodes", "cvodes", equations, float(start), times.tolist(), options)
    for member in problem.order:
        initial = normalised(problem.initial[member], problem.units)
        problem.states[member, 0] = initial
        try:
            solution = integrator(x0=initial, p=problem.parameters[member])
        except RuntimeError:  # CasADi turns every flag of CVODES into one
            problem.outcome["status"][member] = Status.NOT_CONVERGED
            continue
        counts = integrator.stats()
        problem.outcome["steps"][member] = counts["nsteps"]
        problem.outcome["evaluations"][member] = counts["nfevals"]
        states = np.array(solution["xf"]).T
        good = np.isfinite(states).all()
        problem.outcome["status"][member] = Status.OK if good else Status.SINGULAR
        problem.states[member, 1:] = normalised(states, problem.units)
        problem.final[member] = problem.states[member, -1]
        problem.outcome["final_time"][member] = problem.times[-1]


def normalised(states: np.ndarray, units: Sequence[int] | np.ndarray) -> np.ndarray:
    """(..., n) with each group of four Euler parameters scaled to unit length."""
    result = np.array(states, float)
    for group in units:
        parameters = result[..., group : group + 4]
        parameters /= np.linalg.norm(parameters, axis=-1, keepdims=True)
    return result
