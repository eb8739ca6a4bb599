"""Systems of nonlinear equations, and nonlinear least squares, for many members at once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from condyle.errors import InputError
from condyle.solve.interruption import interrupts_deferred, next_rounds
from condyle.solve.memory import aligned, blank
from condyle.solve.newton_state import JACOBIAN, RESIDUAL, NewtonState
from condyle.solve.state import FINISHED, POINTERS
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.kernels import Kernel


@final
@dataclass(frozen=True, eq=False)
class Roots:
    """x (..., n): the solution, or the best state of a member that failed; norm (...): largest |r| there.

    status (...): OK, NOT_CONVERGED, SINGULAR (no step from there, or r is not finite at the start),
    BAD_INPUT; iterations (...): accepted steps.
    """

    x: np.ndarray
    norm: np.ndarray
    status: np.ndarray
    iterations: np.ndarray


def find_roots(
    residual: Kernel,
    jacobian: Kernel,
    x0: Any,
    p: Any = None,
    *,
    tolerance: float = 1e-12,
    step_tolerance: float = 1e-12,
    max_iterations: int = 50,
    lanes: int | None = None,
) -> Roots:
    """Solve r(x, p) = 0 (as many residuals as unknowns), or minimise |r(x, p)| (more of them).

    residual: kernel (x (n), p (np)) -> r (m); jacobian: kernel (x, p) -> dr/dx (m, n).
    x0 (..., n) and p (..., np) broadcast. Full (Gauss-)Newton steps, halved while |r| does not fall. A member
    is OK when all |r| <= tolerance; with m > n also when the step is within step_tolerance * (1 + |x|). One
    member's failure does not touch the others; what a member gets does not depend on its neighbours.
    """
    n = _size(residual.inputs[0][1])
    n_parameters = _size(residual.inputs[1][1]) if len(residual.inputs) > 1 else 0
    m = _size(residual.outputs[0][1])
    x0 = np.asarray(x0, float)
    p = np.zeros(n_parameters) if p is None else np.asarray(p, float)
    wrong = []
    if x0.ndim == 0 or x0.shape[-1] != n:
        wrong.append(f"x0 has shape {x0.shape}; expected (..., {n})")
    if p.ndim == 0 or p.shape[-1] != n_parameters:
        wrong.append(f"p has shape {p.shape}; expected (..., {n_parameters})")
    if m < n:
        wrong.append(f"{m} residuals cannot determine {n} unknowns")
    if _size(jacobian.outputs[0][1]) != m * n:
        wrong.append(f"the jacobian has shape {jacobian.outputs[0][1]}; expected ({m}, {n})")
    if wrong:
        raise InputError("; ".join(wrong))
    shape = np.broadcast_shapes(x0.shape[:-1], p.shape[:-1])
    count = int(np.prod(shape))
    state = blank(NewtonState)
    state.initial = np.broadcast_to(x0, (*shape, n)).reshape(count, n).copy()
    state.parameters = np.broadcast_to(p, (*shape, n_parameters)).reshape(count, n_parameters).copy()
    good = np.isfinite(state.initial).all(-1) & np.isfinite(state.parameters).all(-1)
    state.order = np.flatnonzero(good)
    state.queue_stop = len(state.order)
    width = lanes or (1 if count == 1 else residual.lanes)
    state.n, state.m, state.width, state.n_parameters = n, m, width, n_parameters
    state.residual_kernel, state.jacobian_kernel = residual.address(width), jacobian.address(width)
    state.tolerance, state.step_tolerance = float(tolerance), float(step_tolerance)
    state.max_iterations = int(max_iterations)
    state.solution, state.norm = state.initial.copy(), np.full(count, np.nan)
    state.status = np.where(good, Status.INTERRUPTED, Status.BAD_INPUT).astype(np.int64)
    state.iterations = np.zeros(count, np.int64)
    for name in ("member", "phase", "stepping"):
        setattr(state, name, np.zeros(width, np.int64))
    state.damping, state.merit, state.promise = np.zeros(width), np.zeros(width), np.zeros(width)
    state.trial, state.residual = aligned(n * width), aligned(m * width)
    state.jacobian, state.parameter_lanes = aligned(m * n * width), aligned(max(1, n_parameters * width))
    state.accepted, state.matrix = aligned(width, n), aligned(width, m, n)
    state.pivots, state.vector = np.zeros((width, n), np.int64), aligned(width, m)
    pointers = np.zeros((2, POINTERS), np.int64)
    pointers[:, 0] = state.trial.ctypes.data
    pointers[:, 1] = state.parameter_lanes.ctypes.data if n_parameters else 0
    pointers[RESIDUAL, 2], pointers[JACOBIAN, 2] = state.residual.ctypes.data, state.jacobian.ctypes.data
    state.pointers = pointers.ctypes.data
    _run(state, residual.interpreted)
    return Roots(
        x=state.solution.reshape(*shape, n),
        norm=state.norm.reshape(shape),
        status=state.status.reshape(shape),
        iterations=state.iterations.reshape(shape),
    )


def _run(state: NewtonState, interpreted: bool) -> None:
    from condyle.solve.loops.newton import newton
    from condyle.solve.native.build import compiled

    loop = compiled(newton)
    rounds = 1
    with interrupts_deferred(interpreted) as release:
        while True:
            begin = time.perf_counter()
            if loop(state, rounds) == FINISHED:
                return
            rounds = next_rounds(rounds, time.perf_counter() - begin)
            release()


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))
