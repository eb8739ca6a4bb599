"""Inverse dynamics from drivers: multipliers, torques, reactions of a kinematic analysis [000-4, 5]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from condyle.analyses.kinematic_analysis import KinematicAnalysis
from condyle.compiled.arguments import wrench_values
from condyle.compiled.driver_equations import DriverEquations
from condyle.compiled.driver_loads import DriverLoads
from condyle.errors import InputError, closest
from condyle.solve.basic import basic_solutions
from condyle.status import Status

POLICIES = ("refuse", "minimum_norm", "weighted", "basic")
_CHUNK = 64  # frames whose matrices are in memory at once
_SAMPLES = 5  # frames at which it is asked what the rows determine
_DETERMINED = 1e-8

Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class DriverDynamics:
    """Loads at every frame of `kinematics`; NaN at frames that it did not solve.

    multipliers (..., frames, rows): lambda in M vdot + D' lambda = g. torques {joint: (..., frames, nu)}: of
    the drivers on the child, conjugate to the joint's speeds [N m]; moments {joint: (..., frames, 3)}: of the
    rotational drivers on the child, P axes, with what belongs to the reaction. reactions {joint: (moment,
    force)}: whole wrench of the parent on the child about B's origin, P axes. wrenches {constraint or driver:
    (moment, force)}: on the last of its bodies, about its origin, ground axes.

    policy: how multipliers were chosen where rows are redundant. redundant: how many of them the equations
    leave open. undetermined: joints whose torques depend on the policy; all other torques do not.
    """

    kinematics: KinematicAnalysis
    policy: str
    multipliers: np.ndarray
    torques: Mapping[str, np.ndarray]
    moments: Mapping[str, np.ndarray]
    reactions: Mapping[str, Pair]
    wrenches: Mapping[str, Pair]
    redundant: int
    undetermined: tuple[str, ...]

    @property
    def row_names(self) -> tuple[str, ...]:
        return self.kinematics.row_names

    def multipliers_of(self, item: str) -> np.ndarray:
        """Lambda (..., frames, size) of a joint or constraint ("hip"), or of a driver ("driver hip")."""
        return self.multipliers[..., self.kinematics.equations.item(item).rows]


def driver_dynamics(
    kinematics: KinematicAnalysis,
    *,
    policy: str = "refuse",
    weights: Mapping[str, float] | None = None,
    wrenches: Mapping[str, Any] | None = None,
) -> DriverDynamics:
    """Multipliers from D' lambda = g - M vdot, and the loads that they mean.

    policy, for rows that are redundant: "refuse" (an error that says what is open), "minimum_norm" (least sum
    of lambda^2), "weighted" (least sum of (lambda / w)^2, `weights` by joint, constraint or driver; by
    default those of the kinematic analysis), "basic" (QR with exchange of columns, as MATLAB's backslash: as
    few entries as the rank asks for). Without redundant rows all give the same. wrenches {body: (..., frames,
    6)}: (moment about its origin, force), ground axes.
    """
    if policy not in POLICIES:
        raise InputError(f"policy: {policy!r}{closest(str(policy), POLICIES)}")
    if weights is not None and policy != "weighted":
        raise InputError(f"weights are for policy='weighted', not {policy!r}")
    equations = kinematics.equations
    loads = DriverLoads(equations)
    redundant = len(equations.row_names) - len(equations.free_speeds)
    undetermined = _undetermined(kinematics, loads) if redundant else ()
    if redundant and policy == "refuse":
        listed = ", ".join(undetermined) or "no joint"
        raise InputError(
            f"{len(equations.row_names)} rows for {len(equations.free_speeds)} speeds: {redundant} "
            f"multipliers are not determined; torques that depend on the choice: {listed}; allowed: policy="
            "'minimum_norm', 'weighted' or 'basic', or drivers without redundant rows"
        )
    bodies, values = wrench_values(wrenches, kinematics.mechanism.bodies)
    q, u, udot, targets = kinematics.whole
    state = q, u, udot
    if policy == "basic" and redundant:
        multipliers = _basic(kinematics, bodies, values)
    else:
        per_row = _row_weights(equations, weights) if policy == "weighted" and redundant else None
        multipliers = equations.multipliers(per_row, bodies)(*state, targets, kinematics.parameters, values)
    failed = (kinematics.status != Status.OK)[..., None]
    multipliers = np.where(failed, np.nan, multipliers)
    found = loads.kernel()(q, targets, multipliers, kinematics.parameters)
    torques, moments, reactions, others = found
    return DriverDynamics(
        kinematics,
        policy,
        multipliers,
        {joint: torques[..., own] for joint, own in loads.torque_slices.items()},
        {
            driven.joint.name: moments[..., 3 * k : 3 * k + 3]
            for k, driven in enumerate(loads.joints)
            if driven.rotational
        },
        {driven.joint.name: _pair(reactions, k) for k, driven in enumerate(loads.joints)},
        {item.label: _pair(others, k) for k, item in enumerate(loads.others)},
        redundant,
        undetermined,
    )


def _pair(stacked: np.ndarray, k: int) -> Pair:
    return stacked[..., 6 * k : 6 * k + 3], stacked[..., 6 * k + 3 : 6 * k + 6]


def _row_weights(equations: DriverEquations, given: Mapping[str, float] | None) -> tuple[float, ...]:
    held, driven = equations.weights
    given = {equations.item(name).label: weight for name, weight in (given or {}).items()}
    wrong = [f"weight of {name!r} is {w!r}; allowed: > 0" for name, w in given.items() if not w > 0]
    if wrong:
        raise InputError("; ".join(wrong))
    found: list[float] = []
    for item in equations.items:
        weight = given.get(item.label, driven if item.driver else held)
        found += [float(weight)] * (item.rows.stop - item.rows.start)
    return tuple(found)


def _basic(kinematics: KinematicAnalysis, bodies: tuple[str, ...], values: Any) -> np.ndarray:
    """Pivoted QR of D' in the speeds of the tree, chunks of frames at a time."""
    equations = kinematics.equations
    free = list(equations.free_speeds)
    q, u, udot, targets = (part.reshape(-1, part.shape[-1]) for part in kinematics.whole)
    shape = kinematics.status.shape
    parameters = _by_frame(kinematics.parameters, shape)
    loads = None if values is None else _by_frame(values, shape)
    right = equations.required(bodies)(q, u, udot, parameters, loads)[:, free]
    found = np.full((len(q), len(equations.row_names)), np.nan)
    known = np.flatnonzero(np.isfinite(right).all(axis=-1))
    for start in range(0, len(known), _CHUNK):
        rows = known[start : start + _CHUNK]
        D = equations.matrix()(q[rows], targets[rows], parameters[rows])[0][..., free]
        found[rows] = basic_solutions(D, right[rows])[0]
    return found.reshape(*shape, -1)


