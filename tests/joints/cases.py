"""All joints with samplers of regular poses, the list that every law runs over: a new joint is one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi

import casadi as ca
import numpy as np

from condyle.functions import Expression, Linear, Polynomial, SIMMSpline
from condyle.joints import (
    Ball,
    Coordinate,
    CurvedTube,
    Custom,
    Cylindrical,
    Ellipsoid,
    Free,
    Gimbal,
    Joint,
    Pin,
    Planar,
    Reversed,
    Screw,
    Slider,
    Universal,
    Weld,
)
from condyle.spatial import Placement

Sampler = Callable[[np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class Case:
    """A joint and a sampler of coordinates well away from its singular poses."""

    joint: Joint
    sample: Sampler

    def __str__(self) -> str:
        joint = self.joint.joint if isinstance(self.joint, Reversed) else self.joint
        side = "reversed-" if isinstance(self.joint, Reversed) else ""
        return f"{side}{type(joint).__name__}-{joint.name}"


@dataclass(frozen=True)
class Rebuilt:
    """A joint and a custom joint with the same coordinates and the same X(q); the custom one has u = qdot."""

    joint: Joint
    custom: Custom
    sample: Sampler


def box(lower: float | list[float], upper: float | list[float]) -> Sampler:
    """Each coordinate uniform between its bounds."""
    return lambda rng: rng.uniform(np.atleast_1d(lower), np.atleast_1d(upper))


def euler_parameters(*, then: int = 0) -> Sampler:
    """Four Euler parameters uniform over all rotations, then some positions in +-1 m."""

    def sample(rng: np.random.Generator) -> np.ndarray:
        e = rng.normal(size=4)
        return np.concatenate([e / np.linalg.norm(e), rng.uniform(-1, 1, then)])

    return sample


def between(knots: tuple[float, ...], lower: float, upper: float) -> Sampler:
    """One coordinate away from a spline's knots, across which finite differences lose their accuracy."""

    def sample(rng: np.random.Generator) -> np.ndarray:
        while np.abs((q := rng.uniform(lower, upper)) - np.array(knots)).min() < 0.02:
            pass
        return np.array([q])

    return sample


FRAMES = {
    "parent_frame": Placement((0.1, -0.2, 0.05), (0.3, -0.4, 0.2)),
    "child_frame": Placement((-0.05, 0.15, 0.02), (-0.7, 0.1, 0.5)),
}
SKEW_AXIS = (2 / 7, 3 / 7, 6 / 7)
SKEW_AXES = (SKEW_AXIS, (3 / 7, -6 / 7, 2 / 7), (0.6, 0.0, -0.8))
RADII = (0.10, 0.15, 0.07)
ANGLES = box([-pi, -1.3, -pi], [pi, 1.3, pi])

# Delp 1990, as in gait2392: translations [m] of the tibia against the knee angle [rad].
KNEE_X_POINTS = (
    *((-2.0944, -0.0032), (-1.74533, 0.00179), (-1.39626, 0.00411), (-1.0472, 0.0041), (-0.698132, 0.00212)),
    *((-0.349066, -0.001), (-0.174533, -0.0031), (0.197344, -0.005227), (0.337395, -0.005435)),
    *((0.490178, -0.005574), (1.52146, -0.005435), (2.0944, -0.00525)),
)
KNEE_Y_POINTS = (
    *((-2.0944, -0.4226), (-1.22173, -0.4082), (-0.523599, -0.399), (-0.349066, -0.3976)),
    *((-0.174533, -0.3966), (0.159149, -0.395264), (2.0944, -0.396)),
)
KNEE_X = SIMMSpline(*zip(*KNEE_X_POINTS, strict=True))
KNEE_Y = SIMMSpline(*zip(*KNEE_Y_POINTS, strict=True))
KNEE = Custom("knee", "p", "b", coordinates=(Coordinate("angle"),), rz=Linear(), tx=KNEE_X, ty=KNEE_Y)

ARCH = Polynomial((0.0, 0.2, 0.4, -0.3))
DIP = Polynomial((0.1, 0.0, -0.3))
TUBE = {"axis_y": ARCH, "axis_z": DIP, "radius": 0.15}
TUBE_POSES = box([-0.8, -pi], [0.8, pi])

