"""Constant placement of a frame on a body, as a user gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from condyle.spatial.euler_product import euler_parameters_of_sequence
from condyle.spatial.rotation import rotation_sequence, sequence_from_rotation
from condyle.spatial.transform import Transform
from condyle.spatial.vectors import constant

Vector3 = tuple[float, float, float]


@dataclass(frozen=True)
class Placement:
    """Origin `translation` [m] and body-fixed `angles` [rad] in the order of `sequence`."""

    translation: Vector3 = (0.0, 0.0, 0.0)
    angles: Vector3 = (0.0, 0.0, 0.0)
    sequence: str = "xyz"

    @staticmethod
    def from_matrix(rotation: Any, translation: Any = (0.0, 0.0, 0.0)) -> Placement:
        """The placement with this rotation matrix (3 x 3, orthogonal)."""
        x, y, z = (float(value) for value in translation)
        return Placement((x, y, z), sequence_from_rotation(np.asarray(rotation, dtype=float)))

    def problems(self) -> list[str]:
        """What is wrong with these numbers, as sentences."""
        found = []
        for label, values in (("translation", self.translation), ("angles", self.angles)):
            if len(values) != 3 or not all(
                isinstance(value, ca.SX) or np.isfinite(value) for value in values
            ):
                found.append(f"{label} must be three finite numbers, found {tuple(values)}")
        if len(self.sequence) != 3 or set(self.sequence) - set("xyz"):
            found.append(f"sequence must be three letters out of x, y, z, found {self.sequence!r}")
        return found

    def transform(self) -> Transform:
        """X of the placed frame in its body. Entries within round-off of 0 and +-1 become exact."""
        rotation = rotation_sequence(self.sequence, self.angles)
        if rotation.is_constant():
            # cos(pi/2) = 6e-17 would turn structural zeros into work for every later instruction.
            values = np.array(ca.DM(rotation).full())
            nearest = np.round(values)
            rotation = constant(np.where(np.abs(values - nearest) < 1e-15, nearest, values))
        return Transform(rotation, constant(self.translation))

    def euler_parameters(self) -> ca.SX:
        """p (4) of the placed frame in its body; exact zeros where an angle is 0."""
        return ca.sparsify(euler_parameters_of_sequence(self.sequence, self.angles))
