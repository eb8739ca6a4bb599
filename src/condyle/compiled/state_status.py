"""Whether a mechanism can be evaluated at given states, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from condyle.compiled.arguments import common_shape, parameter_values, real_array
from condyle.dynamics.saddle import factor_saddle
from condyle.joints.derived import hinge
from condyle.mechanism.tree import Tree
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.compiled.mechanism import Mechanism

#: Euler parameters farther than this from unit length are a mistake, not round-off.
UNIT_TOLERANCE = 1e-3
#: Smallest relative pivot of a regular mass matrix or constraint. Pivots fall with the square of the distance
#: from a singular pose: an angle is singular within about 1e-6 rad of one.
SMALLEST_PIVOT = 1e-12
#: Largest entry of N that counts as regular: again an angle 1e-6 rad from where it grows without bound.
LARGEST_RATE = 1e6
#: Part of the way to a pose after which it is the pose itself that is singular.
_ARRIVED = 1 - 1e-5


def state_status(
    mechanism: Mechanism, q: Any, u: Any, solved: np.ndarray | None, parameters: Any
) -> np.ndarray:
    """Status (...) per state; see `Mechanism.state_status`. `solved` (..., nz): the unknowns, if they are
    known.
    """
    q = real_array("q", q, mechanism.coordinates)
    u = real_array("u", u, mechanism.speeds)
    values = parameter_values(parameters, mechanism.parameters, mechanism.parameter_defaults)
    shape = common_shape({"q": q.shape[:-1], "u": u.shape[:-1], "parameters": values.shape[:-1]})
    astray, lost_there, s = np.array(False), Status.INFEASIBLE, None
    if mechanism.roles.unknown:
        if solved is None or not solved.shape[-1]:
            closed = mechanism.close(q, parameters=parameters)
            s = closed.joint_values
            astray = (closed.status == Status.SINGULAR) | (closed.status == Status.NOT_CONVERGED)
            lost_there = np.where(closed.reached > _ARRIVED, Status.SINGULAR, Status.INFEASIBLE)
            solved = s[..., list(mechanism.roles.unknown)]
        else:
            s = mechanism._call("joint_values", (q,), parameters, None, solved)
    pivots = mechanism._call("regularity", (q,), parameters, None, solved)
    regular = np.array(True)
    with np.errstate(invalid="ignore"):
        for pivot in pivots if isinstance(pivots, tuple) else (pivots,):
            regular = regular & (pivot[..., 0] > SMALLEST_PIVOT)
    regular = regular | astray
    found = status_by_joints(mechanism, q, u, s)
    found = np.where(astray & (found != Status.BAD_INPUT), lost_there, found)
    lost = ~regular & (found == Status.OK)
    return np.broadcast_to(np.where(lost, Status.SINGULAR, found), shape).copy()


def status_by_joints(
    mechanism: Mechanism, q: np.ndarray, u: np.ndarray, s: np.ndarray | None = None
) -> np.ndarray:
    """Status (...) by what needs no mass matrix, at no cost: the numbers themselves, and each joint's N and
    H.

    Where every body resists every motion on its own, a mass matrix is singular only if some H lacks rank.
    """
    s = mechanism.joint_values(q) if s is None else s
    rates, rank = _joint_measures(mechanism, s)
    with np.errstate(invalid="ignore"):
        regular = (rates < LARGEST_RATE) & (rank > SMALLEST_PIVOT)
    bad = beyond_input(mechanism, q, s) | ~np.isfinite(u).all(axis=-1)
    return np.where(bad, Status.BAD_INPUT, np.where(regular, Status.OK, Status.SINGULAR))


def _joint_measures(mechanism: Mechanism, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(norm of all entries of N(q), smallest relative pivot of H'H of a joint), each (...)."""
    measures = mechanism.joint_measures
    if measures is None or not s.size:
        return np.zeros(s.shape[:-1]), np.ones(s.shape[:-1])
    rates, rank = (
        np.array(value.full()).reshape(s.shape[:-1]) for value in measures(s.reshape(-1, s.shape[-1]).T)
    )
    return rates, rank


def joint_measures(tree: Tree) -> ca.Function | None:
    """q -> (norm of all entries of N, smallest relative pivot of H'H of a joint); None where both are
    constant.
    """
    symbol = ca.SX.sym("q", len(tree.coordinates))
    entries, pivots = [], []
    for link in tree.links:
        N, H = link.joint.rate_matrix(symbol[link.q]), hinge(link.joint, symbol[link.q])[:, link.free]
        if N is not None:
            entries.append(ca.vec(N))
        if ca.depends_on(H, symbol):
            pivots.append(factor_saddle(ca.mtimes(H.T, H), ca.SX(0, len(link.free))).smallest_speed_pivot)
    if not entries and not pivots:
        return None
    outputs = [ca.norm_2(ca.vertcat(0, *entries)), ca.mmin(ca.vertcat(1, *pivots))]
    return ca.Function("measures", [symbol], outputs)


def beyond_input(mechanism: Mechanism, q: np.ndarray, s: np.ndarray | None = None) -> np.ndarray:
    """Where (...) q is not finite, its Euler parameters are not unit, or it is beyond the joints' data."""
    bad = ~np.isfinite(q).all(axis=-1)
    with np.errstate(invalid="ignore"):
        for start in mechanism.unit_groups:
            length = np.linalg.norm(q[..., start : start + 4], axis=-1)
            bad = bad | ~(np.abs(length - 1) <= UNIT_TOLERANCE)
    return bad | beyond_data(mechanism, q, s)


def beyond_data(mechanism: Mechanism, q: np.ndarray, s: np.ndarray | None = None) -> np.ndarray:
    """Where (...) a joint variable lies outside the data of a joint's or a coupling's functions."""
    beyond = np.zeros(q.shape[:-1], dtype=bool)
    s = mechanism.joint_values(q) if s is None else s
    with np.errstate(invalid="ignore"):
        for link in mechanism.tree.links:
            for k in range(link.q.stop - link.q.start):
                covered = link.joint.data_range(k)
                if covered is not None:
                    value = s[..., link.q.start + k]
                    beyond = beyond | (value < covered[0]) | (value > covered[1])
        for coupling in mechanism.roles.couplings:
            for name, (lower, upper) in zip(coupling.independents, coupling.domain or (), strict=False):
                value = s[..., mechanism.roles.place[name]]
                beyond = beyond | (value < lower) | (value > upper)
    return beyond