CASES = [
    Case(Weld("plain", "p", "b", **FRAMES), box([], [])),
    Case(Pin("z", "p", "b", **FRAMES), box(-pi, pi)),
    Case(Pin("minus_x", "p", "b", axis=(-1.0, 0.0, 0.0)), box(-pi, pi)),
    Case(Pin("skew", "p", "b", axis=SKEW_AXIS), box(-pi, pi)),
    Case(Slider("x", "p", "b"), box(-1, 1)),
    Case(Slider("skew", "p", "b", axis=SKEW_AXIS, **FRAMES), box(-1, 1)),
    Case(Screw("z", "p", "b", pitch=0.07), box(-pi, pi)),
    Case(Screw("skew", "p", "b", axis=SKEW_AXIS, pitch=-0.2), box(-pi, pi)),
    Case(Universal("xy", "p", "b", **FRAMES), box([-pi, -pi], [pi, pi])),
    Case(Universal("zx", "p", "b", sequence="zx"), box([-pi, -pi], [pi, pi])),
    Case(Cylindrical("skew", "p", "b", axis=SKEW_AXIS), box([-pi, -1], [pi, 1])),
    Case(Planar("plain", "p", "b", **FRAMES), box([-pi, -1, -1], [pi, 1, 1])),
    Case(Gimbal("xyz", "p", "b"), ANGLES),
    Case(Gimbal("zxz", "p", "b", sequence="zxz", **FRAMES), box([-pi, 0.3, -pi], [pi, 2.8, pi])),
    Case(Ball("euler_parameters", "p", "b", **FRAMES), euler_parameters()),
    Case(Ball("xyz", "p", "b", coordinates="xyz"), ANGLES),
    Case(Free("plain", "p", "b"), euler_parameters(then=3)),
    Case(Free("xyz", "p", "b", coordinates="xyz"), box([-pi, -1.3, -pi, -1, -1, -1], [pi, 1.3, pi, 1, 1, 1])),
    Case(Ellipsoid("seth", "p", "b", radii=RADII, **FRAMES), ANGLES),
    Case(Ellipsoid("seth_e", "p", "b", radii=RADII, coordinates="euler_parameters"), euler_parameters()),
    Case(Ellipsoid("true", "p", "b", radii=RADII, normal="true"), ANGLES),
    Case(
        Ellipsoid("true_e", "p", "b", radii=RADII, normal="true", coordinates="euler_parameters"),
        euler_parameters(),
    ),
    Case(CurvedTube("tube", "p", "b", **TUBE), TUBE_POSES),
    Case(CurvedTube("tube_fixed", "p", "b", section="fixed", **TUBE), TUBE_POSES),
    Case(CurvedTube("tube_surface", "p", "b", orientation="surface", **TUBE), TUBE_POSES),
    Case(
        CurvedTube("tube_both", "p", "b", section="fixed", orientation="surface", **TUBE, **FRAMES),
        TUBE_POSES,
    ),
    Case(KNEE, between(KNEE_X.x + KNEE_Y.x, -2.0, 0.17)),
    Case(
        Custom(
            *("two_coordinates", "p", "b"),
            coordinates=("a", "c"),
            rx=Expression(lambda a, c: a * c, 2),
            ry=Polynomial((0.1, 0.4)),
            rz=Linear(1.0, 0.2),
            tx=Expression(ca.sin),
            tz=Expression(lambda a, c: a * a - 0.5 * c, 2),
            inputs={"ry": ("c",), "rz": ("a",), "tx": ("c",)},
            rotation_axes=SKEW_AXES,
            translation_axes=(SKEW_AXES[1], SKEW_AXES[0], SKEW_AXES[2]),
        ),
        box([-1, -1], [1, 1]),
    ),
    Case(
        Custom(
            *("six_coordinates", "p", "b"),
            coordinates=tuple("abcdef"),
            rx=Linear(),
            ry=Linear(),
            rz=Linear(),
            tx=Linear(0.5),
            ty=Expression(lambda e, a: e + 0.2 * ca.cos(a), 2),
            tz=Expression(lambda f, b, c: f * (2 + ca.sin(b) * c), 3),
            inputs=(("a",), ("b",), ("c",), ("d",), ("e", "a"), ("f", "b", "c")),
        ),
        box([-pi, -1.3, -pi, -1, -1, -1], [pi, 1.3, pi, 1, 1, 1]),
    ),
]
EVERY = CASES + [Case(Reversed(case.joint), case.sample) for case in CASES]


def _angles(name: str, **fields: object) -> Custom:
    """A custom joint with the coordinates of a 1-2-3 ball."""
    turns = {"rx": Linear(), "ry": Linear(), "rz": Linear(), "coordinates": ("x", "y", "z")}
    inputs = {"rx": ("x",), "ry": ("y",), "rz": ("z",), "tx": ("x", "y"), "ty": ("x", "y"), "tz": ("x", "y")}
    return Custom(name, "p", "b", inputs=inputs, **{**turns, **fields})


def _on_ellipsoid(index: int, *, true: bool) -> Expression:
    """Component of p as a function of the first two angles [mobilizers, eq. 11; true: D^2 n / |D n|]."""

    def p(x: ca.SX, y: ca.SX) -> ca.SX:
        n = ca.vertcat(ca.sin(y), -ca.sin(x) * ca.cos(y), ca.cos(x) * ca.cos(y))
        Dn = ca.DM(RADII) * n
        return (RADII[index] * Dn[index] / ca.norm_2(Dn)) if true else Dn[index]

    return Expression(p, 2)


