"""Joint reaction loads: by balance from the leaves to the root [mobilizers, section 2.1], and from the
multipliers of joints that are constraints [absolute, section 3].
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from condyle.dynamics.constraint_loads import Load
from condyle.dynamics.kinematics import Kinematics
from condyle.dynamics.linkage import Linkage
from condyle.mechanism.joint_constraint import JointConstraint
from condyle.mechanism.tree import Link, Tree
from condyle.spatial.vectors import cross


def joint_reactions(linkage: Linkage, wrenches: tuple[tuple[ca.SX, ca.SX], ...]) -> ca.SX:
    """n_joints x 6: wrench (moment, force) of the parent on the child about B's origin, in P axes.

    `wrenches` as inverse or forward dynamics found them, in the axes of the parent's frame.
    """
    rows = [
        ca.vertcat(ca.mtimes(a.to_joint_axes, moment), ca.mtimes(a.to_joint_axes, force)).T
        for a, (moment, force) in zip(linkage.articulations, wrenches, strict=True)
    ]
    return _stacked(rows)


def multiplier_reactions(kinematics: Kinematics, loads: Sequence[Load], multipliers: ca.SX) -> ca.SX:
    """The same rows in absolute coordinates: what each joint's constraint applies to its child.

    -D' lambda, the moment about the child's origin in ground axes, brought to B and P.
    """
    tree = kinematics.linkage.tree
    described = _described(tree)
    constraints = zip(tree.model.constraints, loads, strict=True)
    held = [(each.joint, load) for each, load in constraints if isinstance(each, JointConstraint)]
    rows = []
    for link in described.links:
        wrench = ca.SX(6, 1)  # a free joint transmits nothing
        for load in [load for joint, load in held if joint is link.joint]:
            _, matrix = load.matrices[link.body.name]
            wrench = -ca.mtimes(matrix.T, multipliers[load.start : load.start + load.size])
        rows.append(_at_joint(kinematics, link, wrench[:3], wrench[3:]))
    return _stacked(rows)


def balanced_reactions(kinematics: Kinematics, wrenches: Sequence[tuple[ca.SX, ca.SX]]) -> ca.SX:
    """The same rows in absolute coordinates at given accelerations: `wrenches`, per link what its free joint
    would have to apply (moment about the body's origin, force; ground axes), summed along the described tree.
    """
    tree = kinematics.linkage.tree
    described = _described(tree)
    sums = [wrenches[tree.link_of(link.body.name)] for link in described.links]
    rows = []
    for link in reversed(described.links):
        moment, force = sums[link.index]
        rows.append(_at_joint(kinematics, link, moment, force))
        if link.parent >= 0:
            parent = described.links[link.parent].body.name
            arm = kinematics.pose(link.body.name).p - kinematics.pose(parent).p
            others = sums[link.parent]
            sums[link.parent] = (others[0] + moment + cross(arm, force), others[1] + force)
    return _stacked(rows[::-1])


def _described(tree: Tree) -> Tree:
    assert tree.described is not None, "a tree in absolute coordinates"
    return tree.described


def _at_joint(kinematics: Kinematics, link: Link, moment: ca.SX, force: ca.SX) -> ca.SX:
    """1 x 6, about B's origin in P axes, of a wrench about the child's origin in ground axes."""
    joint = link.joint
    to_P = ca.mtimes(kinematics.pose(joint.parent).R, joint.parent_frame.transform().R).T
    arm = ca.mtimes(kinematics.pose(joint.child).R, joint.child_frame.transform().p)
    return ca.vertcat(ca.mtimes(to_P, moment - cross(arm, force)), ca.mtimes(to_P, force)).T


def _stacked(rows: list[ca.SX]) -> ca.SX:
    return ca.densify(ca.vertcat(*rows)) if rows else ca.SX(0, 6)
