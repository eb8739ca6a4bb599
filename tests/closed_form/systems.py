"""Mechanisms for the closed form: trees of pins, sliders and their chains, with coupled joint variables."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np

from condyle import Body, Model, Placement
from condyle.closed_form import Frame, JointVariables, Kinematics, Multibody
from condyle.functions import Constant, Linear, Polynomial
from condyle.joints import (
    Custom,
    Cylindrical,
    Gimbal,
    Pin,
    Planar,
    Screw,
    Slider,
    Universal,
    Weld,
)


def _body(name: str, seed: int) -> Body:
    rng = np.random.default_rng(seed)
    sample = rng.normal(size=(12, 3)) * (0.2, 0.1, 0.15)  # inertia of points: always possible
    second = sample.T @ sample
    I = np.trace(second) * np.eye(3) - second
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    return Body(name, rng.uniform(0.5, 3.0), tuple(rng.normal(0, 0.3, 3)), inertia)


def _placement(seed: int) -> Placement:
    rng = np.random.default_rng(100 + seed)
    return Placement(tuple(rng.normal(0, 0.4, 3)), tuple(rng.uniform(-2, 2, 3)))


def _unit(seed: int) -> tuple[float, float, float]:
    v = np.random.default_rng(200 + seed).normal(size=3)
    x, y, z = v / np.linalg.norm(v)
    return (float(x), float(y), float(z))


def pins_and_sliders() -> Model:
    """A branched tree: pin - slider - pin, a slider beside, and a pin on it."""
    names = ("a", "b", "c", "d", "e")
    kinds = (Pin, Slider, Pin, Slider, Pin)
    parents = ("ground", "a", "b", "a", "d")
    joints = tuple(
        kind(f"j{name}", parent, name, _placement(k), _placement(10 + k), axis=_unit(k))
        for k, (name, kind, parent) in enumerate(zip(names, kinds, parents, strict=True))
    )
    bodies = tuple(_body(name, k) for k, name in enumerate(names))
    return Model("tree", bodies, joints, gravity=(0.7, -9.0, 2.0))


def chains() -> Model:
    """Every joint that is a chain of pins and sliders, one after the other, and a branch."""
    custom = Custom(
        "custom",
        "e",
        "f",
        _placement(5),
        _placement(15),
        coordinates=("angle", "slide"),
        rx=Linear(0.8, 0.1),
        rz=Polynomial((0.2, 0.5, -0.3)),
        tx=Polynomial((0.1, -0.2, 0.4)),
        ty=Constant(0.3),
        inputs={"rx": "angle", "rz": "angle", "tx": "slide"},
        rotation_axes=(_unit(5), _unit(6), _unit(7)),
        translation_axes=(_unit(8), _unit(9), _unit(10)),
    )
    joints = (
        Gimbal("gimbal", "ground", "a", _placement(0), _placement(10), sequence="zxy"),
        Weld("weld", "a", "b", _placement(1), _placement(11)),
        Cylindrical("cylindrical", "b", "c", _placement(2), _placement(12), axis=_unit(2)),
        Screw("screw", "c", "d", _placement(3), _placement(13), axis=_unit(3), pitch=0.3),
        Universal("universal", "c", "e", _placement(4), _placement(14)),
        custom,
        Planar("planar", "ground", "g", _placement(6), _placement(16)),
    )
    return Model("chains", tuple(_body(name, 20 + k) for k, name in enumerate("abcdefg")), joints)


#: Models, and how many independent coordinates drive their joint variables.
CASES = {"tree, one": (pins_and_sliders, 1), "tree, three": (pins_and_sliders, 3), "chains": (chains, 2)}


def expressions(model: Model, q: ca.SX) -> dict[str, ca.SX]:
    """Smooth joint variables, every one a nonlinear function of all entries of q."""
    names = Multibody.of(model).joint_variables
    rng = np.random.default_rng(7)
    found = {}
    for name in names:
        a, b, c = (ca.DM(rng.uniform(-1, 1, q.numel())) for _ in range(3))
        found[name] = (
            rng.uniform(-0.5, 0.5) + ca.dot(a, q) + 0.4 * ca.sin(ca.dot(b, q)) + 0.2 * ca.dot(c, q) ** 2
        )
    return found


@cache
def case(name: str) -> tuple[Model, Multibody, ca.SX, JointVariables]:
    """(model, multibody, q, joint variables as expressions)."""
    build, nq = CASES[name]
    model = build()
    multibody = Multibody.of(model)
    q = ca.SX.sym("q", nq)
    return model, multibody, q, multibody.variables(q, expressions(model, q))


def state(name: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random (q, qdot, qddot), columns."""
    nq = CASES[name][1]
    rng = np.random.default_rng(seed)
    return tuple(rng.uniform(-1, 1, (nq, 1)) * scale for scale in (1.0, 2.0, 3.0))


@cache
def kinematics(name: str, seed: int = 0) -> Kinematics:
    """The case at its random state, in numbers."""
    _, multibody, q, variables = case(name)
    return Kinematics(multibody, variables.at(q, state(name, seed)[0]))


def tilted() -> tuple[Multibody, ca.SX, JointVariables]:
    """Frames with both constants of the paper, which no model needs: sliders that also turn, pins that also
    shift.
    """
    frames = tuple(
        Frame(f"j{k}", parent, revolute, np.array(_unit(30 + k)), np.array(_unit(40 + k)), 0.3 + 0.2 * k)
        for k, (parent, revolute) in enumerate(((0, True), (1, False), (2, True), (1, False), (4, True)))
    )
    q = ca.SX.sym("q", 2)
    steps = ca.Function("steps", [q], [q])
    values = [ca.sin(q[0] + 0.3 * k * q[1]) + 0.1 * q[1] ** 2 for k in range(len(frames))]
    return Multibody(frames, {}, np.zeros(3), (), steps), q, JointVariables.of(q, values)


def numbers(q: ca.SX, expression: ca.SX, values: np.ndarray) -> np.ndarray:
    """An expression in q at values."""
    return ca.Function("numbers", [q], [ca.densify(expression)])(values).full()
