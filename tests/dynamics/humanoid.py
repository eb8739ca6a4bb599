"""Pinocchio's sample humanoid in Condyle, Pinocchio and MuJoCo, and the states that mean the same in all
three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import condyle as cd
from condyle.joints import Free, Joint, Pin

GRAVITY = (0.0, 0.0, -9.81)


def condyle_model(peer: Any) -> cd.Model:
    """The model from Pinocchio's own, joint by joint."""
    bodies, joints = [], []
    for i in range(1, peer.njoints):
        inertia, X = peer.inertias[i], peer.jointPlacements[i]
        S = inertia.inertia
        entries = (S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2])
        bodies.append(cd.Body(f"b{i}", float(inertia.mass), tuple(inertia.lever), tuple(map(float, entries))))
        joints.append(_joint(peer, i, cd.Placement.from_matrix(X.rotation, X.translation)))
    return cd.Model("humanoid", tuple(bodies), tuple(joints), gravity=GRAVITY)


def _joint(peer: Any, i: int, placement: cd.Placement) -> Joint:
    parent = f"b{peer.parents[i]}" if peer.parents[i] else "ground"
    kind = peer.joints[i].shortname()
    if "FreeFlyer" in kind:
        return Free(peer.names[i], parent, f"b{i}", parent_frame=placement)
    axes = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
    return Pin(peer.names[i], parent, f"b{i}", parent_frame=placement, axis=axes[kind[-1]])


@dataclass(frozen=True)
class Pose:
    """One state: Condyle's q = (e, p, pins), u = (w, v, pins) with w and v in ground axes; R of the free
    body.
    """

    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    tau: np.ndarray

    @property
    def R(self) -> np.ndarray:
        e0, e = self.q[0], self.q[1:4]
        cross = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
        return np.eye(3) + 2 * e0 * cross + 2 * cross @ cross

    def pinocchio(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(q, v, a): position, quaternion x, y, z, w; velocity of the body in its axes, linear first."""
        B = self.to_pinocchio()
        q = np.concatenate([self.q[4:7], self.q[1:4], self.q[:1], self.q[7:]])
        return q, B @ self.u, B @ self.udot + self.drift()

    def to_pinocchio(self) -> np.ndarray:
        """B with v = B u, tau = B' tau_pinocchio."""
        B = np.eye(len(self.u))
        B[:6, :6] = np.block([[np.zeros((3, 3)), self.R.T], [self.R.T, np.zeros((3, 3))]])
        return B

    def drift(self) -> np.ndarray:
        """Bdot u: the linear acceleration in turning axes lacks w x v."""
        found = np.zeros(len(self.u))
        found[:3] = -self.R.T @ np.cross(self.u[:3], self.u[3:6])
        return found

    def mujoco(self) -> tuple[np.ndarray, np.ndarray]:
        """(qpos, qvel): position and quaternion w, x, y, z; velocity in ground axes, angular velocity in the
        body's.
        """
        qpos = np.concatenate([self.q[4:7], self.q[:4], self.q[7:]])
        return qpos, self.to_mujoco() @ self.u

    def to_mujoco(self) -> np.ndarray:
        B = np.eye(len(self.u))
        B[:6, :6] = np.block([[np.zeros((3, 3)), np.eye(3)], [self.R.T, np.zeros((3, 3))]])
        return B


def random_pose(rng: np.random.Generator, speeds: int) -> Pose:
    e = rng.normal(size=4)
    q = np.concatenate([e / np.linalg.norm(e), rng.uniform(-1, 1, 3), rng.uniform(-2, 2, speeds - 6)])
    u, udot, tau = (rng.uniform(-size, size, speeds) for size in (2, 5, 20))
    return Pose(q, u, udot, tau)


def mujoco_text(model: cd.Model) -> str:
    """The same model in MuJoCo's XML; bodies have inertia and no shape."""
    x, y, z = model.gravity
    flags = 'contact="disable" constraint="disable" warmstart="disable" energy="enable"'
    options = f'<option gravity="{x} {y} {z}"><flag {flags}/></option><compiler angle="radian"/>'
    return f"<mujoco>{options}<worldbody>{_mujoco_children(model, model.ground)}</worldbody></mujoco>"


def _numbers(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)


def _mujoco_children(model: cd.Model, parent: str) -> str:
    bodies = {body.name: body for body in model.bodies}
    found = []
    for joint in model.joints:
        if joint.parent != parent:
            continue
        body, at = bodies[joint.child], joint.parent_frame
        kind = (
            f'<joint type="hinge" axis="{_numbers(joint.axis)}"/>'
            if isinstance(joint, Pin)
            else "<freejoint/>"
        )
        tensor = f'fullinertia="{_numbers(body.inertia)}"'
        mass = f'mass="{body.mass!r}" pos="{_numbers(body.center_of_mass)}" {tensor}'
        # MuJoCo's euler sequence is body-fixed x, y, z by default, as a placement's.
        place = f'pos="{_numbers(at.translation)}" euler="{_numbers(at.angles)}"'
        inner = _mujoco_children(model, body.name)
        found.append(f'<body name="{body.name}" {place}>{kind}<inertial {mass}/>{inner}</body>')
    return "".join(found)
