"""The two chains on which paper 000's drivers are tried: an open leg, and a closed shoulder girdle.

Gravity 9.81 m/s^2, y up; body frames at the centres of mass. Angles in degrees, times over one second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

import condyle as cd
from condyle.constraints import PointOnSurface
from condyle.drivers import AngleRotation, Driver, EulerRotation, Motion
from condyle.drivers.angle_rotation import two_rows_per_freedom
from condyle.joints import Ball, Pin, Universal
from condyle.spatial import Placement

GRAVITY = (0.0, -9.81, 0.0)
X_AXIS, Z_AXIS = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
W = 2 * np.pi

#: Expressions of time -> angles [deg].
Angles = Callable[[ca.SX], list[ca.SX]]


def _diagonal(x: float, y: float, z: float) -> tuple[float, float, float, float, float, float]:
    return (x, y, z, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Guided:
    """A joint of a chain: its bodies, its axes (none: spherical) and how its orientation is prescribed."""

    name: str
    parent: str
    child: str
    axes: tuple[tuple[float, float, float], ...]
    components: tuple[int, ...]
    sequence: str
    angles: Angles

    def euler(self, components: tuple[int, ...] = ()) -> EulerRotation:
        """E-rot of these components, or of its own."""
        return EulerRotation(self.name, self.parent, self.child, components=components or self.components)

    def angle(self) -> AngleRotation:
        """A-rot with two rows per freedom, six at a spherical joint."""
        return AngleRotation(
            self.name,
            self.parent,
            self.child,
            pairs=two_rows_per_freedom(self.axes),
            prescribed="orientation",
        )

    def motion(self, times: np.ndarray) -> Motion:
        """p*(t)."""
        whole = Motion.of_expression(lambda t: ca.vertcat(*self.angles(t)) * (np.pi / 180), times)
        return whole.as_orientation(self.sequence)


LEG = (
    Guided(
        "hip",
        "ground",
        "thigh",
        (),
        (1, 2, 3),
        "zxy",
        lambda t: [
            10 + 30 * ca.sin(W * t),
            5 * ca.sin(W * t + 0.5),
            8 * ca.sin(2 * W * t + 0.3),
        ],
    ),
    Guided("knee", "thigh", "shank", (Z_AXIS,), (3,), "z", lambda t: [-35 + 30 * ca.cos(W * t)]),
    Guided(
        "ankle",
        "shank",
        "foot",
        (Z_AXIS, X_AXIS),
        (1, 3),
        "zx",
        lambda t: [10 * ca.sin(W * t + 1), 8 * ca.sin(2 * W * t)],
    ),
)

GIRDLE = (
    Guided(
        "SC",
        "ground",
        "clavicle",
        (),
        (1, 2, 3),
        "yxz",
        lambda t: [
            -20 + 10 * ca.sin(W * t),
            -8 + 8 * ca.sin(W * t + 0.4),
            10 * ca.sin(W * t + 0.8),
        ],
    ),
    Guided(
        "AC",
        "clavicle",
        "scapula",
        (),
        (2,),
        "yxz",
        lambda t: [
            45 + 8 * ca.sin(W * t + 0.2),
            4 + 3 * ca.sin(W * t),
            -5 + 3 * ca.sin(W * t),
        ],
    ),
)
ELLIPSOID_CENTRE = (0.03, -0.12, 0.03)
RADII = (0.2127716005737462, 0.22, 0.10280398321661402)
POINTS = {"TS": (-0.02, 0.02, -0.06), "AI": (-0.02, -0.08, -0.05)}


def leg_chain() -> cd.Model:
    """Chain A: ground - thigh spherical, thigh - shank revolute (z), shank - foot universal (z, x)."""
    bodies = (
        cd.Body("thigh", 8.0, inertia=_diagonal(0.12, 0.03, 0.125)),
        cd.Body("shank", 3.5, inertia=_diagonal(0.05, 0.005, 0.05)),
        cd.Body("foot", 1.2, inertia=_diagonal(0.0014, 0.0039, 0.0037)),
    )
    joints = (
        Ball("hip", "ground", "thigh", child_frame=Placement((0.0, 0.18, 0.0))),
        Pin("knee", "thigh", "shank", Placement((0.0, -0.24, 0.0)), Placement((0.0, 0.19, 0.0))),
        Universal(
            "ankle",
            "shank",
            "foot",
            Placement((0.0, -0.24, 0.0)),
            Placement((-0.05, 0.04, 0.0)),
            sequence="zx",
        ),
    )
    return cd.Model("leg_chain", bodies, joints, gravity=GRAVITY)


def _ellipsoid(x: ca.SX, y: ca.SX, z: ca.SX) -> ca.SX:
    """The paper's own scale of the equation, on which multipliers depend."""
    return (x / RADII[0]) ** 2 + (y / RADII[1]) ** 2 + (z / RADII[2]) ** 2 - 1


def girdle_chain() -> cd.Model:
    """Chain B: ground - clavicle - scapula, both spherical, two scapular points on an ellipsoid of ground."""
    bodies = (
        cd.Body("clavicle", 0.2, inertia=_diagonal(0.0009, 0.0001, 0.0009)),
        cd.Body("scapula", 0.7, inertia=_diagonal(0.0014, 0.001, 0.0012)),
    )
    joints = (
        Ball("SC", "ground", "clavicle", child_frame=Placement((0.0, 0.0, -0.07))),
        Ball(
            "AC",
            "clavicle",
            "scapula",
            Placement((0.0, 0.0, 0.08)),
            Placement((0.02, 0.05, 0.03)),
        ),
    )
    surfaces = tuple(
        PointOnSurface(name, "scapula", "ground", point, RADII, Placement(ELLIPSOID_CENTRE), _ellipsoid)
        for name, point in POINTS.items()
    )
    return cd.Model("girdle_chain", bodies, joints, surfaces, gravity=GRAVITY)


def euler_drivers(chain: tuple[Guided, ...]) -> tuple[Driver, ...]:
    """E-rot with the components of table 1."""
    return tuple(joint.euler() for joint in chain)


def angle_drivers(chain: tuple[Guided, ...]) -> tuple[Driver, ...]:
    """A-rot."""
    return tuple(joint.angle() for joint in chain)


def motions(chain: tuple[Guided, ...], times: np.ndarray) -> dict[str, Motion]:
    """p*(t) of every joint."""
    return {joint.name: joint.motion(times) for joint in chain}
