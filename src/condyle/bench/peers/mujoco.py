"""MuJoCo with a model of free joints and pins; contacts, constraints, sensors and warm start off.

Its free joint: qpos = (position, Euler parameters, scalar first); qvel = (velocity of Bo in ground axes,
angular velocity in body axes). Pins are equal, in the order of a depth-first walk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np

from condyle.bench.humanoid import humanoid
from condyle.bench.peers.pinocchio import rotations
from condyle.joints import Free, Pin
from condyle.mechanism.tree import Tree
from condyle.model import Model
from condyle.spatial import Placement

_OFF = (
    "CONSTRAINT EQUALITY FRICTIONLOSS LIMIT CONTACT SPRING DAMPER WARMSTART ACTUATION SENSOR MIDPHASE ISLAND"
)


@final
class MuJoCo:
    """Steps of its RK4, and states in Condyle's conventions."""

    name = "mujoco"

    def __init__(self) -> None:
        import mujoco

        self.module: Any = mujoco
        self.model = self._compiled(humanoid())
        self.pendulum = self._compiled(_pendulum())

    def _compiled(self, model: Model) -> Any:
        compiled = self.module.MjModel.from_xml_string(xml(model))
        compiled.opt.integrator = self.module.mjtIntegrator.mjINT_RK4
        for name in _OFF.split():
            compiled.opt.disableflags |= int(getattr(self.module.mjtDisableBit, f"mjDSBL_{name}", 0))
        names = [compiled.joint(k).name for k in range(compiled.njnt)]
        assert names == [joint.name for joint in model.joints], "MuJoCo walks the tree in another order"
        return compiled

    def _started(self, q: np.ndarray, u: np.ndarray, step: float) -> Any:
        self.model.opt.timestep = step
        data = self.module.MjData(self.model)
        R = rotations(q[None, :4])[0]
        data.qpos[:] = np.concatenate([q[4:7], q[:4], q[7:]])
        data.qvel[:] = np.concatenate([u[3:6], R.T @ u[:3], u[6:]])
        return data

    def accelerations(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Udot at rest of forces."""
        data = self._started(q, u, 1e-3)
        self.module.mj_forward(self.model, data)
        found = np.array(data.qacc)
        turned = rotations(q[None, :4])[0] @ found[3:6]
        return np.concatenate([turned, found[:3], found[6:]])

    def after(self, q: np.ndarray, u: np.ndarray, step: float, steps: int) -> np.ndarray:
        """The state (q, u) after some steps."""
        data = self._started(q, u, step)
        self.module.mj_step(self.model, data, steps)
        e = data.qpos[3:7]
        turned = rotations(np.array(e)[None])[0] @ data.qvel[3:6]
        return np.concatenate([e, data.qpos[:3], data.qpos[7:], turned, data.qvel[:3], data.qvel[6:]])

    def steps(self, q: np.ndarray, u: np.ndarray, step: float, steps: int) -> Callable[[], None]:
        """What to time: steps of RK4 in one call, from the same state each time."""
        module, model, data = self.module, self.model, self._started(q, u, step)
        start = np.array(data.qpos), np.array(data.qvel)

        def run() -> None:
            data.qpos[:], data.qvel[:] = start
            module.mj_step(model, data, steps)

        return run

    def overhead(self) -> Callable[[], None]:
        """What to subtract: one such call on a pendulum, for one step."""
        module, model = self.module, self.pendulum
        data = module.MjData(model)
        start = np.array(data.qpos), np.array(data.qvel)

        def run() -> None:
            data.qpos[:], data.qvel[:] = start
            module.mj_step(model, data, 1)

        return run


def _pendulum() -> Model:
    whole = humanoid()
    body = whole.bodies[1]
    return Model("pendulum", (body,), (Pin("pin", "ground", body.name),), gravity=whole.gravity)


def xml(model: Model) -> str:
    """The model in MuJoCo's own format."""
    root = Element("mujoco", model=model.name)
    # Contacts cannot arise, for there are no shapes; bounds on mass would change the model.
    SubElement(root, "compiler", autolimits="false")
    SubElement(root, "option", gravity=_text(model.gravity))
    tree = Tree(model)
    nodes = {-1: SubElement(root, "worldbody")}
    for link in tree.links:
        joint, body = link.joint, link.body
        if joint.child_frame != Placement():
            raise ValueError(f"{joint.name}: the joint frame must be the body frame")
        frame = np.array(_numbers(joint.parent_frame.transform().R))
        node = SubElement(
            nodes[link.parent],
            "body",
            name=body.name,
            pos=_text(joint.parent_frame.translation),
            xyaxes=_text([*frame[:, 0], *frame[:, 1]]),
        )
        nodes[link.index] = node
        inertia = _text(body.inertia)
        SubElement(
            node, "inertial", pos=_text(body.center_of_mass), mass=repr(body.mass), fullinertia=inertia
        )
        if isinstance(joint, Free):
            SubElement(node, "freejoint", name=joint.name)
        elif isinstance(joint, Pin):
            SubElement(node, "joint", name=joint.name, type="hinge", axis=_text(joint.axis))
        else:
            raise ValueError(f"{joint.name}: free joints and pins only, found {type(joint).__name__}")
    return tostring(root, encoding="unicode")


def _numbers(matrix: Any) -> Any:
    import casadi as ca

    return ca.DM(matrix).full()


def _text(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)
