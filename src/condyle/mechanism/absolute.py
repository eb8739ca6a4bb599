"""A model in absolute coordinates: every body free on ground, every joint a constraint [absolute, section 3].

The rewriting is a model like any other, so that all that exists for constrained models serves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import casadi as ca
import numpy as np

from condyle.errors import ModelError, Problem
from condyle.joints.base import Coordinate, Joint
from condyle.joints.free import Free
from condyle.mechanism.ghost import ghost_of, is_ghost, on_ground
from condyle.mechanism.joint_constraint import JointConstraint
from condyle.mechanism.tree import Link, Tree
from condyle.model.body import Body
from condyle.model.model import Model
from condyle.spatial import Transform, euler_parameters_from_rotation


class Reader(Protocol):
    """What says which coordinates it looks at."""

    @property
    def coordinates(self) -> tuple[str, ...]: ...


def absolute_tree(model: Model, others: Sequence[Reader] = ()) -> Tree:
    """Free joints named after their bodies (`foot.e0`), a constraint per joint, and the model's constraints.

    A joint whose equations have no closed form, of which a coordinate is locked, or whose coordinates a
    constraint or force of the model reads (or one of `others`, such as drivers), also appears as a ghost: a
    massless body on ground under the same joint, with the same coordinate names, whose pose is that of the
    joint. Defaults are those of the model's pose.
    """
    described = Tree(model)
    readers = (*model.constraints, *model.forces, *others)
    read = {name.rpartition(".")[0] for reader in readers for name in reader.coordinates}
    bodies, joints, ghosts, constraints = [], [], [], []
    for link, pose in zip(described.links, _default_poses(described), strict=True):
        joint, body = link.joint, link.body
        if is_ghost(body.name):  # of a loop: it has its joint already
            ghosts.append((body, joint))
            continue
        bodies.append(body)
        joints.append(Free(body.name, model.ground, body.name, coordinates=_defaults(pose)))
        ghost = None
        if joint.name in read or any(link.locked) or joint.equations(Transform.identity()) is None:
            ghost = ghost_of(joint)
            ghosts.append((Body(ghost), on_ground(joint, model.ground, ghost)))
        constraint = JointConstraint(joint.name, joint, ghost, in_ground=True)
        if constraint.size:
            constraints.append(constraint)
    _check_names(model, joints, [joint for _, joint in ghosts])
    rewritten = Model.unchecked(
        name=model.name,
        bodies=(*bodies, *(body for body, _ in ghosts)),
        joints=(*joints, *(joint for _, joint in ghosts)),
        constraints=(*constraints, *model.constraints),
        frames=model.frames,
        markers=model.markers,
        gravity=model.gravity,
        ground=model.ground,
        forces=model.forces,
    )
    return Tree(rewritten, described)


def _check_names(model: Model, free: list[Joint], ghosts: list[Joint]) -> None:
    """A ghost's coordinate must not have the name of a body's."""
    taken = {f"{joint.name}.{name}" for joint in free for name in joint.coordinate_names}
    problems = [
        Problem(f"joints.{joint.name}", f"in absolute coordinates {full!r} is the body's; rename the joint")
        for joint in ghosts
        for full in [f"{joint.name}.{name}" for name in joint.coordinate_names]
        if full in taken
    ]
    if problems:
        raise ModelError(f"model {model.name!r}", problems)


def _default_poses(tree: Tree) -> list[np.ndarray | None]:
    """X_GBo (4 x 4) of every link's body in the default pose; None where a promoted number makes it
    unknown.
    """
    frames: list[np.ndarray | None] = []
    for link in tree.links:
        below, own = frames[link.parent] if link.parent >= 0 else np.eye(4), _default_pose(link)
        frames.append(None if below is None or own is None else below @ own)
    return frames


def _default_pose(link: Link) -> np.ndarray | None:
    """Pose of a link's body in its parent's body, its coordinates at their defaults."""
    joint = link.joint
    q = ca.SX.sym("q", link.q.stop - link.q.start)
    X = joint.parent_frame.transform() @ joint.pose(q) @ joint.child_frame.transform().inverse()
    values = ca.Function("pose", [q], [ca.densify(X.R), ca.densify(X.p)], {"allow_free": True})
    if values.has_free():
        return None
    R, p = values([joint.coordinate(k).default for k in range(q.numel())])
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = R.full(), p.full()[:, 0]
    return pose


def _defaults(pose: np.ndarray | None) -> tuple[Coordinate, ...]:
    """Coordinates of a free joint at this pose."""
    if pose is None:
        return ()
    names = ("e0", "e1", "e2", "e3", "px", "py", "pz")
    values = (*euler_parameters_from_rotation(pose[:3, :3]), *pose[:3, 3])
    return tuple(Coordinate(name, float(value)) for name, value in zip(names, values, strict=True))