def _by_frame(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return np.broadcast_to(values, (*shape, values.shape[-1])).reshape(int(np.prod(shape)), -1)


def _undetermined(kinematics: KinematicAnalysis, loads: DriverLoads) -> tuple[str, ...]:
    """Joints on whose torques, or moments, multipliers act that do nothing else."""
    equations = kinematics.equations
    q, _, _, targets = (part.reshape(-1, part.shape[-1]) for part in kinematics.whole)
    good = np.flatnonzero(kinematics.status.ravel() == Status.OK)
    if not good.size:
        return ()
    chosen = good[np.unique(np.linspace(0, len(good) - 1, _SAMPLES).astype(int))]
    parameters = _by_frame(kinematics.parameters, kinematics.status.shape)[chosen]
    D = equations.matrix()(q[chosen], targets[chosen], parameters)[0][..., list(equations.free_speeds)]
    rank = np.linalg.matrix_rank(D)
    left = np.linalg.svd(D)[0]
    changes = np.zeros((*D.shape[:2], D.shape[1] - int(rank.min())))
    for k in range(len(chosen)):
        silent = left[k][:, rank[k] :]
        changes[k, :, : silent.shape[1]] = silent
    torques, moments, _, _ = loads.kernel()(
        q[chosen][:, None], targets[chosen][:, None], np.swapaxes(changes, 1, 2), parameters[:, None]
    )
    found = []
    for k, driven in enumerate(loads.joints):
        name = driven.joint.name
        own = torques[..., loads.torque_slices[name]] if name in loads.torque_slices else None
        part = moments[..., 3 * k : 3 * k + 3] if own is None else own
        if driven.driven and np.abs(part).max(initial=0.0) > _DETERMINED:
            found.append(name)
    return tuple(found)
