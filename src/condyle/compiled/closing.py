"""Joint variables that are solved for, at many given coordinates: kernels and the compiled loop around
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from condyle.compiled.arguments import common_shape, parameter_values, real_array
from condyle.compiled.graph import Graph
from condyle.compiled.quantity import Outputs
from condyle.dynamics.closure import Closure
from condyle.solve.closing import follow
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.compiled.loop_calls import LoopCalls


@dataclass(frozen=True, eq=False)
class Closed:
    """Joint variables at given coordinates; "..." are the batch axes of the coordinates.

    joint_values (..., ns): all joint variables, NaN where they were not found; status (...): OK, SINGULAR
    (on the way from the default pose there is a pose where the coordinates do not determine the others),
    NOT_CONVERGED, BAD_INPUT; reached (...): which part of the way was travelled; iterations (...): Newton
    steps on the way,
    most (...): the most of them at one pose.
    """

    joint_values: np.ndarray
    status: np.ndarray
    reached: np.ndarray
    iterations: np.ndarray
    most: np.ndarray


def closing_step(graph: Graph) -> Outputs:
    """The Newton step of the unknowns, and a number that changes where some block of equations has been
    singular.
    """
    assert graph.embedding is not None
    closure = Closure(graph.embedding)
    side = ca.SX(0)
    for k, determinant in enumerate(ca.vertsplit(closure.system.determinants)):
        # Weights such that no combination of signs has the sum of another.
        side = side + ca.if_else(determinant < 0, 1.0, 0.0) * (1.0 + (k * 0.6180339887498949) % 1.0)
    return {"step": closure.step(graph.dependent), "side": side}


def dependents(mechanism: LoopCalls, q: Any, parameters: Any) -> tuple[np.ndarray, Any, tuple[int, ...]]:
    """(z (..., nz), how the loop fared, the batch shape), on the branch of the default pose."""
    array = real_array("q", q, mechanism.coordinates)
    values = parameter_values(parameters, mechanism.parameters, mechanism.parameter_defaults)
    shape = common_shape({"q": array.shape[:-1], "parameters": values.shape[:-1]})
    count = int(np.prod(shape))
    flat = np.broadcast_to(array, (*shape, array.shape[-1])).reshape(count, array.shape[-1])
    p = np.broadcast_to(values, (*shape, values.shape[-1])).reshape(count, values.shape[-1])
    assembly = mechanism.assembly
    found = follow(
        mechanism.kernel("closing_step"),
        assembly.coordinates[None, :],
        assembly.unknown[None, :],
        flat,
        p,
        mechanism.unit_groups,
    )
    z = np.where((found.status == Status.OK)[:, None], found.z, np.nan)
    return z.reshape(*shape, z.shape[-1]), found, shape


def close(mechanism: LoopCalls, q: Any, parameters: Any) -> Closed:
    """See `LoopCalls.close`."""
    if not mechanism.roles.unknown:
        s = mechanism.joint_values(q, parameters=parameters)
        shape = s.shape[:-1]
        bad = ~np.isfinite(s).all(axis=-1)
        status = np.where(bad, Status.BAD_INPUT, Status.OK)
        none = np.zeros(shape, np.int64)
        return Closed(s, status, np.ones(shape), none, none)
    z, found, shape = dependents(mechanism, q, parameters)
    s = mechanism._call("joint_values", (q,), parameters, None, z)
    rest = (array.reshape(shape) for array in (found.status, found.reached, found.iterations, found.most))
    return Closed(s, *rest)
