"""The topology of the 26-body human of Antunes, Folgado and Quental (2025): bodies, joints and table 1.

Thorax and pelvis, per side clavicle, scapula, humerus, ulna, radius, hand, femur, patella, tibia, talus, foot
and toes; the scapula glides on an ellipsoid of the thorax, the patella follows the knee. The paper gives
neither masses nor dimensions: those here are rough anthropometry of 75 kg, body frames at the mass centres of
their segments, x forwards, y up, z to the right. They serve to count equations and to time them; a model with
published numbers is another matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from condyle.constraints import Constraint, FunctionOfJoint, PointOnSurface
from condyle.drivers import AngleRotation, Driver, EulerRotation, PrescribedPoint
from condyle.drivers.angle_rotation import two_rows_per_freedom
from condyle.functions import Polynomial
from condyle.joints import Ball, Coordinate, Free, Joint, Pin, Universal
from condyle.model import Body, Model
from condyle.spatial import Placement
from condyle.spatial.euler import orientation, parameters_from_sequence
from condyle.spatial.placement import Vector3

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
SIDES = {"r": 1.0, "l": -1.0}
ARMS, LEGS = "arms", "legs"

#: Mass [kg], length [m] and radius [m] of cylinders; one side.
SEGMENTS = {
    "thorax": (30.6, 0.50, 0.13),
    "pelvis": (10.5, 0.16, 0.12),
    "clavicle": (0.2, 0.15, 0.01),
    "scapula": (0.7, 0.12, 0.05),
    "humerus": (2.0, 0.29, 0.04),
    "ulna": (0.6, 0.26, 0.025),
    "radius": (0.6, 0.24, 0.025),
    "hand": (0.45, 0.16, 0.03),
    "femur": (7.9, 0.42, 0.07),
    "patella": (0.1, 0.05, 0.02),
    "tibia": (3.2, 0.43, 0.05),
    "talus": (0.1, 0.04, 0.02),
    "foot": (1.0, 0.19, 0.04),
    "toes": (0.2, 0.08, 0.03),
}

#: Orientation of the clavicle in the thorax and of the scapula in the clavicle, yxz angles [rad].
REST = {"SC": (-0.349066, -0.0852, 0.1252), "AC": (0.813137, 0.0698132, -0.0872665)}
#: Points of the scapula on the ellipsoid, whose centre is given from the sternoclavicular joint [m].
POINTS: dict[str, Vector3] = {"TS": (-0.02, 0.02, -0.06), "AI": (-0.02, -0.08, -0.05)}
CENTRE: Vector3 = (0.03, -0.12, 0.03)
HEIGHT = 0.22  # vertical semi-axis; the others follow from the points


@dataclass(frozen=True)
class Guide:
    """How table 1 guides a joint: components of E-rot, and the axes that A-rot's vectors are across."""

    components: tuple[int, ...]
    axes: tuple[Vector3, ...] = ()


#: Table 1; patellae and the scapulothoracic joints are not driven.
TABLE_1 = {
    "SC": Guide((1, 2, 3)),
    "AC": Guide((2,)),
    "GH": Guide((1, 2, 3)),
    "HU": Guide((3,), (Z,)),
    "RU": Guide((2,), (Y,)),
    "RC": Guide((1, 3), (Z, X)),
    "lumbar": Guide((1, 2, 3)),
    "hip": Guide((1, 2, 3)),
    "knee": Guide((3,), (Z,)),
    "ankle": Guide((3,), (Z,)),
    "subtalar": Guide((1,), (X,)),
    "MTP": Guide((3,), (Z,)),
}


