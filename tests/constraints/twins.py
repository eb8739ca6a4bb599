"""Joints, and the same freedoms left over by constraints on a joint with more of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from condyle import Model
from condyle.constraints import (
    Ball,
    Configuration,
    Constraint,
    Coupling,
    Custom,
    PointOnSurface,
    Revolute,
    VectorToLink,
    Weld,
)
from condyle.constraints import Universal as UniversalConstraint
from condyle.functions import Linear
from condyle.joints import Ball as BallJoint
from condyle.joints import (
    CurvedTube,
    Cylindrical,
    Ellipsoid,
    Free,
    Joint,
    Pin,
    Planar,
    Screw,
    Slider,
    Universal,
)
from condyle.joints import Weld as WeldJoint
from condyle.spatial import Transform

from ..dynamics.mechanisms import placed, random_body, random_placement
from ..joints.cases import (
    ANGLES,
    ARCH,
    DIP,
    KNEE,
    KNEE_X,
    KNEE_Y,
    RADII,
    TUBE,
    Sampler,
    between,
    box,
    euler_parameters,
)

RNG = np.random.default_rng(5)
AT, ON = random_placement(RNG), random_placement(RNG)
BODIES = random_body(RNG, "base"), random_body(RNG, "tip")
ROOT = Universal("root", "ground", "base", random_placement(RNG))


@dataclass(frozen=True)
class Twin:
    """`joint` on its own, and `wider` with `constraints`; both between base and tip, placed at AT and ON."""

    joint: Joint
    sample: Sampler
    constraints: tuple[Constraint, ...]
    wider: Joint = Free("j", "p", "b")  # noqa: RUF009 (frozen)

    def __str__(self) -> str:
        return f"{type(self.joint).__name__}-{type(self.wider).__name__}"

    def models(self) -> tuple[Model, Model]:
        one, other = (placed(j, "joint", "base", "tip", AT, ON) for j in (self.joint, self.wider))
        return Model("one", BODIES, (ROOT, one)), Model("twin", BODIES, (ROOT, other), self.constraints)


def between_frames(count: int, equations: Callable[[Transform], ca.SX]) -> Custom:
    """Equations of X_PB."""

    def residual(configuration: Configuration) -> ca.SX:
        X = AT.transform().inverse() @ configuration.relative_pose("base", "tip") @ ON.transform()
        return equations(X)

    return Custom("twin", residual, count, ("base", "tip"))


def _about_z(X: Transform) -> ca.SX:
    """Two equations: the z axes stay parallel."""
    return X.R[:2, 2]


def _no_turn(X: Transform) -> ca.SX:
    return ca.vertcat(X.R[2, 1] - X.R[1, 2], X.R[0, 2] - X.R[2, 0], X.R[1, 0] - X.R[0, 1])


def _axes(at: str, on: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Axes of the frame AT in the base's axes, of ON in the tip's."""
    pair = ((AT, at), (ON, on))
    found = (ca.DM(frame.transform().R[:, "xyz".index(axis)]).full()[:, 0].tolist() for frame, axis in pair)
    one, other = found
    return tuple(one), tuple(other)


ENDS = AT.translation, ON.translation
SCREW = Screw("j", "p", "b", pitch=0.07)
TURN = box(-3, 3)
TWINS = [
    Twin(
        BallJoint("j", "p", "b"),
        euler_parameters(),
        (Ball("c", "base", "tip", AT.translation, ON.translation),),
    ),
    Twin(WeldJoint("j", "p", "b"), box([], []), (Weld("c", "base", "tip", AT, ON),)),
    Twin(Pin("j", "p", "b"), TURN, (between_frames(5, lambda X: ca.vertcat(X.p, _about_z(X))),)),
    Twin(Pin("j", "p", "b"), TURN, (Revolute("c", "base", "tip", *ENDS, *_axes("z", "z")),)),
    Twin(
        Cylindrical("j", "p", "b"),
        box([-3, -1], [3, 1]),
        (
            between_frames(2, _about_z),
            *(VectorToLink(t, "base", "tip", *ENDS, _axes(t, t)[0]) for t in "xy"),
        ),
    ),
    Twin(Slider("j", "p", "b"), box(-1, 1), (between_frames(5, lambda X: ca.vertcat(X.p[1:], _no_turn(X))),)),
    Twin(
        SCREW,
        TURN,
        (
            between_frames(
                5, lambda X: ca.vertcat(X.p[:2], _about_z(X), X.p[2] - 0.07 * ca.atan2(X.R[1, 0], X.R[0, 0]))
            ),
        ),
    ),
    Twin(
        SCREW,
        TURN,
        (Coupling("c", "joint.displacement", ("joint.angle",), Linear(0.07)),),
        Cylindrical("j", "p", "b"),
    ),
    Twin(
        Universal("j", "p", "b"),
        box([-3, -3], [3, 3]),
        (between_frames(4, lambda X: ca.vertcat(X.p, X.R[0, 1])),),
    ),
    Twin(
        Universal("j", "p", "b"),
        box([-3, -3], [3, 3]),
        (UniversalConstraint("c", "base", "tip", *ENDS, *_axes("x", "y")),),
    ),
    Twin(
        Ellipsoid("j", "p", "b", radii=RADII),
        ANGLES,
        (between_frames(3, lambda X: X.p - ca.SX(RADII) * X.R[:, 2]),),
    ),
    Twin(
        Ellipsoid("j", "p", "b", radii=RADII, normal="true", coordinates="euler_parameters"),
        euler_parameters(),
        (
            between_frames(
                3, lambda X: X.p - ca.SX(RADII) ** 2 * X.R[:, 2] / ca.norm_2(ca.SX(RADII) * X.R[:, 2])
            ),
        ),
    ),
    Twin(
        KNEE,
        between(KNEE_X.x + KNEE_Y.x, -2.0, 0.17),
        (
            Coupling("x", "joint.px", ("joint.angle",), KNEE_X),
            Coupling("y", "joint.py", ("joint.angle",), KNEE_Y),
        ),
        Planar("j", "p", "b"),
    ),
    Twin(
        CurvedTube("j", "p", "b", section="fixed", **TUBE),
        box([-0.8, -3], [0.8, 3]),
        (
            between_frames(3, _no_turn),
            PointOnSurface(
                "surface",
                "tip",
                "base",
                ON.translation,
                placement=AT,
                implicit=lambda x, y, z: (y - ARCH(x)) ** 2 + (z - DIP(x)) ** 2 - TUBE["radius"] ** 2,
            ),
        ),
    ),
]
