"""What multipliers mean: torques of drivers about the axes of their joints, reactions, wrenches on bodies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from condyle.compiled.driver_equations import DriverEquations, Item, Symbols
from condyle.drivers.rotational import RotationalDriver
from condyle.dynamics.kinematics import Kinematics
from condyle.joints.base import Joint
from condyle.kernels import Kernel
from condyle.spatial import Transform
from condyle.spatial.vectors import cross


@dataclass(frozen=True)
class DrivenJoint:
    """A joint, its own rows, the rotational drivers between its two bodies, drivers of its coordinates."""

    joint: Joint
    own: Item | None
    rotational: tuple[Item, ...]
    of_coordinates: tuple[Item, ...]

    @property
    def driven(self) -> bool:
        return bool(self.rotational or self.of_coordinates)


class DriverLoads:
    """Everything is linear in lambda: minus the rows of D on a body's six speeds, times lambda."""

    def __init__(self, equations: DriverEquations) -> None:
        self.equations = equations
        tree = equations.tree
        assert tree.described is not None
        drivers = [item for item in equations.items if item.driver]
        held = {item.name: item for item in equations.items if not item.driver}
        self.joints = tuple(
            DrivenJoint(
                link.joint.forward,
                held.get(link.joint.name),
                tuple(item for item in drivers if self._between(item, link.joint)),
                tuple(item for item in drivers if self._of_coordinates(item, link.joint)),
            )
            for link in tree.described.links
        )
        #: Constraints that are no joints, and drivers.
        own = {id(joint.own) for joint in self.joints}
        self.others = tuple(item for item in equations.items if id(item) not in own and item.bodies)

    def _driver(self, item: Item):
        return next(driver for driver in self.equations.drivers if driver.name == item.name)

    def _between(self, item: Item, joint: Joint) -> bool:
        driver = self._driver(item)
        return isinstance(driver, RotationalDriver) and {*driver.bodies} == {joint.parent, joint.child}

    def _of_coordinates(self, item: Item, joint: Joint) -> bool:
        names = {f"{joint.name}.{name}" for name in joint.coordinate_names}
        return bool(names & {*self._driver(item).coordinates})

    @cached_property
    def torque_slices(self) -> dict[str, slice]:
        """Where each driven joint's torques are, conjugate to its speeds; joints whose speeds only turn."""
        found, start = {}, 0
        for driven in self.joints:
            if driven.driven and self._has_torques(driven):
                stop = start + len(driven.joint.speed_names)
                found[driven.joint.name] = slice(start, stop)
                start = stop
        return found

    def _has_torques(self, driven: DrivenJoint) -> bool:
        turns = driven.joint.turning_axes(ca.SX.eye(3)) is not None
        return bool(driven.of_coordinates) or turns

    def kernel(self) -> Kernel:
        """(q, targets, lambda, parameters) -> torques, moments (3 per joint), reactions (6 per joint), and
        wrenches (6 per other item).
        """

        def trace(s: Symbols) -> ca.Function:
            D, at = s.rows().G, Kinematics(s.linkage)
            lambda_ = ca.SX.sym("lambda", len(self.equations.row_names))
            graph = _Graph(self, s, D, at, lambda_)
            torques = [
                graph.torques(driven) for driven in self.joints if driven.joint.name in self.torque_slices
            ]
            outputs = [
                torques,
                [graph.moment(driven) for driven in self.joints],
                [graph.reaction(driven) for driven in self.joints],
                [graph.wrench([item], item.bodies[-1]) for item in self.others],
            ]
            stacked = [ca.densify(ca.vertcat(*parts)) if parts else ca.SX(0, 1) for parts in outputs]
            return ca.Function("loads", [s.q, s.targets.values, lambda_, s.parameters], ca.cse(stacked))

        return self.equations.kernel("loads", trace)


@dataclass(frozen=True)
class _Graph:
    owner: DriverLoads
    symbols: Symbols
    D: ca.SX
    at: Kinematics
    multipliers: ca.SX

    def wrench(self, items: list[Item], body: str) -> ca.SX:
        """(moment about the body's origin, force) on a body, ground axes."""
        index = self.symbols.tree.link_of(body)
        found = ca.SX(6, 1)
        if index < 0:
            return found
        own = self.symbols.tree.links[index].u
        for item in items:
            found = found - ca.mtimes(self.D[item.rows, own].T, self.multipliers[item.rows])
        return found

    def frames(self, joint: Joint) -> tuple[Transform, Transform]:
        """Poses of P and B in ground."""
        X_P = self.at.pose(joint.parent) @ joint.parent_frame.transform()
        return X_P, self.at.pose(joint.child) @ joint.child_frame.transform()

    def moment(self, driven: DrivenJoint) -> ca.SX:
        """Of the rotational drivers on the child, P axes."""
        X_P, _ = self.frames(driven.joint)
        return ca.mtimes(X_P.R.T, self.on_child(list(driven.rotational), driven.joint)[:3])

    def on_child(self, items: list[Item], joint: Joint) -> ca.SX:
        """Wrench on the child about its origin; where that is ground, the opposite of the parent's."""
        if self.symbols.tree.link_of(joint.child) >= 0:
            return self.wrench(items, joint.child)
        opposite = -self.wrench(items, joint.parent)
        arm = self.at.pose(joint.parent).p
        return ca.vertcat(opposite[:3] + cross(arm, opposite[3:]), opposite[3:])

    def torques(self, driven: DrivenJoint) -> ca.SX:
        joint = driven.joint
        X_P, X_B = self.frames(joint)
        found = ca.SX(len(joint.speed_names), 1)
        axes = joint.turning_axes(ca.mtimes(X_P.R.T, X_B.R))
        if driven.rotational and axes is not None:
            found = found + ca.mtimes(axes.T, self.moment(driven))
        tree = self.symbols.tree
        for item in driven.of_coordinates:
            ghost = next(link for link in tree.links if link.joint.name == joint.name)
            found = found - ca.mtimes(self.D[item.rows, ghost.u].T, self.multipliers[item.rows])
        return ca.densify(found)

    def reaction(self, driven: DrivenJoint) -> ca.SX:
        """Of the parent on the child, joint and rotational drivers: about B's origin, P axes."""
        joint = driven.joint
        items = [*([driven.own] if driven.own else []), *driven.rotational]
        X_P, X_B = self.frames(joint)
        wrench = self.on_child(items, joint)
        moment = wrench[:3] + cross(self.at.pose(joint.child).p - X_B.p, wrench[3:])
        return ca.vertcat(ca.mtimes(X_P.R.T, moment), ca.mtimes(X_P.R.T, wrench[3:]))
