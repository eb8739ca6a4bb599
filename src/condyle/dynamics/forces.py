"""Force elements of a linkage: what they contribute to tau, to the links' wrenches and to the energy.

Tau takes them by the relative twists of the bodies between which they act, along the joints between those
only: so a moment across one knee costs one product, and nothing has to cancel out further up the tree. The
links' wrenches are needed for reactions alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from condyle.dynamics.body_motion import body_motion
from condyle.dynamics.linkage import Linkage, body_frame_in_joint_frame
from condyle.forces.base import Action, Force, Motion, Pair
from condyle.spatial import Transform
from condyle.spatial.vectors import cross, skew


@dataclass(frozen=True)
class _Relative:
    """One body in another: pose, and the matrix J (6 x nu) of its motion in the reference's axes."""

    X: Transform
    J: ca.SX


class AppliedForces:
    """All force elements of a model, at the linkage's (q, u)."""

    def __init__(self, linkage: Linkage, forces: tuple[Force, ...]) -> None:
        self.linkage, self.forces = linkage, forces
        self._known: dict[tuple[str, str], _Relative] = {}

    # What a force may look at

    @property
    def coordinates(self) -> Mapping[str, ca.SX]:
        return {name: self.linkage.q[i] for i, name in enumerate(self.linkage.tree.coordinates)}

    @property
    def rates(self) -> Mapping[str, ca.SX]:
        qdot = self.linkage.qdot()
        return {name: qdot[i] for i, name in enumerate(self.linkage.tree.coordinates)}

    def relative_pose(self, reference: str, body: str) -> Transform:
        return self._relative(reference, body).X

    def relative_velocity(self, reference: str, body: str) -> Motion:
        V = ca.mtimes(self._relative(reference, body).J, self.linkage.u)
        return Motion(V[:3], V[3:])

    def _relative(self, reference: str, body: str) -> _Relative:
        found = self._known.get((reference, body))
        if found is None:
            found = self._known[reference, body] = _relative(self.linkage, reference, body)
        return found

    # What comes of it

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return tuple(force.act(self) for force in self.forces)

    @property
    def _pairs(self) -> list[Pair]:
        return [pair for action in self.actions for pair in action.pairs]

    @cached_property
    def generalised(self) -> ca.SX:
        """Their part of tau (nu)."""
        tau = ca.SX(len(self.linkage.tree.speeds), 1)
        for pair in self._pairs:
            J = self._relative(pair.reference, pair.body).J
            tau = tau + ca.mtimes(J.T, ca.sparsify(ca.vertcat(pair.moment, pair.force)))
        at_coordinates = [
            (name, value) for action in self.actions for name, value in action.generalised.items()
        ]
        if at_coordinates:
            N = ca.jacobian(self.linkage.qdot(), self.linkage.u)
            for name, value in at_coordinates:
                tau = tau + N[self.linkage.tree.coordinates.index(name), :].T * value
        return tau

    @cached_property
    def potential(self) -> ca.SX:
        """Stored energy [J]."""
        return ca.SX(sum((action.potential for action in self.actions), ca.SX(1, 1)))

    def with_wrenches(self, applied: dict[int, tuple[ca.SX, ca.SX]]) -> dict[int, tuple[ca.SX, ca.SX]]:
        """Other loads per link (moment about its origin, force; link axes) and these; none on ground."""
        total = dict(applied)
        tree = self.linkage.tree
        for pair in self._pairs:
            X = self._relative(pair.reference, pair.body).X
            on_body = (ca.mtimes(X.R.T, pair.moment), ca.mtimes(X.R.T, pair.force))
            on_reference = (-pair.moment - cross(X.p, pair.force), -pair.force)
            for name, wrench in ((pair.body, on_body), (pair.reference, on_reference)):
                index = tree.link_of(name)
                if index < 0:
                    continue
                to_link = body_frame_in_joint_frame(tree.links[index])
                moment, force = (ca.mtimes(to_link.R, half) for half in wrench)
                moment = moment + cross(to_link.p, force)
                before = total.get(index, (ca.SX(3, 1), ca.SX(3, 1)))
                total[index] = (moment + before[0], force + before[1])
        return total


def _relative(linkage: Linkage, reference: str, body: str) -> _Relative:
    """Along the joints between the two, seen first from the link where their paths part."""
    tree = linkage.tree
    paths = [tree.path(tree.link_of(name)) for name in (reference, body)]
    shared = 0
    while all(len(path) > shared for path in paths) and paths[0][shared] == paths[1][shared]:
        shared += 1
    A, B = (body_motion(linkage, path[shared:], path) for path in paths)
    p = B.X.p - A.X.p
    angular = B.J[:3, :] - A.J[:3, :]
    linear = B.J[3:, :] - A.J[3:, :] + ca.mtimes(skew(p), A.J[:3, :])
    J = ca.vertcat(ca.mtimes(A.X.R.T, angular), ca.mtimes(A.X.R.T, linear))
    return _Relative(A.X.inverse() @ B.X, ca.sparsify(J))
