"""States moved onto the constraints, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.errors import InputError
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.compiled.mechanism import Mechanism


def project(
    mechanism: Mechanism, q: Any, u: Any, tolerance: float, iterations: int, parameters: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Newton steps on the positions, then one linear step on the velocities; a status per state."""
    if not mechanism.constrained:
        raise InputError(f"model {mechanism.model.name!r} has no constraints to project on")
    q, u = np.array(q, dtype=float), np.array(u, dtype=float)
    leading = np.broadcast_shapes(q.shape[:-1], u.shape[:-1])
    q = np.broadcast_to(q, (*leading, q.shape[-1])).copy()
    u = np.broadcast_to(u, (*leading, u.shape[-1])).copy()
    given = np.isfinite(q).all(axis=-1) & np.isfinite(u).all(axis=-1)
    q = _with_unit_groups(mechanism, q)
    for _ in range(iterations):
        step, residual = mechanism._call("constraint_position_step", (q,), parameters, None)
        open_states = residual[..., 0] > tolerance
        if not open_states.any():
            break
        # A state that is done stays as it is, so that its result does not depend on its companions.
        q = np.where(open_states[..., None], _with_unit_groups(mechanism, q + step), q)
    residual = np.abs(mechanism.constraint_residual(q, parameters=parameters)).max(axis=-1)
    u = u + mechanism._call("constraint_velocity_step", (q, u), parameters, None)[0]
    finite = np.isfinite(q).all(axis=-1) & np.isfinite(u).all(axis=-1)
    status = np.where(residual <= tolerance, Status.OK, Status.NOT_CONVERGED)
    return q, u, np.where(given, np.where(finite, status, Status.SINGULAR), Status.BAD_INPUT)


def _with_unit_groups(mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
    """The coordinates with Euler parameters scaled to unit length."""
    scaled = q.copy()
    for start in mechanism.unit_groups:
        scaled[..., start : start + 4] /= np.linalg.norm(q[..., start : start + 4], axis=-1, keepdims=True)
    return scaled