def human_26(parts: Iterable[str] = (ARMS, LEGS), sides: Iterable[str] = "rl", gliding: bool = True) -> Model:
    """The whole human, or some parts: ("arms",) on a free thorax, ("legs",) on a free pelvis.

    gliding=False leaves the scapulothoracic ellipsoids out, so that the joints are a tree.
    """
    parts, sides = tuple(parts), tuple(sides)
    bodies: list[Body] = []
    joints: list[Joint] = []
    constraints: list[Constraint] = []
    base = "pelvis" if LEGS in parts else "thorax"
    joints.append(Free("base", "ground", base))
    bodies.append(_segment(base))
    if base == "pelvis" and ARMS in parts:
        bodies.append(_segment("thorax"))
        joints.append(Ball("lumbar", "pelvis", "thorax", _at(-0.05, 0.08, 0.0), _at(-0.03, -0.25, 0.0)))
    for side in sides:
        if ARMS in parts:
            bodies += [
                _segment(name, side) for name in ("clavicle", "scapula", "humerus", "ulna", "radius", "hand")
            ]
            joints += _arm(side)
            constraints += _gliding(side) if gliding else []
        if LEGS in parts:
            bodies += [
                _segment(name, side) for name in ("femur", "patella", "tibia", "talus", "foot", "toes")
            ]
            joints += _leg(side)
            constraints.append(_patella(side))
    return Model("human_26", tuple(bodies), tuple(joints), tuple(constraints), gravity=(0.0, -9.81, 0.0))


def human_drivers(model: Model, kind: str = "euler") -> tuple[Driver, ...]:
    """Drivers of table 1 for this model, and six of the base: "euler" (E-rot) or "angle" (A-rot).

    Each is named after its joint; a joint whose chain is not closed by an ellipsoid has all its components.
    """
    closed = any(constraint.name.startswith("TS") for constraint in model.constraints)
    base = next(joint.child for joint in model.joints if joint.name == "base")
    found: list[Driver] = [
        EulerRotation("base", model.ground, base),
        PrescribedPoint("base_position", base, reference=model.ground),
    ]
    for joint in model.joints:
        guide = TABLE_1.get(joint.name.partition("_")[0])
        if guide is None:
            continue
        if kind == "euler":
            components = guide.components if closed or guide.axes else (1, 2, 3)
            found.append(EulerRotation(joint.name, joint.parent, joint.child, components=components))
        else:
            pairs = two_rows_per_freedom(guide.axes)
            found.append(
                AngleRotation(joint.name, joint.parent, joint.child, pairs=pairs, prescribed="orientation")
            )
    return tuple(found)


def _segment(name: str, side: str = "") -> Body:
    mass, length, radius = SEGMENTS[name]
    across, along = mass * (length**2 / 12 + radius**2 / 4), mass * radius**2 / 2
    inertia = {"clavicle": (across, across, along), "foot": (along, across, across)}
    own = inertia.get(name, (across, along, across))
    return Body(f"{name}_{side}" if side else name, mass, inertia=(*own, 0.0, 0.0, 0.0))


def _at(x: float, y: float, z: float, side: str = "r") -> Placement:
    return Placement((x, y, SIDES[side] * z))


def _rest(joint: str, side: str) -> tuple[float, float, float, float]:
    """p of a joint of the girdle at rest; the left is the right's mirror image in the sagittal plane."""
    e0, e1, e2, e3 = (float(value) for value in parameters_from_sequence("yxz", np.array(REST[joint])))
    return (e0, SIDES[side] * e1, SIDES[side] * e2, e3)


def _resting(joint: str, side: str) -> tuple[Coordinate, ...]:
    names = ("e0", "e1", "e2", "e3")
    return tuple(Coordinate(name, value) for name, value in zip(names, _rest(joint, side), strict=True))


