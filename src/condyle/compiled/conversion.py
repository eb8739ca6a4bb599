"""States of one model in its minimal and in its absolute coordinates, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.compiled.arguments import common_shape, real_array
from condyle.errors import InputError
from condyle.mechanism.ghost import is_ghost
from condyle.spatial import euler_parameters_from_rotation

if TYPE_CHECKING:
    from condyle.compiled.mechanism import Mechanism


def from_minimal(
    mechanism: Mechanism, q: Any, u: Any, parameters: Any, trajectory: bool
) -> tuple[np.ndarray, np.ndarray]:
    """See `Mechanism.from_minimal`."""
    twin = minimal_twin(mechanism)
    q, u = real_array("q", q, twin.coordinates), real_array("u", u, twin.speeds)
    leading = common_shape({"q": q.shape[:-1], "u": u.shape[:-1]})
    q, u = (np.broadcast_to(value, (*leading, value.shape[-1])) for value in (q, u))
    if mechanism.formulation == "kane":
        return q.copy(), _with_parameter_rates(
            mechanism, u, twin.coordinate_rates(q, u, parameters=parameters)
        )
    poses = twin.body_poses(q, parameters=parameters)
    velocities = twin.body_velocities(q, u, parameters=parameters)
    columns, rates = [], []
    for body in mechanism.bodies:
        if is_ghost(body):  # its coordinates are those of its joint, below
            continue
        R, p = poses[body]
        e = euler_parameters_from_rotation(R)
        columns += [continuous_signs(e) if trajectory else e, p]
        rates += list(velocities[body])
    for names, own, given, found in (
        (mechanism.coordinates, twin.coordinates, q, columns),
        (mechanism.speeds, twin.speeds, u, rates),
    ):
        ghosts = names[sum(column.shape[-1] for column in found) :]
        found.append(given[..., [own.index(name) for name in ghosts]])
    shape = common_shape({f"{i}": value.shape[:-1] for i, value in enumerate((*columns, *rates))})
    return (
        np.concatenate([np.broadcast_to(v, (*shape, v.shape[-1])) for v in columns], axis=-1),
        np.concatenate([np.broadcast_to(v, (*shape, v.shape[-1])) for v in rates], axis=-1),
    )


def _with_parameter_rates(mechanism: Mechanism, u: np.ndarray, qdot: np.ndarray) -> np.ndarray:
    """Speeds (..., nu) of the kane formulation: qdot in joints with Euler parameters, u in others."""
    links = zip(mechanism.tree.links, mechanism.tree.minimal.links, strict=True)
    parts = [qdot[..., link.q] if link.joint.unit_groups else u[..., own.u] for link, own in links]
    return np.concatenate(parts, axis=-1) if parts else u.copy()


def continuous_signs(e: np.ndarray) -> np.ndarray:
    """Euler parameters (..., nt, 4) with the sign that continues the frame before, along the last axis but
    one.
    """
    if e.ndim < 2:
        return e
    flips = np.where((e[..., 1:, :] * e[..., :-1, :]).sum(axis=-1) < 0, -1.0, 1.0)
    signs = np.concatenate([np.ones((*e.shape[:-2], 1)), np.cumprod(flips, axis=-1)], axis=-1)
    return e * signs[..., None]


def minimal_twin(mechanism: Mechanism) -> Mechanism:
    """The same model in minimal coordinates."""
    if mechanism.formulation == "minimal":
        raise InputError(
            f"the mechanism of model {mechanism.model.name!r} is in minimal coordinates already; "
            "states are converted by the one compiled with formulation='absolute' or 'kane'"
        )
    return mechanism.minimal
