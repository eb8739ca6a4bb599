"""One call of `integrate`, checked and laid out in arrays: what all threads share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from condyle.errors import InputError
from condyle.solve.families import Form, form_of
from condyle.solve.system import Event, System
from condyle.status import Status

_COUNTS = (
    *("status", "steps", "rejections", "evaluations"),
    *("closing_steps", "closing_solves", "closing_most"),
)


@final
@dataclass(eq=False)
class Problem:
    """Inputs of all members (flattened to one axis) and the arrays that the loops fill."""

    system: System
    method: Any
    form: Form
    shape: tuple[int, ...]
    initial: np.ndarray
    parameters: np.ndarray
    times: np.ndarray
    rtol: float
    atol: np.ndarray
    step: float
    max_step: float
    n_steps: int
    max_steps: int
    constraint_tolerances: tuple[float, float]
    units: np.ndarray
    directions: np.ndarray
    terminal: np.ndarray
    order: np.ndarray
    outcome: dict[str, np.ndarray]
    states: np.ndarray
    final: np.ndarray


def prepare(
    system: System,
    y0: Any,
    times: Any,
    method: Any,
    rtol: float,
    atol: Any,
    step: float | None,
    max_step: float | None,
    p: Any,
    constraint_tolerance: float | tuple[float, float],
    max_steps: int | None,
    events: Sequence[Event] | None,
) -> Problem:
    """Check every input and say all that is wrong; members with NaN get BAD_INPUT and are left out."""
    n, n_parameters, n_events = system.n_state, system.n_parameters, system.n_events
    wrong: list[str] = []
    y0 = _floats("y0", y0, wrong)
    times = _floats("times", times, wrong)
    p = _floats("p", np.zeros(n_parameters) if p is None else p, wrong)
    atol = _floats("atol", atol, wrong)
    if wrong:
        raise InputError("; ".join(wrong))
    if y0.ndim == 0 or y0.shape[-1] != n:
        wrong.append(f"y0 has shape {y0.shape}; expected (..., {n})")
    if p.ndim == 0 or p.shape[-1] != n_parameters:
        wrong.append(f"p has shape {p.shape}; expected (..., {n_parameters})")
    if times.ndim != 1 or len(times) < 2 or not np.all(np.isfinite(times)) or not np.all(np.diff(times) > 0):
        wrong.append(f"times (shape {times.shape}) must be at least two finite numbers that increase")
    if atol.shape not in ((), (n,)) or not np.all(atol >= 0):
        wrong.append(f"atol has shape {atol.shape}; expected one number or {n}, none negative")
    if not rtol >= 0 or (rtol == 0 and not np.all(atol > 0)):
        wrong.append(f"rtol is {rtol}; expected a positive number, or 0 with a positive atol")
    tolerances = np.broadcast_to(np.asarray(constraint_tolerance, float), 2)
    if not (tolerances > 0).all():
        wrong.append(
            f"constraint_tolerance is {constraint_tolerance}; expected a positive number, or two (positions, "
            "velocities)"
        )
    if step is not None and not (np.isfinite(step) and step > 0):
        wrong.append(f"step is {step}; expected a positive number")
    if max_step is not None and not max_step > 0:
        wrong.append(f"max_step is {max_step}; expected a positive number")
    if max_steps is not None and max_steps < 1:
        wrong.append(f"max_steps is {max_steps}; expected at least 1")
    name = type(method).__name__
    if method.control is None and step is None:
        wrong.append(f"{name} has a fixed step: give step=...")
    form = form_of(method)
    if form.implicit and system.jacobian is None:
        wrong.append(f"{name} is implicit: the system needs a jacobian kernel (df/dy, df/dt)")
    events = [Event()] * n_events if events is None else list(events)
    if len(events) != n_events:
        wrong.append(f"{len(events)} events are described, but the system has {n_events} event functions")
    try:
        shape = np.broadcast_shapes(y0.shape[:-1], p.shape[:-1])
    except ValueError:
        wrong.append(f"the batch axes of y0 {y0.shape[:-1]} and of p {p.shape[:-1]} do not broadcast")
        shape = ()
    if wrong:
        raise InputError("; ".join(wrong))

    count = int(np.prod(shape))
    initial = np.broadcast_to(y0, (*shape, n)).reshape(count, n).copy()
    parameters = np.broadcast_to(p, (*shape, n_parameters)).reshape(count, n_parameters).copy()
    good = np.isfinite(initial).all(-1) & np.isfinite(parameters).all(-1)
    for group in system.unit_groups:
        good &= (initial[:, group : group + 4] != 0).any(-1)  # nothing to normalise
    outcome: dict[str, np.ndarray] = {name: np.zeros(count, np.int64) for name in _COUNTS}
    outcome |= {name: np.zeros(count) for name in ("final_time", "position_residual", "velocity_residual")}
    outcome["status"][:] = np.where(good, Status.INTERRUPTED, Status.BAD_INPUT)
    outcome["final_time"][:] = times[0]
    span = times[-1] - times[0]
    n_steps = 0
    if method.control is None and step is not None:
        n_steps = max(1, int(np.ceil(span / step - 1e-9)))
    if max_steps is None:
        max_steps = n_steps + 1 if method.control is None else 1_000_000
    return Problem(
        system=system,
        method=method,
        form=form,
        shape=shape,
        initial=initial,
        parameters=parameters,
        times=np.ascontiguousarray(times),
        rtol=float(rtol),
        atol=_without_closing(np.broadcast_to(atol, n), system.n_closing),
        step=0.0 if step is None else float(step),
        max_step=np.inf if max_step is None else float(max_step),
        n_steps=n_steps,
        max_steps=int(max_steps),
        constraint_tolerances=(float(tolerances[0]), float(tolerances[1])),
        units=np.array(list(system.unit_groups), np.int64),
        directions=np.array([event.direction for event in events], np.int64),
        terminal=np.array([event.terminal for event in events], np.int64),
        order=np.flatnonzero(good),
        outcome=outcome,
        states=np.full((count, len(times), n), np.nan),
        final=initial.copy(),
    )


def _without_closing(atol: np.ndarray, count: int) -> np.ndarray:
    """The absolute tolerances; states that follow from others have no error of their own."""
    found = np.array(atol, float)
    found[found.size - count :] = np.inf
    return found


def _floats(name: str, value: Any, wrong: list[str]) -> np.ndarray:
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"dtype {array.dtype}")
        return np.asarray(array, float)
    except (TypeError, ValueError) as error:
        wrong.append(f"{name} is not an array of real numbers ({error})")
        return np.zeros(0)