def _arm(s: str) -> list[Joint]:
    return [
        Ball(
            f"SC_{s}",
            "thorax",
            f"clavicle_{s}",
            _at(0.03, 0.18, 0.02, s),
            _at(0.0, 0.0, -0.07, s),
            _resting("SC", s),
        ),
        Ball(
            f"AC_{s}",
            f"clavicle_{s}",
            f"scapula_{s}",
            _at(0.0, 0.0, 0.08, s),
            _at(0.02, 0.05, 0.03, s),
            _resting("AC", s),
        ),
        Ball(f"GH_{s}", f"scapula_{s}", f"humerus_{s}", _at(0.03, 0.02, 0.03, s), _at(0.0, 0.13, 0.0)),
        Pin(f"HU_{s}", f"humerus_{s}", f"ulna_{s}", _at(0.0, -0.16, 0.0), _at(0.0, 0.11, 0.0), axis=Z),
        Pin(f"RU_{s}", f"ulna_{s}", f"radius_{s}", _at(0.0, 0.1, 0.01, s), _at(0.0, 0.1, -0.01, s), axis=Y),
        Universal(
            f"RC_{s}", f"radius_{s}", f"hand_{s}", _at(0.0, -0.13, 0.0), _at(0.0, 0.08, 0.0), sequence="zx"
        ),
    ]


def _leg(s: str) -> list[Joint]:
    return [
        Ball(f"hip_{s}", "pelvis", f"femur_{s}", _at(0.0, -0.07, 0.085, s), _at(0.0, 0.18, 0.0)),
        Pin(
            f"patella_{s}", f"femur_{s}", f"patella_{s}", _at(0.03, -0.22, 0.0), _at(-0.02, 0.02, 0.0), axis=Z
        ),
        Pin(f"knee_{s}", f"femur_{s}", f"tibia_{s}", _at(0.0, -0.24, 0.0), _at(0.0, 0.19, 0.0), axis=Z),
        Pin(f"ankle_{s}", f"tibia_{s}", f"talus_{s}", _at(0.0, -0.24, 0.0), _at(0.0, 0.01, 0.0), axis=Z),
        Pin(f"subtalar_{s}", f"talus_{s}", f"foot_{s}", _at(0.0, -0.02, 0.0), _at(-0.05, 0.04, 0.0), axis=X),
        Pin(f"MTP_{s}", f"foot_{s}", f"toes_{s}", _at(0.1, -0.02, 0.0), _at(-0.03, 0.0, 0.0), axis=Z),
    ]


def _patella(s: str) -> Constraint:
    """Femur-patella: the angle is a function of the knee's, f(phi) = 0.6 phi + 0.05 phi^2 [rad]."""
    names = (f"femur_{s}", f"tibia_{s}", f"patella_{s}")
    return FunctionOfJoint(f"patella_angle_{s}", *names, angle=Polynomial((0.0, 0.6, 0.05)))


def _gliding(s: str) -> list[Constraint]:
    """Two points of the scapula on an ellipsoid of the thorax; its horizontal semi-axes fit the rest pose."""
    mirror = np.array([1.0, 1.0, SIDES[s]])
    clavicle = orientation(np.array(_rest("SC", s)))
    scapula = clavicle @ orientation(np.array(_rest("AC", s)))
    along_clavicle = clavicle @ (mirror * (0.0, 0.0, 0.15))
    away = {
        name: along_clavicle + scapula @ (mirror * (np.array(point) - (0.02, 0.05, 0.03))) - mirror * CENTRE
        for name, point in POINTS.items()
    }
    # (x/a)^2 + (z/c)^2 = 1 - (y/b)^2 for both points.
    places = np.array(list(away.values()))
    inverse = np.linalg.solve(places[:, [0, 2]] ** 2, 1 - (places[:, 1] / HEIGHT) ** 2)
    radii = (1 / sqrt(inverse[0]), HEIGHT, 1 / sqrt(inverse[1]))
    centre = _at(0.03 + CENTRE[0], 0.18 + CENTRE[1], 0.02 + CENTRE[2], s)
    return [
        PointOnSurface(f"{name}_{s}", f"scapula_{s}", "thorax", (x, y, SIDES[s] * z), radii, centre)
        for name, (x, y, z) in POINTS.items()
    ]
