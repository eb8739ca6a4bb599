"""Bodies, frames on them and markers: what is said, with no maths."""

from __future__ import annotations

from dataclasses import dataclass

from condyle.spatial import Placement
from condyle.spatial.placement import Vector3


@dataclass(frozen=True)
class Body:
    """A rigid body: mass [kg], centre of mass in body axes [m], inertia about it in body axes [kg m^2].

    `inertia` = (xx, yy, zz, xy, xz, yz); the last three are tensor entries (negative products of inertia).
    """

    name: str
    mass: float = 0.0
    center_of_mass: Vector3 = (0.0, 0.0, 0.0)
    inertia: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Frame:
    """A named frame fixed on a body."""

    name: str
    body: str
    placement: Placement = Placement()


@dataclass(frozen=True)
class Marker:
    """A named point fixed on a body, `position` [m] in body axes."""

    name: str
    body: str
    position: Vector3 = (0.0, 0.0, 0.0)
