"""A leg that swings on the empirical knee: the tibia's translations follow the knee angle as splines.

Spline points: the planar knee of Yamaguchi and Zajac (1989), used by Delp et al. (1990) and in the public
gait models 2392 and 2354; shank and foot lumped from the same. Numbers only.
"""

from __future__ import annotations

from math import cos, radians, sin

from condyle.functions import Linear, SIMMSpline
from condyle.joints import Coordinate, Custom, Joint, Pin
from condyle.model import Body, Marker, Model
from condyle.spatial import Placement

#: (knee angle [rad], translation along x of the femur [m]).
X_POINTS = (
    *((-2.0944, -0.0032), (-1.74533, 0.00179), (-1.39626, 0.00411), (-1.0472, 0.0041), (-0.698132, 0.00212)),
    *((-0.349066, -0.001), (-0.174533, -0.0031), (0.197344, -0.005227), (0.337395, -0.005435)),
    *((0.490178, -0.005574), (1.52146, -0.005435), (2.0944, -0.00525)),
)
#: (knee angle [rad], translation along y of the femur [m]).
Y_POINTS = (
    *((-2.0944, -0.4226), (-1.22173, -0.4082), (-0.523599, -0.399), (-0.349066, -0.3976)),
    *((-0.174533, -0.3966), (0.159149, -0.395264), (2.0944, -0.396)),
)
#: Angle of the fixed femur about z.
FEMUR_ANGLE = radians(53.8)
#: Shank, talus, calcaneus and toes at zero ankle angle: mass [kg], centre [m] in the tibia's axes, moment
#: about z [kg m^2].
SEGMENTS = (
    (3.7075, (0.0, -0.1867), 0.0511),
    (0.1, (0.0, -0.43), 0.001),
    (1.25, (0.05123, -0.44195), 0.0041),
    (0.2166, (0.16463, -0.46795), 0.0001),
)
ANGLE = Coordinate("angle", range=(radians(-120.0), radians(10.0)))


def _lumped() -> Body:
    """The segments as one body that moves in the plane."""
    mass = sum(m for m, _, _ in SEGMENTS)
    x, y = (sum(m * center[axis] for m, center, _ in SEGMENTS) / mass for axis in (0, 1))
    about_z = sum(izz + m * ((cx - x) ** 2 + (cy - y) ** 2) for m, (cx, cy), izz in SEGMENTS)
    # Moments about x and y play no role in the plane; these are a slender leg's.
    return Body("tibia", mass, (x, y, 0.0), (about_z, 0.0, about_z, 0.0, 0.0, 0.0))


TIBIA = _lumped()


def translations() -> tuple[SIMMSpline, SIMMSpline]:
    """(x, y) of the tibia in the femur [m] as functions of the knee angle [rad]."""
    x_angles, x = zip(*X_POINTS, strict=True)
    y_angles, y = zip(*Y_POINTS, strict=True)
    return SIMMSpline(x_angles, x), SIMMSpline(y_angles, y)


def knee() -> Model:
    """Shank and foot on a fixed femur; one coordinate, `knee.angle`: zero when straight, negative bent."""
    x, y = translations()
    joint = Custom("knee", "ground", "tibia", _femur_frame(), coordinates=(ANGLE,), rz=Linear(), tx=x, ty=y)
    return _leg("knee", joint)


def knee_pin() -> Model:
    """The same leg on an ideal pin where the empirical knee stands at 10 degrees of flexion, a knot of both
    splines.
    """
    x, y = dict(X_POINTS)[-0.174533], dict(Y_POINTS)[-0.174533]
    c, s = cos(FEMUR_ANGLE), sin(FEMUR_ANGLE)
    placed = Placement((c * x - s * y, s * x + c * y, 0.0), _femur_frame().angles)
    return _leg("knee_pin", Pin("knee", "ground", "tibia", placed, coordinates=(ANGLE,)))


def _femur_frame() -> Placement:
    return Placement((0.0, 0.0, 0.0), (0.0, 0.0, FEMUR_ANGLE))


def _leg(name: str, joint: Joint) -> Model:
    markers = (Marker("ankle", "tibia", (0.0, -0.43, 0.0)), Marker("toe", "tibia", (0.17, -0.45, 0.0)))
    return Model(name, (TIBIA,), (joint,), markers=markers)
