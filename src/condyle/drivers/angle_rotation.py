"""A-rot: angles between vectors of two bodies are prescribed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import casadi as ca
import numpy as np

from condyle.drivers.rotational import ORIENTATION, RotationalDriver
from condyle.spatial import constant, perpendiculars, rotation_from_euler_parameters
from condyle.spatial.placement import Vector3

if TYPE_CHECKING:
    from condyle.constraints.base import Configuration

ANGLE, COSINE, WHOLE = "angle", "cosine", "orientation"
CHOICES = (ANGLE, COSINE, WHOLE)


@final
@dataclass(frozen=True)
class AngleRotation(RotationalDriver):
    """One row s_i.s_j - cos(theta) per entry (s_i, s_j) of `pairs` [000-6 to 15], unit vectors in the axes of
    the child's and the parent's frame.

    A row is singular where theta is 0 or 180 degrees, so each freedom is given two: s_i against s_j and
    against another vector orthogonal to it. `guided` counts the freedoms; left out, it is what the pairs can
    guide at a generic orientation. `prescribed`: the targets are the angles theta [rad], their "cosine"s, or
    the "orientation" p* (4) that the angles are taken from, which stays smooth where theta passes 0.
    """

    pairs: tuple[tuple[Vector3, Vector3], ...] = ()
    prescribed: str = ANGLE
    guided: int = 0

    @property
    def size(self) -> int:
        return len(self.pairs)

    @property
    def targets(self) -> tuple[str, ...]:
        if self.prescribed == WHOLE:
            return ORIENTATION
        return tuple(f"{self.prescribed}{k + 1}" for k in range(self.size))

    @property
    def orientation(self) -> bool:
        return self.prescribed == WHOLE

    @property
    def freedoms(self) -> int:
        return self.guided or min(3, (self.size + 1) // 2)

    def cosines(self, rotation: ca.SX) -> ca.SX:
        """s_i.s_j of every pair for a rotation of the child's frame in the parent's."""
        rows = [ca.dot(constant(s_j), ca.mtimes(rotation, constant(s_i))) for s_i, s_j in self.pairs]
        return ca.vertcat(*rows)

    def residual(self, configuration: Configuration, targets: ca.SX) -> ca.SX:
        X = configuration.relative_pose(self.parent, self.child)
        first, last = self.parent_frame.transform().R.T, self.child_frame.transform().R
        found = self.cosines(ca.mtimes(ca.mtimes(first, X.R), last))
        if self.prescribed == ANGLE:
            return found - ca.cos(targets)
        if self.prescribed == COSINE:
            return found - targets
        return found - self.cosines(rotation_from_euler_parameters(targets))

    def problems(self) -> list[str]:
        found = super().problems()
        if self.prescribed not in CHOICES:
            found.append(f"prescribed is {self.prescribed!r}; allowed: {', '.join(CHOICES)}")
        if not self.pairs:
            found.append("pairs: none given; at least one (s_i, s_j) is needed")
        for k, pair in enumerate(self.pairs):
            for label, vector in zip(("s_i", "s_j"), pair, strict=True):
                if len(vector) != 3 or abs(np.linalg.norm(vector) - 1) > 1e-9:
                    found.append(f"pairs[{k}].{label} {vector} must have unit length")
        if not 0 <= self.guided <= 3:
            found.append(f"guided is {self.guided}; allowed: 0 (as many as the pairs can), 1, 2, 3")
        return found


def two_rows_per_freedom(axes: tuple[Vector3, ...]) -> tuple[tuple[Vector3, Vector3], ...]:
    """The pairs of paper 000, section 4.1: s_i across each axis, against itself and its perpendicular.

    One axis (revolute): 2 rows; two axes (universal, the first in the parent, the second in the child): 4
    rows; none (spherical): each axis of the child's frame against the same one of the parent's, and the next.
    """
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    if not axes:
        return ((x, x), (x, y), (y, y), (y, z), (z, z), (z, x))
    pairs: list[tuple[Vector3, Vector3]] = []
    if len(axes) == 1:
        across, other = _perpendiculars(axes[0])
        return ((across, across), (across, other))
    first, second = axes
    # The parent's axis is seen by the child turning about its own, the child's axis by the parent.
    pairs += [(vector, first) for vector in _perpendiculars(second)]
    pairs += [(second, vector) for vector in _perpendiculars(first)]
    return tuple(pairs)


def _perpendiculars(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Two unit vectors orthogonal to an axis and to each other."""
    a, b = ([float(value) for value in ca.vertsplit(vector)] for vector in perpendiculars(axis))
    return (a[0], a[1], a[2]), (b[0], b[1], b[2])
