"""The description of a mechanism: immutable data, checked once, with all problems listed."""

from __future__ import annotations

from dataclasses import dataclass

from condyle.constraints.base import Constraint
from condyle.joints.base import Joint
from condyle.model.body import Body, Frame, Marker
from condyle.model.checks import check
from condyle.model.normal import normalised, normalised_vector
from condyle.spatial.placement import Vector3

STANDARD_GRAVITY: Vector3 = (0.0, -9.80665, 0.0)


@dataclass(frozen=True)
class Model:
    """Bodies on a tree of joints rooted at `ground`, with constraints, frames, markers, gravity [m/s^2]."""

    name: str
    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    frames: tuple[Frame, ...] = ()
    markers: tuple[Marker, ...] = ()
    gravity: Vector3 = STANDARD_GRAVITY
    ground: str = "ground"

    def __post_init__(self) -> None:
        for field in ("bodies", "joints", "constraints", "frames", "markers"):
            elements = tuple(normalised(element) for element in getattr(self, field))
            object.__setattr__(self, field, elements)
        object.__setattr__(self, "gravity", normalised_vector(self.gravity))
        check(self)
