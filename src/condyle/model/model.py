"""The description of a mechanism: immutable data, checked once, with all problems listed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from condyle.constraints.base import Constraint
from condyle.couplings.base import Coupling
from condyle.forces.base import Force
from condyle.joints.base import Joint
from condyle.model.body import Body, Frame, Marker
from condyle.model.checks import check
from condyle.model.normal import normalised, normalised_vector
from condyle.spatial.placement import Vector3

STANDARD_GRAVITY: Vector3 = (0.0, -9.80665, 0.0)


@dataclass(frozen=True)
class Model:
    """Bodies on a tree of joints rooted at `ground`, with constraints, forces, frames, markers, gravity
    [m/s^2].

    `couplings` make joint variables functions of others; `loops` are joints between two bodies of the tree.
    """

    name: str
    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    frames: tuple[Frame, ...] = ()
    markers: tuple[Marker, ...] = ()
    gravity: Vector3 = STANDARD_GRAVITY
    ground: str = "ground"
    forces: tuple[Force, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    loops: tuple[Joint, ...] = ()

    @classmethod
    def unchecked(cls, **fields: Any) -> Model:
        """A model that is not checked and so may be broken, or hold symbols in place of numbers."""
        model = object.__new__(cls)
        for field in dataclasses.fields(cls):
            object.__setattr__(model, field.name, fields.get(field.name, field.default))
        model._normalise()
        return model

    def __post_init__(self) -> None:
        self._normalise()
        check(self)

    def _normalise(self) -> None:
        for field in ("bodies", "joints", "constraints", "frames", "markers", "forces", "couplings", "loops"):
            elements = tuple(normalised(element) for element in getattr(self, field))
            object.__setattr__(self, field, elements)
        object.__setattr__(self, "gravity", normalised_vector(self.gravity))
