"""Assemblies of one mechanism at the same coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from condyle.compiled.arguments import parameter_values, real_array
from condyle.compiled.closing import dependents
from condyle.errors import InputError
from condyle.mechanism.tree import Link
from condyle.solve.closing import follow
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.compiled.loop_calls import LoopCalls

_SAME = 1e-6  # rad or m: solutions this near to each other are one


def branches(mechanism: LoopCalls, q: Any, starts: int, parameters: Any) -> np.ndarray:
    """See `Mechanism.branches`."""
    q = real_array("q", q, mechanism.coordinates)
    if q.ndim != 1:
        raise InputError(
            f"q: shape {q.shape}; allowed: ({len(mechanism.coordinates)},), one set of coordinates"
        )
    roles = mechanism.roles
    if not roles.unknown:
        return mechanism.joint_values(q, parameters=parameters)[None, :]
    p = parameter_values(parameters, mechanism.parameters, mechanism.parameter_defaults)
    own = dependents(mechanism, q, parameters)[0]
    turning, offset = _turning(mechanism), mechanism.assembly.unknown
    generator = np.random.default_rng(0)
    random = generator.uniform(-1.0, 1.0, (starts, offset.size))
    sizes = np.where(turning, np.pi, 2 * np.abs(offset).max(initial=0.5))
    goal = np.broadcast_to(q, (starts, q.size))
    kernel = mechanism.kernel("closing_step")
    tried = follow(kernel, goal, offset + sizes * random, goal, p[None, :], mechanism.unit_groups)
    found: list[np.ndarray] = [own] if np.isfinite(own).all() else []
    for z in tried.z[tried.status == Status.OK]:
        z = np.where(turning, offset + np.remainder(z - offset + np.pi, 2 * np.pi) - np.pi, z)
        if not any(_equal(z, other, turning) for other in found):
            found.append(z)
    values = [mechanism._call("joint_values", (q,), parameters, None, z) for z in found]
    return np.array(values).reshape(len(values), len(mechanism.joint_variables))


def _turning(mechanism: LoopCalls) -> np.ndarray:
    """Whether each unknown is an angle, of which whole turns do not matter; such as couplings read do."""
    tree, roles = mechanism.tree, mechanism.roles
    read = {name for coupling in tree.model.couplings for name in coupling.independents}
    read |= {name for item in (*tree.model.forces, *tree.model.constraints) for name in item.coordinates}
    angular = set()
    for link in tree.links:
        for k, name in enumerate(link.joint.coordinate_names):
            if f"{link.joint.name}.{name}" not in read and _repeats(link, k):
                angular.add(link.q.start + k)
    return np.array([k in angular for k in roles.unknown])


def _repeats(link: Link, k: int) -> bool:
    """Whether the joint's pose is the same after a whole turn of its coordinate k."""
    q = ca.SX.sym("q", len(link.joint.coordinate_names))
    X = link.joint.pose(q)
    pose = ca.Function("pose", [q], [ca.densify(X.R), ca.densify(X.p)], {"allow_free": True})
    if pose.has_free():
        return False  # a promoted number
    at = np.array(link.joint.coordinate_defaults) + np.random.default_rng(1).uniform(0.1, 0.9, q.numel())
    turned = at.copy()
    turned[k] += 2 * np.pi
    return all(
        np.allclose(a.full(), b.full(), atol=1e-12)
        for a, b in zip(pose.call([at]), pose.call([turned]), strict=True)
    )


def _equal(z: np.ndarray, other: np.ndarray, turning: np.ndarray) -> bool:
    apart = np.abs(z - other)
    apart = np.where(turning, np.minimum(apart, np.abs(2 * np.pi - apart)), apart)
    return bool((apart < _SAME).all())