_ABOUT, _ALONG = (SKEW_AXIS, SKEW_AXES[1], SKEW_AXES[2]), (SKEW_AXIS, SKEW_AXES[1], SKEW_AXES[2])
_SETH = {name: _on_ellipsoid(k, true=False) for k, name in enumerate(("tx", "ty", "tz"))}
_TRUE = {name: _on_ellipsoid(k, true=True) for k, name in enumerate(("tx", "ty", "tz"))}
_PLANAR = {"rz": ("angle",), "tx": ("px",), "ty": ("py",)}

REBUILT = [
    Rebuilt(
        Pin("pin", "p", "b", axis=SKEW_AXIS),
        Custom("pin", "p", "b", coordinates=("angle",), rx=Linear(), rotation_axes=_ABOUT),
        box(-pi, pi),
    ),
    Rebuilt(
        Slider("slider", "p", "b", axis=SKEW_AXIS),
        Custom("slider", "p", "b", coordinates=("displacement",), tx=Linear(), translation_axes=_ALONG),
        box(-1, 1),
    ),
    Rebuilt(
        Screw("screw", "p", "b", pitch=0.07),
        Custom("screw", "p", "b", coordinates=("angle",), rz=Linear(), tz=Linear(0.07)),
        box(-pi, pi),
    ),
    Rebuilt(
        Universal("universal", "p", "b"),
        Custom(
            *("universal", "p", "b"),
            coordinates=("x", "y"),
            rx=Linear(),
            ry=Linear(),
            inputs={"rx": ("x",), "ry": ("y",)},
        ),
        box([-pi, -pi], [pi, pi]),
    ),
    Rebuilt(
        Cylindrical("cylindrical", "p", "b", axis=SKEW_AXIS),
        Custom(
            *("cylindrical", "p", "b"),
            coordinates=("angle", "displacement"),
            rx=Linear(),
            tx=Linear(),
            inputs={"rx": ("angle",), "tx": ("displacement",)},
            rotation_axes=_ABOUT,
            translation_axes=_ALONG,
        ),
        box([-pi, -1], [pi, 1]),
    ),
    Rebuilt(
        Planar("planar", "p", "b"),
        Custom(
            *("planar", "p", "b"),
            coordinates=("angle", "px", "py"),
            rz=Linear(),
            tx=Linear(),
            ty=Linear(),
            inputs=_PLANAR,
        ),
        box([-pi, -1, -1], [pi, 1, 1]),
    ),
    Rebuilt(Gimbal("gimbal", "p", "b"), _angles("gimbal"), ANGLES),
    Rebuilt(
        Gimbal("zxz", "p", "b", sequence="zxz"),
        Custom(
            *("zxz", "p", "b"),
            coordinates=("z1", "x2", "z3"),
            rx=Linear(),
            ry=Linear(),
            rz=Linear(),
            inputs={"rx": ("z1",), "ry": ("x2",), "rz": ("z3",)},
            rotation_axes=((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        ),
        box([-pi, 0.3, -pi], [pi, 2.8, pi]),
    ),
    Rebuilt(Ball("ball", "p", "b", coordinates="xyz"), _angles("ball"), ANGLES),
    Rebuilt(Ellipsoid("seth", "p", "b", radii=RADII), _angles("seth", **_SETH), ANGLES),
    Rebuilt(Ellipsoid("true", "p", "b", radii=RADII, normal="true"), _angles("true", **_TRUE), ANGLES),
    Rebuilt(
        CurvedTube("tube", "p", "b", section="fixed", **TUBE),
        Custom(
            *("tube", "p", "b"),
            coordinates=("x", "theta"),
            tx=Linear(),
            ty=Expression(lambda x, theta: ARCH(x) + 0.15 * ca.cos(theta), 2),
            tz=Expression(lambda x, theta: DIP(x) + 0.15 * ca.sin(theta), 2),
            inputs={"tx": ("x",)},
        ),
        TUBE_POSES,
    ),
]

# Poses where H loses rank, or N grows without bound: analyses must answer with a status there.
SINGULAR = [
    (Gimbal("locked", "p", "b"), (0.3, pi / 2, -0.2)),
    (Gimbal("locked_zxz", "p", "b", sequence="zxz"), (0.3, 0.0, -0.2)),
    (Ball("locked", "p", "b", coordinates="xyz"), (0.3, pi / 2, -0.2)),
    (Ellipsoid("locked", "p", "b", radii=RADII), (0.3, -pi / 2, -0.2)),
    (Ellipsoid("locked_true", "p", "b", radii=RADII, normal="true"), (0.3, pi / 2, -0.2)),
    (CurvedTube("along_reference", "p", "b", reference=(1.0, 0.0, 0.0)), (0.2, 0.4)),
    (CurvedTube("focal", "p", "b", axis_y=Polynomial((0.0, 0.0, 1.0)), radius=0.5), (0.0, 0.0)),
    (Custom("halting", "p", "b", coordinates=("a",), rz=Polynomial((0.0, 0.0, 1.0))), (0.0,)),
]
