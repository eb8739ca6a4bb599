"""The ankle complex of a right foot: leg, main foot and toes, two anatomical axes, the talus between them.

M. Rodrigues da Silva, F. Marques, M. Tavares da Silva, P. Flores: A new skeletal model for the ankle joint
complex (2023), tables 1 and 2; x forwards, y medial, z up. The place of the talocrural joint is not in the
paper: x is the leg's, z follows from the distance of the knee to the leg's mass centre in gait2392, whose leg
is as long (0.43 m - 0.1867 m below the leg's mass centre). The link from there to the talocalcaneal axis
points straight down.
"""

from __future__ import annotations

from math import acos, atan, cos, pi, radians, sin, sqrt, tan

from condyle.constraints import ConstantAngle, Constraint, ModifiedUniversal, Revolute, Universal, Weld
from condyle.forces import CircumductionCone, Force
from condyle.functions import CubicStep, PeriodicCubicSpline
from condyle.joints import Coordinate, Free, Joint, Pin
from condyle.joints import Weld as WeldJoint
from condyle.model import Body, Model
from condyle.spatial import Placement
from condyle.spatial.placement import Vector3

GRAVITY: Vector3 = (0.0, 0.0, -9.81)
TOES = Body("toes", 0.2051, inertia=(0.0001003, 0.0001003, 0.0002006, 0.0, 0.0, 0.0))
FOOT = Body("foot", 1.2, inertia=(0.0013818, 0.0038337, 0.0037110, 0.0, 0.0, 0.0))
LEG = Body("leg", 3.51, inertia=(0.0477209, 0.0483791, 0.0048, 0.0, 0.0, 0.0))
#: Mass centres, which are the bodies' origins, and joints at the start [m].
AT: dict[str, Vector3] = {
    "toes": (0.2177, 0.0, 0.0367),
    "foot": (0.0907, 0.0, 0.0562),
    "leg": (0.0544, 0.0, 0.3513),
}
TALOCRURAL: Vector3 = (0.0544, 0.0, 0.1080)
METATARSOPHALANGEAL: Vector3 = (0.1903, 0.0, 0.0367)

#: Height of a talus (mean of 26 adults), the length of the link [m].
LINK = 0.0417
GYRATION = 0.015  # m, of a talus that has mass

DAMPING = 0.568  # N m s
PLATEAU, WIDTH = 226.0, radians(11.5)  # N m, rad
#: Largest latitudes at longitudes 0, 90, 180, 270 degrees: plantarflexion, inversion, dorsiflexion, eversion.
LIMITS = tuple(radians(angle) for angle in (35.0, 35.0, 20.0, 25.0))


def _axis(first: float, second: float, turned: bool) -> Vector3:
    """Unit vector from its angle to a plane and the angle of its projection there [deg]."""
    plane, rise = radians(second), atan(tan(radians(first)) * cos(radians(second)))
    x, y = cos(rise) * cos(plane), cos(rise) * sin(plane)
    x, y, z = (y, x, sin(rise)) if turned else (x, y, sin(rise))
    length = sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length)


#: Fixed in the foot (inclination 35.3, deviation 19.8 degrees) and in the leg (8 and 6 degrees).
TALOCALCANEAL_AXIS = _axis(35.3, 19.8, turned=False)
TALOCRURAL_AXIS = _axis(8.0, 6.0, turned=True)


def range_of_motion(
    normal: str = "surface", damping: float = 0.0, height: float = PLATEAU
) -> CircumductionCone:
    """The cone that the foot's x axis does not leave in the leg."""
    limits = PeriodicCubicSpline((0.0, pi / 2, pi, 3 * pi / 2), LIMITS)
    law = CubicStep(height, WIDTH)
    return CircumductionCone(
        "range_of_motion", "leg", "foot", limits, law=law, normal=normal, damping=damping
    )


def ankle(
    link: float = LINK, *, forces: tuple[Force, ...] = (), free_toes: bool = False, talus: float = 0.0
) -> Model:
    """Minimal coordinates: two pins with the talus between them, massless or of mass `talus` [kg].

    A link of length 0 makes it the classical universal joint, whose axes meet.
    """
    below = _below(link)
    inertia = talus * GYRATION**2
    body = Body(
        "talus", talus, (0.0, 0.0, -link / 2 if talus else 0.0), (inertia, inertia, inertia, 0.0, 0.0, 0.0)
    )
    upper = Placement(_apart(TALOCRURAL, AT["leg"]))
    lower = Placement(_apart(below, TALOCRURAL)), Placement(_apart(below, AT["foot"]))
    on_foot, on_toes = (Placement(_apart(METATARSOPHALANGEAL, AT[name])) for name in ("foot", "toes"))
    mtp: Joint = WeldJoint("metatarsophalangeal", "foot", "toes", on_foot, on_toes)
    if free_toes:
        mtp = Pin(mtp.name, "foot", "toes", mtp.parent_frame, mtp.child_frame, axis=(0.0, 1.0, 0.0))
    joints = (
        WeldJoint("fixed", "ground", "leg", Placement(AT["leg"])),
        Pin("talocrural", "leg", "talus", upper, axis=TALOCRURAL_AXIS),
        Pin("talocalcaneal", "talus", "foot", *lower, axis=TALOCALCANEAL_AXIS),
        mtp,
    )
    return Model("ankle", (LEG, body, FOOT, TOES), joints, gravity=GRAVITY, forces=forces)


def ankle_bodies(link: float = LINK, *, forces: tuple[Force, ...] = (), free_toes: bool = False) -> Model:
    """Three free bodies held by the paper's constraints: universal joint, fixed leg, locked toes."""
    pair = ("leg", "foot")
    points = _apart(TALOCRURAL, AT["leg"]), _apart(_below(link), AT["foot"])
    axes = TALOCRURAL_AXIS, TALOCALCANEAL_AXIS
    complex_: Constraint
    if link:
        start = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), _apart(AT["foot"], AT["leg"])
        complex_ = ModifiedUniversal.at_pose("ankle", pair, points, axes, start)
    else:
        angle = acos(sum(a * b for a, b in zip(*axes, strict=True)))
        complex_ = Universal("ankle", *pair, *points, *axes, angle)
    y = (0.0, 1.0, 0.0)
    toes = (_apart(METATARSOPHALANGEAL, AT["foot"]), _apart(METATARSOPHALANGEAL, AT["toes"]))
    constraints: tuple[Constraint, ...] = (
        Weld("fixed", "ground", "leg", Placement(AT["leg"])),
        complex_,
        Revolute("metatarsophalangeal", "foot", "toes", *toes, y, y),
    )
    if not free_toes:
        constraints += (ConstantAngle("lock", "foot", "toes", (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),)
    bodies = (LEG, FOOT, TOES)
    joints = tuple(_free(body.name) for body in bodies)
    return Model("ankle_bodies", bodies, joints, constraints, gravity=GRAVITY, forces=forces)


def _free(body: str) -> Free:
    start = (Coordinate(f"p{axis}", value) for axis, value in zip("xyz", AT[body], strict=True))
    return Free(body, "ground", body, coordinates=tuple(start))


def _below(link: float) -> Vector3:
    """Where the talocalcaneal axis meets the link."""
    x, y, z = TALOCRURAL
    return (x, y, z - link)


def _apart(place: Vector3, origin: Vector3) -> Vector3:
    return (place[0] - origin[0], place[1] - origin[1], place[2] - origin[2])
