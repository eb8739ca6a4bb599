"""All kinds of constraints on one tree whose branches share an ancestor that is not ground: a new kind is one
line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import casadi as ca
import numpy as np

from condyle import Model, Placement
from condyle.constraints import (
    Ball,
    Configuration,
    ConstantAngle,
    Constraint,
    Coupling,
    Custom,
    Distance,
    FunctionOfJoint,
    ModifiedUniversal,
    PointOnSurface,
    Revolute,
    Universal,
    VectorToLink,
    Weld,
)
from condyle.functions import Linear, MultivariatePolynomial, Polynomial, SIMMSpline
from condyle.joints import Coordinate, Ellipsoid, Free, Gimbal, Pin, Planar, Reversed, Screw
from condyle.joints import Universal as UniversalJoint
from condyle.mechanism import JointConstraint

from ..dynamics.mechanisms import Numbers, State, random_body, random_placement

POINTS = {"point_a": (0.1, -0.2, 0.05), "point_b": (-0.05, 0.1, 0.3)}
FRAMES = {
    "frame_a": Placement((0.1, 0.0, 0.2), (0.3, -0.2, 0.5)),
    "frame_b": Placement((0.0, 0.2, 0.1), (0.1, 0.4, -0.6)),
}
JOINT = {"parent_frame": FRAMES["frame_a"], "child_frame": FRAMES["frame_b"]}
SKEW = (2 / 7, 3 / 7, 6 / 7)
SADDLE = MultivariatePolynomial(((0, 0), (1, 1), (2, 0)), (0.1, 0.3, -0.2))
AXES = {"axis_a": (0.6, 0.0, 0.8), "axis_b": (0.48, -0.6, 0.64)}
GUIDE = Polynomial((0.3, -0.4, 0.1))
KNEE = SIMMSpline((-2.0, -1.0, 0.0, 1.0, 2.0), (0.3, -0.2, 0.1, 0.4, 0.2))


def _mixed(configuration: Configuration) -> ca.SX:
    """A height in ground, and a distance that follows a coordinate."""
    tip = configuration.pose("a2").point(ca.SX([0.1, 0.2, -0.1]))
    apart = configuration.relative_pose("a2", "b2").p
    return ca.vertcat(tip[1] - 0.2, ca.dot(apart, apart) - ca.cos(configuration.coordinates["a2.angle"]))


def _torus(x: ca.SX, y: ca.SX, z: ca.SX) -> ca.SX:
    return (ca.sqrt(x * x + y * y + 1e-3) - 0.5) ** 2 + z * z - 0.04


CASES: list[Constraint] = [
    Ball("across", "a2", "b2", **POINTS),
    Ball("to_ground", "ground", "a2", **POINTS),
    Ball("from_ground", "b2", "ground", **POINTS),
    Ball("to_ancestor", "base", "a2", **POINTS),
    Ball("to_descendant", "b2", "base", **POINTS),
    Weld("across", "a2", "b2", **FRAMES),
    Weld("to_ground", "ground", "b2", **FRAMES),
    Coupling("linear", "a2.angle", ("base.x",), Linear(0.4, 0.1)),
    Coupling("spline", "b1.y", ("a2.angle",), KNEE),
    Coupling("two", "a2.px", ("base.x", "b1.z"), SADDLE),
    Coupling("with_rates", "a1.y", ("a1.z",), KNEE),
    PointOnSurface("ellipsoid", "a2", "b2", (0.1, 0.0, 0.2), (0.3, 0.5, 0.4), FRAMES["frame_a"]),
    PointOnSurface("ground", "b2", "ground", (0.1, 0.0, 0.2), (0.3, 0.5, 0.4)),
    PointOnSurface("torus", "b2", "base", (0.1, 0.0, 0.2), implicit=_torus),
    Revolute("across", "a2", "b2", **POINTS, **AXES),
    Revolute("to_ground", "b2", "ground", **POINTS),
    ConstantAngle("across", "a2", "b2", **AXES, angle=1.1),
    ConstantAngle("normal", "ground", "a2"),
    Universal("across", "a2", "b2", **POINTS, **AXES, angle=1.1),
    Universal("to_ancestor", "base", "a2", **POINTS),
    ModifiedUniversal("across", "a2", "b2", **POINTS, **AXES, length=0.04, angle=1.1, along_b=0.01),
    ModifiedUniversal("to_ground", "ground", "b2", **POINTS, **AXES, length=0.3, angle=1.4),
    VectorToLink("across", "a2", "b2", **POINTS, axis_a=(0.0, 0.6, 0.8), along=0.1),
    Distance("across", "a2", "b2", **POINTS, length=0.4),
    FunctionOfJoint("angle", "base", "a2", "b2", *AXES.values(), GUIDE, (), FRAMES["frame_a"]),
    FunctionOfJoint("place", "base", "b2", "a2", position=3 * (GUIDE,), body_frame=FRAMES["frame_b"]),
    FunctionOfJoint("both", "b2", "a2", "ground", (1.0, 0.0, 0.0), angle=KNEE, position=(GUIDE, GUIDE, KNEE)),
    Custom("mixed", _mixed, 2, ("a2", "b2"), ("a2.angle",)),
    JointConstraint("pin", Pin("pin", "a2", "b2", **JOINT, axis=SKEW)),
    JointConstraint("screw", Reversed(Screw("screw", "b2", "a2", **JOINT, axis=SKEW, pitch=0.3))),
    JointConstraint("surface", Ellipsoid("surface", "b2", "a2", **JOINT, normal="true"), in_ground=True),
    JointConstraint("ghost", Reversed(UniversalJoint("ghost", "a1", "b2", **JOINT)), "base", in_ground=True),
]  # fmt: skip


def tree(*constraints: Constraint, locked: bool = False) -> Model:
    """Ground, base; on it a1 - a2 and b1 - b2: 17 speeds, speeds that are not rates, a reversed joint."""
    rng = np.random.default_rng(11)
    bodies = tuple(random_body(rng, name) for name in ("base", "a1", "a2", "b1", "b2"))
    places = [random_placement(rng) for _ in range(8)]
    y = (Coordinate("y", locked=locked),)
    joints = (
        UniversalJoint("base", "ground", "base", places[0], coordinates=y),
        Ellipsoid("a1", "base", "a1", places[1], places[2], radii=(0.1, 0.15, 0.07)),
        Planar("a2", "a1", "a2", places[3], places[4]),
        Reversed(Gimbal("b1", "b1", "base", places[5], places[6])),
        Free("b2", "b1", "b2", places[7]),
    )
    return Model("tree", bodies, joints, constraints=constraints)


def sample(rng: np.random.Generator) -> np.ndarray:
    e = rng.normal(size=4)
    angles = [rng.uniform(-1, 1, 2), rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)]
    return np.concatenate([*angles, e / np.linalg.norm(e), rng.uniform(-0.5, 0.5, 3)])


@dataclass(frozen=True)
class Closed:
    """The tree with one of the cases."""

    index: int
    locked: bool = False

    def __str__(self) -> str:
        constraint = CASES[self.index]
        return f"{type(constraint).__name__}-{constraint.name}{'-locked' if self.locked else ''}"

    @property
    def constraint(self) -> Constraint:
        return CASES[self.index]

    @property
    def numbers(self) -> Numbers:
        return _numbers(self)


@cache
def _numbers(closed: Closed) -> Numbers:
    return Numbers(tree(closed.constraint, locked=closed.locked), sample, loads=("a1", "b2"))


CLOSED = [Closed(index) for index in range(len(CASES))]
CLOSED += [Closed(0, locked=True), Closed(5, locked=True), Closed(len(CASES) - 1, locked=True)]


def is_regular(constraint: Constraint, numbers: Numbers, state: State) -> bool:
    """Not within 26 degrees of a half turn, where a weld and the angle of a joint are singular."""
    if isinstance(constraint, Weld):
        pairs = [(constraint.body_a, constraint.body_b, constraint.frame_a, constraint.frame_b)]
    elif isinstance(constraint, FunctionOfJoint):
        frame = constraint.reference_frame
        pairs = [(constraint.reference, constraint.driver, frame, constraint.driver_frame)]
        pairs += [(constraint.reference, constraint.body, frame, constraint.body_frame)]
    else:
        return True
    rotations = numbers("body_poses", state)["rotations"].reshape(-1, 3, 3)
    turned = dict(zip(numbers.mechanism.tree.bodies, rotations, strict=True)) | {"ground": np.eye(3)}
    for a, b, frame_a, frame_b in pairs:
        at, on = (np.array(ca.DM(frame.transform().R)) for frame in (frame_a, frame_b))
        if 1 + np.trace(at.T @ turned[a].T @ turned[b] @ on) < 0.2:
            return False
    return True
