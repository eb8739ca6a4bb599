"""Forward dynamics of a tree in second rates of Euler parameters, normality embedded (002-B.62 to B.67).

B.63 and B.67 map the equations of a floating base or spherical joint to four rates, L' s' M* s L eddot = ...,
which are singular; e.eddot = -edot.edot takes the dependent parameter out of each joint: eddot = T z + c.
So the joint moves along H T with the bias H c more, and its load is T' tau. That is a joint of three speeds
like any other to the articulated-body algorithm, in the base as in any link of a chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca

from condyle.dynamics.aba import ForwardDynamics, aba
from condyle.dynamics.linkage import Articulation, Linkage
from condyle.mechanism.tree import Link
from condyle.spatial.euler.normality import Normality


@dataclass(frozen=True)
class EmbeddedJoint:
    """One joint with its groups of Euler parameters, each with its normality at the present pose."""

    link: Link
    groups: dict[int, Normality]

    def articulation(self, a: Articulation, reduced: Link, u: ca.SX) -> Articulation:
        """The same joint on its independent rates; `reduced` is its link in the tree of these."""
        columns, bias = [], a.bias
        for k in self._starts():
            if k not in self.groups:
                columns.append(a.H[:, k])
                continue
            four = [a.H[:, k + i] for i in range(4)]
            columns += self.groups[k].columns(four)
            bias = bias + ca.mtimes(ca.horzcat(*four), self.groups[k].constant(u[k : k + 4]))
        H = ca.horzcat(*columns) if columns else a.H
        return replace(a, link=reduced, H=ca.sparsify(H), bias=ca.sparsify(bias))

    def rates(self, q: ca.SX, u: ca.SX) -> list[ca.SX]:
        """The independent ones among the joint's speeds.

        Within a step of an integrator edot has a small component along e. It turns nothing, H e = 0, but
        would be seen differently by each choice of the dependent parameter: it is left out, and changes of
        the choice stay as smooth as the motion.
        """
        found = []
        for k in self._starts():
            if k in self.groups:
                e, edot = q[k : k + 4], u[k : k + 4]
                found.append(self.groups[k].independent(edot - e * (ca.dot(e, edot) / ca.dot(e, e))))
            else:
                found.append(u[k])
        return found

    def loads(self, tau: ca.SX) -> list[ca.SX]:
        """T' tau of the joint's generalised forces."""
        return [self.groups[k].force(tau[k : k + 4]) if k in self.groups else tau[k] for k in self._starts()]

    def expanded(self, udot: ca.SX, u: ca.SX) -> ca.SX:
        """Second rates of all the joint's coordinates from those of its independent ones."""
        found, place = [], 0
        for k in self._starts():
            if k in self.groups:
                found.append(self.groups[k].expanded(udot[place : place + 3], u[k : k + 4]))
                place += 3
            else:
                found.append(udot[place])
                place += 1
        return ca.vertcat(*found) if found else ca.SX(0, 1)

    def _starts(self) -> list[int]:
        """First index of every group, and every other speed."""
        inside = {k + i for k in self.groups for i in (1, 2, 3)}
        return [k for k in range(self.link.u.stop - self.link.u.start) if k not in inside]


def kane_forward(
    linkage: Linkage, tau: ca.SX, applied: dict[int, tuple[ca.SX, ca.SX]] | None = None
) -> ForwardDynamics:
    """Accelerations (nu) conjugate to tau, u = qdot in joints with Euler parameters; `applied` as in aba."""
    tree = linkage.tree
    joints = [
        EmbeddedJoint(link, {k: Normality.of(linkage.q[link.q][k : k + 4]) for k in link.joint.unit_groups})
        for link in tree.links
    ]
    articulations, rates, loads = [], [], []
    for joint, a, reduced in zip(joints, linkage.articulations, tree.minimal.links, strict=True):
        q, u = linkage.q[joint.link.q], linkage.u[joint.link.u]
        articulations.append(joint.articulation(a, reduced, u))
        rates += joint.rates(q, u)
        loads += joint.loads(tau[joint.link.u])
    if not rates:
        return aba(linkage, tau, applied)
    independent = Linkage(tree.minimal, linkage.q, ca.vertcat(*rates), tuple(articulations))
    found = aba(independent, ca.vertcat(*loads), applied)
    udot = [
        joint.expanded(found.udot[reduced.u], linkage.u[joint.link.u])
        for joint, reduced in zip(joints, tree.minimal.links, strict=True)
    ]
    return ForwardDynamics(ca.vertcat(*udot), found.wrenches)
