"""The paper's description of a mechanism: numbered frames, and the bodies fixed on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from condyle.closed_form.chains import chain
from condyle.closed_form.frame import Frame
from condyle.closed_form.matrices import Matrix, blocks
from condyle.closed_form.variables import JointVariables
from condyle.errors import InputError, closest
from condyle.mechanism.tree import Tree
from condyle.model import Body, Model
from condyle.spatial import Transform


@dataclass(frozen=True, eq=False)
class RigidBody:
    """A body on frame number `frame` (0: ground), its own axes placed there by R (3 x 3) and p (3) [m]."""

    body: Body
    frame: int
    R: np.ndarray
    p: np.ndarray

    def point(self, r: Any) -> np.ndarray:
        """A point r of body axes, in the frame [m]."""
        return self.p + self.R @ np.asarray(r, dtype=float)

    @property
    def r_cm(self) -> np.ndarray:
        """Mass centre in the frame (3) [m]."""
        return self.point(self.body.center_of_mass)

    @property
    def J(self) -> np.ndarray:
        """[Sigma, m r_cm; m r_cm', m] (4 x 4) [eq. 127, 130, 131].

        Sigma = integral of r r' dm = (trace I_o / 2) I_3 - I_o with the inertia I_o about the *frame's
        origin*; the paper prints the inertia tensor at p.
        """
        m, r = self.body.mass, self.r_cm
        xx, yy, zz, xy, xz, yz = self.body.inertia
        about = self.R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ self.R.T
        about = about + m * (r @ r * np.eye(3) - np.outer(r, r))
        second = 0.5 * np.trace(about) * np.eye(3) - about
        return blocks([[second, m * r[:, None]], [m * r[None, :], np.array([[m]])]])


@dataclass(frozen=True, eq=False)
class Multibody:
    """Frames numbered from 1 after their parents, bodies on them, gravity (3) [m/s^2].

    `steps` gives every frame's joint variable from the model's joint variables s (named in
    `joint_variables`): the variable itself for a pin or a slider, a function of several for other joints.
    """

    frames: tuple[Frame, ...]
    bodies: Mapping[str, RigidBody]
    gravity: np.ndarray
    joint_variables: tuple[str, ...]
    steps: ca.Function

    @staticmethod
    def of(model: Model) -> Multibody:
        """The frames of a model's tree.

        All frames are aligned with ground while all joint variables are zero. A prismatic frame then sits on
        its parent's origin, a revolute one anywhere on its axis: so every step needs one constant only, as in
        the paper.
        """
        tree = Tree(model)
        s = ca.SX.sym("s", len(tree.coordinates))
        frames: list[Frame] = []
        values: list[ca.SX] = []
        bodies: dict[str, RigidBody] = {}
        grounded = RigidBody(Body(model.ground), 0, np.eye(3), np.zeros(3))
        for link in tree.links:
            joint, on = link.joint, bodies.get(link.joint.parent, grounded)
            R_P, offset = _placed(on, joint.parent_frame.transform())
            number = on.frame
            for place, step in enumerate(chain(joint, ca.vertsplit(s[link.q]))):
                axis = R_P @ np.asarray(step.axis, dtype=float)
                distance = float(np.linalg.norm(offset)) if step.revolute else 0.0
                along = offset / distance if distance else axis
                frames.append(Frame(f"{joint.name}[{place}]", number, step.revolute, along, axis, distance))
                values.append(step.f)
                number = len(frames)
                offset = np.zeros(3) if step.revolute else offset
            at_joint = RigidBody(link.body, number, R_P, offset)
            R, p = _placed(at_joint, joint.child_frame.transform().inverse())
            bodies[link.body.name] = RigidBody(link.body, number, R, p)
        steps = ca.Function("steps", [s], [ca.vertcat(*values) if values else ca.SX(0, 1)])
        return Multibody(tuple(frames), bodies, np.array(model.gravity), tree.coordinates, steps)

    def body(self, name: str) -> RigidBody:
        if name not in self.bodies:
            raise InputError(f"unknown body {name!r}{closest(name, self.bodies)}")
        return self.bodies[name]

    def path(self, i: int) -> list[int]:
        """Anc(i) and i itself, root first; empty for ground."""
        found: list[int] = []
        while i > 0:
            found.append(i)
            i = self.frames[i - 1].parent
        return found[::-1]

    def variables(self, q: ca.SX, expressions: Mapping[str, Any]) -> JointVariables:
        """f_j(q) of all frames from one expression in q per joint variable, by name."""
        missing = [name for name in self.joint_variables if name not in expressions]
        unknown = [name for name in expressions if name not in self.joint_variables]
        if missing or unknown:
            said = [f"no expression for {name!r}" for name in missing]
            said += [f"unknown joint variable {n!r}{closest(n, self.joint_variables)}" for n in unknown]
            raise InputError("; ".join(said))
        s = ca.vertcat(*[ca.SX(expressions[name]) for name in self.joint_variables])
        others = [str(symbol) for symbol in ca.symvar(s) if not ca.depends_on(q, symbol)]
        if others:
            raise InputError(f"joint variables depend on {', '.join(others)}, which is no entry of q")
        return JointVariables.of(q, ca.vertsplit(self.steps(s)))


def _placed(body: RigidBody, X: Transform) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and origin in the frame of what is placed on a body by the constant X."""
    R, p = ca.DM(X.R).full(), ca.DM(X.p).full().reshape(3)
    return body.R @ R, body.point(p)


def total(parts: Sequence[Matrix]) -> Matrix:
    """Sum of at least one matrix."""
    result = parts[0]
    for part in parts[1:]:
        result = result + part
    return result
