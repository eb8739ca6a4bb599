"""Motions that no mass resists: there the mass matrix is singular and accelerations are undetermined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from condyle.errors import Problem
from condyle.joints.derived import hinge
from condyle.spatial import RigidInertia, Transform, skew

if TYPE_CHECKING:
    from condyle.joints.base import Joint
    from condyle.model.body import Body
    from condyle.model.model import Model

SINGULAR = 1e-12  # smallest eigenvalue of a mass matrix scaled to a unit diagonal
_POSES = 3


def massless_problems(model: Model) -> Iterator[Problem]:
    """Joints whose motion moves no mass: nothing carried, or only mass on the axis of the motion.

    Judged from the bodies that move as one with the joint's child. Where further joints carry mass beyond
    them the answer depends on the pose and is left to the rank of the compiled mass matrix.
    """
    if model.loops:
        return  # which bodies a motion takes along depends on the loops
    groups = _rigid_groups(model)
    read = {name.rpartition(".")[0] for coupling in model.couplings for name in coupling.independents}
    for joint in model.joints:
        if joint.name in read:
            continue  # it moves what is coupled to it, wherever that hangs
        free, group = _free_speeds(joint, model), groups[joint.child]
        if not free or group.moving_mass:
            continue
        named = ", ".join(repr(joint.speed_names[k]) for k in free)
        where = f"bodies.{joint.child}"
        if not any(_has_mass(body) for body, _ in group.members):
            beyond = " and all that it carries" if group.carries else ""
            what = (
                f"massless{beyond}, yet joint {joint.name!r} lets it move ({named}); give it mass or weld it"
            )
            yield Problem(where, what)
        elif _is_unresisted(joint, free, group):
            what = f"its mass does not resist every motion of joint {joint.name!r} ({named}); give it inertia"
            yield Problem(where, what)


@dataclass(frozen=True)
class _Group:
    """A body, itself and what is fixed to it with their poses in it, and what moves on them."""

    members: tuple[tuple[Body, Transform], ...]
    carries: bool
    moving_mass: bool


def _rigid_groups(model: Model) -> dict[str, _Group]:
    """The group of every body, leaves first."""
    bodies = {body.name: body for body in model.bodies}
    children: dict[str, list[Joint]] = {}
    for joint in model.joints:
        children.setdefault(joint.parent, []).append(joint)
    order = [model.ground]
    for name in order:
        order += [joint.child for joint in children.get(name, ())]
    groups: dict[str, _Group] = {}
    for name in order[:0:-1]:
        members = [(bodies[name], Transform.identity())]
        moving = False
        for joint in children.get(name, ()):
            group = groups[joint.child]
            moving = moving or group.moving_mass
            if _free_speeds(joint, model):
                moving = moving or any(_has_mass(body) for body, _ in group.members)
            elif any(_has_mass(body) for body, _ in group.members):
                X = _default_pose(joint)
                members += [(body, X @ pose) for body, pose in group.members]
        groups[name] = _Group(tuple(members), name in children, moving)
    return groups


def _free_speeds(joint: Joint, model: Model) -> list[int]:
    """Indices of the speeds that are neither locked nor coupled, as only those that are coordinate rates
    are.
    """
    coupled = {name for coupling in model.couplings for name in coupling.dependents}
    names = joint.coordinate_names
    locks = [joint.coordinate(k).locked or f"{joint.name}.{names[k]}" in coupled for k in range(len(names))]
    count = len(joint.speed_names)
    return [k for k in range(count) if len(locks) != count or not locks[k]]


def _has_mass(body: Body) -> bool:
    return isinstance(body.mass, ca.SX) or body.mass > 0.0


def _default_pose(joint: Joint) -> Transform:
    q = ca.SX([joint.coordinate(k).default for k in range(len(joint.coordinate_names))])
    return joint.parent_frame.transform() @ joint.pose(q) @ joint.child_frame.transform().inverse()


def _is_unresisted(joint: Joint, free: list[int], group: _Group) -> bool:
    """Whether H' I H of the group, rigid, is singular at the default pose and beside it."""
    if any(resists_all(body) for body, _ in group.members):
        return False
    to_frame = joint.child_frame.transform().inverse()
    spatial = ca.SX(6, 6)
    for body, X in group.members:
        part = RigidInertia.of(body.mass, body.center_of_mass, body.inertia).seen_from(to_frame @ X)
        across = skew(part.moment)
        spatial += ca.blockcat([[part.about_origin, across], [-across, part.mass * ca.SX.eye(3)]])
    q = ca.SX.sym("q", len(joint.coordinate_names))
    turn = joint.pose(q).R.T
    H = ca.mtimes(ca.diagcat(turn, turn), hinge(joint, q)[:, free])
    evaluate = ca.Function("rigid", [q], [H, spatial], {"allow_free": True})
    if evaluate.has_free():
        return False
    default = np.array([joint.coordinate(k).default for k in range(q.numel())])
    offsets = np.outer(np.arange(_POSES), 0.1 / (1.0 + np.arange(q.numel())))
    return all(_is_singular(*(part.full() for part in evaluate(default + offset))) for offset in offsets)


def resists_all(body: Body) -> bool:
    """Whether the body alone resists every motion (a promoted inertia is given the benefit)."""
    if any(isinstance(value, ca.SX) for value in (body.mass, *body.inertia)):
        return True
    xx, yy, zz, xy, xz, yz = body.inertia
    moments = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    return bool(body.mass > 0.0 and moments[0] > SINGULAR * moments[2] > 0.0)


def _is_singular(H: np.ndarray, spatial: np.ndarray) -> bool:
    """Whether H' I H (n x n) has less than full rank, but for round-off of the sizes of H and I."""
    matrix = H.T @ spatial @ H
    if not np.all(np.isfinite(matrix)):
        return False
    turning, moving = np.linalg.norm(H[:3], axis=0), np.linalg.norm(H[3:], axis=0)
    largest = np.linalg.norm(spatial[:3, :3], 2), np.linalg.norm(spatial[3:, 3:], 2)
    diagonal = np.diag(matrix)
    if np.any(diagonal <= SINGULAR * (turning**2 * largest[0] + moving**2 * largest[1])):
        return True
    scale = 1.0 / np.sqrt(diagonal)
    return bool(np.linalg.eigvalsh(matrix * np.outer(scale, scale))[0] < SINGULAR)
