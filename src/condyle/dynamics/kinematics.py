"""Poses, velocities, accelerations and Jacobians of bodies and points in ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from condyle.dynamics.linkage import Linkage, body_frame_in_joint_frame, euler_parameters_along
from condyle.dynamics.motion import accelerations, angular_motions, linear_velocities
from condyle.spatial import Transform, relative_euler_parameters
from condyle.spatial.vectors import cross


@dataclass(frozen=True)
class PointMotion:
    """Position, velocity and acceleration of a material point in ground axes, relative to ground's origin."""

    position: ca.SX
    velocity: ca.SX
    acceleration: ca.SX


@dataclass(frozen=True)
class Kinematics:
    """World kinematics of a linkage, each part evaluated once and only when asked for."""

    linkage: Linkage

    @cached_property
    def _frames(self) -> list[Transform]:
        """X_GB of every link's joint frame."""
        frames: list[Transform] = []
        for a in self.linkage.articulations:
            frames.append((frames[a.link.parent] if a.link.parent >= 0 else a.base) @ a.X)
        return frames

    def frame(self, link: int) -> Transform:
        """X_GB of a link's joint frame; ground for -1."""
        return self._frames[link] if link >= 0 else Transform.identity()

    def pose(self, body: str) -> Transform:
        """X_GBo of a body's own frame."""
        index = self.linkage.tree.link_of(body)
        if index < 0:
            return Transform.identity()
        return self.frame(index) @ body_frame_in_joint_frame(self.linkage.tree.links[index])

    def relative_pose(self, reference: str, body: str) -> Transform:
        """X_AB of one body's frame in another's, from the joints between them only."""
        tree = self.linkage.tree
        a, b = tree.link_of(reference), tree.link_of(body)
        path_a, path_b = tree.path(a), tree.path(b)
        while path_a and path_b and path_a[0] == path_b[0]:
            path_a, path_b = path_a[1:], path_b[1:]
        return self._down(path_a, a).inverse() @ self._down(path_b, b)

    def relative_euler_parameters(self, reference: str, body: str) -> ca.SX:
        """p_AB of one body in another, from the joints between them only."""
        tree = self.linkage.tree
        a, b = tree.link_of(reference), tree.link_of(body)
        path_a, path_b = tree.path(a), tree.path(b)
        while path_a and path_b and path_a[0] == path_b[0]:
            path_a, path_b = path_a[1:], path_b[1:]
        down_a = euler_parameters_along(self.linkage, path_a, a)
        return relative_euler_parameters(down_a, euler_parameters_along(self.linkage, path_b, b))

    def _down(self, path: list[int], link: int) -> Transform:
        """Pose of a link's body frame in the joint frame (or ground) from which `path` departs."""
        X = Transform.identity()
        for index in path:
            a = self.linkage.articulations[index]
            X = X @ a.base @ a.X
        return X if link < 0 else X @ body_frame_in_joint_frame(self.linkage.tree.links[link])

    @property
    def coordinates(self) -> Mapping[str, ca.SX]:
        return {name: self.linkage.q[i] for i, name in enumerate(self.linkage.tree.coordinates)}

    @cached_property
    def _angular(self):
        return angular_motions(self.linkage)

    @cached_property
    def _linear(self):
        return linear_velocities(self.linkage, self._angular)

    def spatial_velocity(self, body: str) -> ca.SX:
        """(angular velocity, velocity of the body's origin) in ground axes."""
        index = self.linkage.tree.link_of(body)
        if index < 0:
            return ca.SX(6, 1)
        R, w = self.frame(index).R, self._angular[index].w
        v = self._linear[index] + cross(w, body_frame_in_joint_frame(self.linkage.tree.links[index]).p)
        return ca.vertcat(ca.mtimes(R, w), ca.mtimes(R, v))

    def spatial_accelerations(self, udot: ca.SX) -> list[ca.SX]:
        """Of every link's body: (angular acceleration, acceleration of the body's origin) in ground axes."""
        found = []
        moving = accelerations(self.linkage, self._angular, udot, ca.SX(3, 1))
        for a, motion, moved in zip(self.linkage.articulations, self._angular, moving, strict=True):
            R, arm = self.frame(a.link.index).R, body_frame_in_joint_frame(a.link).p
            linear = moved.linear + cross(moved.angular, arm) + ca.mtimes(motion.centripetal, arm)
            found.append(ca.vertcat(ca.mtimes(R, moved.angular), ca.mtimes(R, linear)))
        return found

    def point(self, body: str, r: ca.SX, udot: ca.SX) -> PointMotion:
        """Motion of the point at r (body axes, from the body's origin)."""
        index = self.linkage.tree.link_of(body)
        if index < 0:
            return PointMotion(r, ca.SX(3, 1), ca.SX(3, 1))
        R = self.frame(index).R
        arm = body_frame_in_joint_frame(self.linkage.tree.links[index]).point(r)
        motion = self._angular[index]
        moving = accelerations(self.linkage, self._angular, udot, ca.SX(3, 1))[index]
        velocity = self._linear[index] + cross(motion.w, arm)
        acceleration = moving.linear + cross(moving.angular, arm) + ca.mtimes(motion.centripetal, arm)
        return PointMotion(self.frame(index).point(arm), ca.mtimes(R, velocity), ca.mtimes(R, acceleration))

    def jacobian(self, body: str, r: ca.SX) -> ca.SX:
        """6 x nu: (angular velocity of the body; velocity of its point r) = J u, ground axes."""
        tree = self.linkage.tree
        J = ca.SX(6, len(tree.speeds))
        index = tree.link_of(body)
        if index < 0:
            return J
        target = self.pose(body).point(r)
        for i in tree.path(index):
            a = self.linkage.articulations[i]
            R = (self.frame(a.link.parent) @ a.base).R
            angular = ca.mtimes(R, a.H[:3, :])
            arm = target - self._frames[i].p
            linear = ca.mtimes(R, a.H[3:, :])
            for k in range(angular.shape[1]):
                linear[:, k] = linear[:, k] + cross(angular[:, k], arm)
            J[:, a.link.u] = ca.vertcat(angular, linear)
        return J
