"""Joint kinematics of every link, in the form that all algorithms share.

Quantities of link i are expressed in the axes of its joint frame B_i (fixed on the body), about B_i's origin;
what its joint does is expressed in the axes of the parent's frame B_p, so that a constant rotation between
the frames folds into R.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from condyle.errors import InputError
from condyle.joints.derived import coordinate_rates, hinge, hinge_bias
from condyle.mechanism.tree import Link, Tree
from condyle.spatial import RigidInertia, Transform, euler_conjugate, euler_product
from condyle.spatial.vectors import constant


@dataclass(frozen=True)
class Articulation:
    """Link i: X = X_BpBi; H (6 x nu), bias = Hdot u (6) in B_p axes about B_i's origin; its inertia.

    A root's B_p is its joint's frame P, at `base` in ground, so that a constant turn of P costs nothing but
    in poses; that of other links is their parent's frame, and `base` the identity.
    """

    link: Link
    X: Transform
    H: ca.SX
    bias: ca.SX
    inertia: RigidInertia
    to_joint_axes: ca.SX  # R_PBp, constant
    base: Transform


@dataclass(frozen=True)
class Linkage:
    """All articulations of a tree at (q, u), the links' parents first."""

    tree: Tree
    q: ca.SX
    u: ca.SX
    articulations: tuple[Articulation, ...]

    @property
    def gravity(self) -> ca.SX:
        return constant(self.tree.model.gravity)

    def gravity_at(self, a: Articulation) -> ca.SX:
        """Gravity in the axes of a root's P."""
        return ca.sparsify(ca.mtimes(a.base.R.T, self.gravity))

    def qdot(self) -> ca.SX:
        """N(q) u."""
        rates = [
            coordinate_rates(a.link.joint, self.q[a.link.q], self.u[a.link.u]) for a in self.articulations
        ]
        return ca.vertcat(*rates) if rates else ca.SX(0, 1)

    def qdot_along(self, u: ca.SX) -> ca.SX:
        """N(q) times another vector of speeds."""
        rates = [coordinate_rates(a.link.joint, self.q[a.link.q], u[a.link.u]) for a in self.articulations]
        return ca.vertcat(*rates) if rates else ca.SX(0, 1)


def body_frame_in_joint_frame(link: Link) -> Transform:
    """X_BBo: the body frame in the joint frame fixed on the same body."""
    return link.joint.child_frame.transform().inverse()


def linkage(tree: Tree, q: ca.SX, u: ca.SX) -> Linkage:
    """Evaluate every joint of the tree symbolically, each once."""
    articulations = []
    for link in tree.links:
        joint = link.joint
        base, X_BpP = joint.parent_frame.transform(), Transform.identity()
        if link.parent >= 0:
            base, X_BpP = X_BpP, body_frame_in_joint_frame(tree.links[link.parent]) @ base
        q_joint, u_joint = q[link.q], u[link.u]
        X_PB = joint.pose(q_joint)
        H = hinge(joint, q_joint, X_PB)
        bias = hinge_bias(joint, q_joint, u_joint, H)
        inertia = RigidInertia.of(link.body.mass, link.body.center_of_mass, link.body.inertia)
        inertia = inertia.seen_from(body_frame_in_joint_frame(link))
        R = X_BpP.R
        articulations.append(
            Articulation(link, X_BpP @ X_PB, _turn(R, H), _turn(R, bias), inertia, R.T, base)
        )
    return Linkage(tree, q, u, tuple(articulations))


def euler_parameters_along(linkage: Linkage, path: list[int], end: int) -> ca.SX:
    """p (4) of the body frame of link `end` in the joint frame (or ground) from which `path` departs.

    The product of what the joints state: continuous in the coordinates, where a rotation matrix leaves the
    sign open.
    """
    tree = linkage.tree
    p = ca.SX(ca.DM([1.0, 0.0, 0.0, 0.0]))
    for place, index in enumerate(path):
        joint = tree.links[index].joint
        if place > 0:
            p = euler_product(
                p, euler_conjugate(tree.links[path[place - 1]].joint.child_frame.euler_parameters())
            )
        elif tree.links[index].parent >= 0:
            before = tree.links[tree.links[index].parent].joint.child_frame
            p = euler_conjugate(before.euler_parameters())
        own = joint.euler_parameters(linkage.q[tree.links[index].q])
        if own is None:
            raise InputError(
                f"relative Euler parameters across joint {joint.name!r} ({type(joint).__name__}) are not "
                "defined; allowed: joints whose rotation has Euler parameters, or formulation='absolute'"
            )
        p = euler_product(euler_product(p, joint.parent_frame.euler_parameters()), own)
    if end >= 0:
        p = euler_product(p, euler_conjugate(tree.links[end].joint.child_frame.euler_parameters()))
    return ca.sparsify(p)


def _turn(R: ca.SX, pairs: ca.SX) -> ca.SX:
    """Rotate the angular and the linear half of one or several 6-vectors."""
    return ca.sparsify(ca.vertcat(ca.mtimes(R, pairs[:3, :]), ca.mtimes(R, pairs[3:, :])))
