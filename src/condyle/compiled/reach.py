"""How far a coordinate can go while the others stand still, and what ends its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.compiled.arguments import parameter_values
from condyle.errors import InputError, closest
from condyle.solve.closing import follow
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.compiled.loop_calls import LoopCalls

# Ways end within 1e-6 of their length of a singular pose; singular values fall with the square root of the
# distance.
_LOST = 1e-2


@dataclass(frozen=True, eq=False)
class Reach:
    """Interval of one coordinate, from the default pose, the others as there.

    ends: for the lower and the upper one what it is: "asked" (as far as was asked), "dead point" (the
    coordinate turns back while others move on) or "singular" (the mechanism itself loses rank: motions meet,
    or it locks);
    poses (2, ns): all joint variables there; moving: names of the joint variables that move at each dead
    point.
    """

    coordinate: str
    lower: float
    upper: float
    ends: tuple[str, str]
    poses: np.ndarray
    moving: tuple[tuple[str, ...], tuple[str, ...]]


def reach(mechanism: LoopCalls, coordinate: str, lower: float, upper: float, parameters: Any) -> Reach:
    """See `Mechanism.reach`."""
    if coordinate not in mechanism.coordinates:
        raise InputError(f"unknown coordinate {coordinate!r}{closest(coordinate, mechanism.coordinates)}")
    k = mechanism.coordinates.index(coordinate)
    start = mechanism.assembly.coordinates
    if not lower <= start[k] <= upper:
        default = f"{coordinate!r} = {start[k]:.6g} of the default pose"
        raise InputError(f"{lower:g} to {upper:g} does not contain {default}")
    goal = np.array([start, start])
    goal[:, k] = lower, upper
    if not mechanism.roles.unknown:
        poses = mechanism.joint_values(goal, parameters=parameters)
        return Reach(coordinate, lower, upper, ("asked", "asked"), poses, ((), ()))
    p = parameter_values(parameters, mechanism.parameters, mechanism.parameter_defaults)
    kernel, unknown = mechanism.kernel("closing_step"), mechanism.assembly.unknown[None, :]
    found = follow(kernel, start[None, :], unknown, goal, p[None, :], mechanism.unit_groups)
    ends, values, moving = [], [], []
    q = start + found.reached[:, None] * (goal - start)
    poses = mechanism._call("joint_values", (q,), parameters, None, found.z)
    for side in range(2):
        done = found.status[side] == Status.OK
        kind, names = ("asked", ()) if done else _end(mechanism, poses[side])
        ends.append(kind)
        moving.append(names)
        values.append(float(goal[side, k] if kind == "asked" else q[side, k]))
    return Reach(coordinate, values[0], values[1], (ends[0], ends[1]), poses, (moving[0], moving[1]))


def _end(mechanism: LoopCalls, s: np.ndarray) -> tuple[str, tuple[str, ...]]:
    """What a pose at the end of the way is, and which joint variables can move there while the coordinate
    stands.
    """
    choice, tree = mechanism.assembly.choice, mechanism.tree
    if choice is None:
        return "singular", ()
    equations = choice.equations
    A = equations.matrix(s)[list(choice.rows)]
    A = A / np.array(choice.sizes)[:, None]
    values = np.linalg.svd(A[:, equations.free], compute_uv=False)
    if values.min() < _LOST * values.max():
        return "singular", ()
    speeds = equations.roles.independent_speeds
    given = set(mechanism.roles.independent_speeds)
    others = [k for k in equations.free if speeds[k] not in given]
    motion = np.abs(np.linalg.svd(A[:, others])[2][-1])
    return "dead point", tuple(
        tree.speeds[speeds[k]] for k, part in zip(others, motion, strict=True) if part > 0.05 * motion.max()
    )
