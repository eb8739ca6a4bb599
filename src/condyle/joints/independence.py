"""Whether the coordinates of a joint given by functions really are degrees of freedom."""

from __future__ import annotations

from math import isfinite, sqrt

import casadi as ca
import numpy as np

from condyle.joints.base import Joint
from condyle.joints.derived import hinge

POSES = 7


def motion_problems(joint: Joint) -> list[str]:
    """Coordinates that move nothing, or never independently: H lacks rank at every pose that is tried.

    A few poses inside the ranges are tried, so that a joint which is singular at isolated poses passes.
    Parallel neighbouring rotation axes and dependent translation axes show here, where they really cost a
    freedom.
    """
    names = joint.coordinate_names
    q = ca.SX.sym("q", len(names))
    evaluate = ca.Function("hinge", [q], [hinge(joint, q)], {"allow_free": True})
    if evaluate.has_free():
        return []
    largest = np.zeros((6, len(names)))
    rank = 0
    for pose in _poses(joint):
        H = np.array(evaluate(pose).full())
        if not np.isfinite(H).all():
            return [f"velocities are not finite at {dict(zip(names, pose.tolist(), strict=True))}"]
        largest = np.maximum(largest, np.abs(H))
        size = np.abs(H).max(axis=1, keepdims=True)
        # Rows are scaled one by one: rotations and translations have different units.
        rank = max(rank, int(np.linalg.matrix_rank(H / np.where(size > 0, size, 1), tol=1e-9)))
    idle = [name for name, column in zip(names, largest.T, strict=True) if not column.any()]
    if idle:
        return [f"coordinate {name!r} moves nothing" for name in idle]
    if rank < len(names):
        return [
            f"{len(names)} coordinates give only {rank} independent motions at every pose; "
            "look for parallel neighbouring rotation axes, or translation axes in one plane"
        ]
    return []


def _poses(joint: Joint) -> list[np.ndarray]:
    """Poses spread over the ranges (1 rad or m about the default where there is none) by irrational steps."""
    count = len(joint.coordinate_names)
    poses = []
    for k in range(POSES):
        pose = np.zeros(count)
        for index in range(count):
            coordinate = joint.coordinate(index)
            lower, upper = coordinate.range
            lower = lower if isfinite(lower) else min(coordinate.default, upper) - 1
            upper = upper if isfinite(upper) else max(coordinate.default, lower) + 1
            fraction = ((k + 1) * sqrt(index + 2) * 1.3 + 0.37 * index) % 1.0
            pose[index] = lower + fraction * (upper - lower)
        poses.append(pose)
    return poses
