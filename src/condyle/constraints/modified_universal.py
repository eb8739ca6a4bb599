"""Two axes that do not meet, held by a massless link: the talus between the axes of the ankle complex."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import acos, cos, pi
from typing import Any, final

import casadi as ca
import numpy as np

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.distance import length_problems
from condyle.constraints.link import Vector3, angle_problems, cosine, direction, link_vector
from condyle.spatial import unit
from condyle.spatial.checks import axis_problems, finite_problems, is_symbolic

COPLANAR = 1e-6  # smallest s_a.(s_b x d) / length at which the four equations are taken as independent


@final
@dataclass(frozen=True)
class ModifiedUniversal(Constraint):
    """A massless link of `length` [m] from `point_a` to `point_b`; it turns about the unit vectors `axis_a`
    in `body_a` and `axis_b` in `body_b` (each in its body's axes), which keep their `angle` [rad]: four
    equations.

    With d = p_b - p_a: g = (d.d - length^2 [m^2], axis_a.axis_b - cos(angle), axis_a.d - along_a [m],
    axis_b.d - along_b [m]) (paper 004, equations 20 to 25). The same freedoms as two revolutes with a
    massless body between them. The reflection of d through the plane of the axes satisfies the equations as
    well; assembly keeps the side on which it starts. They lose rank where axis_a, axis_b and d are coplanar.
    `at_pose` takes the constants from a pose.
    """

    body_a: str = ""
    body_b: str = ""
    point_a: Vector3 = (0.0, 0.0, 0.0)
    point_b: Vector3 = (0.0, 0.0, 0.0)
    axis_a: Vector3 = (1.0, 0.0, 0.0)
    axis_b: Vector3 = (0.0, 1.0, 0.0)
    length: float = field(default=1.0, metadata={"dimension": "length"})
    angle: float = field(default=pi / 2, metadata={"dimension": "angle"})
    along_a: float = field(default=0.0, metadata={"dimension": "length"})
    along_b: float = field(default=0.0, metadata={"dimension": "length"})

    @staticmethod
    def at_pose(
        name: str,
        bodies: tuple[str, str],
        points: tuple[Vector3, Vector3],
        axes: tuple[Vector3, Vector3],
        pose: tuple[Any, Any] = (np.eye(3), np.zeros(3)),
    ) -> ModifiedUniversal:
        """The joint that a pose satisfies: length, angle and offsets are those at `pose` = (R_AB, p_AB [m])
        of b in a; by default the two body frames coincide.
        """
        R_AB, p_AB = (np.asarray(part, dtype=float) for part in pose)
        d = p_AB + R_AB @ np.asarray(points[1]) - np.asarray(points[0])
        s_a, s_b = np.asarray(axes[0], dtype=float), R_AB @ np.asarray(axes[1], dtype=float)
        length = float(np.sqrt(d @ d))
        angle = acos(min(1.0, max(-1.0, float(s_a @ s_b))))
        along = float(s_a @ d), float(s_b @ d)
        return ModifiedUniversal(name, *bodies, *points, *axes, length, angle, *along)

    @property
    def size(self) -> int:
        return 4

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.body_a, self.body_b)

    def residual(self, configuration: Configuration) -> ca.SX:
        pair = (self.body_a, self.body_b)
        d = link_vector(configuration, pair, (self.point_a, self.point_b))
        s_a, s_b = unit(self.axis_a), direction(configuration, pair, self.axis_b)
        return ca.vertcat(
            ca.dot(d, d) - self.length**2,
            ca.dot(s_a, s_b) - cosine(self.angle),
            ca.dot(s_a, d) - self.along_a,
            ca.dot(s_b, d) - self.along_b,
        )

    def problems(self) -> list[str]:
        found = axis_problems("axis_a", self.axis_a) + axis_problems("axis_b", self.axis_b)
        found += length_problems(self.length, "the classical joint, a universal")
        found += angle_problems("angle", self.angle)
        for label in ("along_a", "along_b"):
            found += finite_problems(label, getattr(self, label))
        numbers = self.length, self.angle, self.along_a, self.along_b
        return found if found or is_symbolic(*numbers) else self._coplanar_problems()

    def _coplanar_problems(self) -> list[str]:
        """From the Gram determinant of (axis_a, axis_b, d / length), the square of their triple product."""
        c, a, b = cos(self.angle), self.along_a / self.length, self.along_b / self.length
        squared = 1 + 2 * c * a * b - c * c - a * a - b * b
        stated = (
            f"length {self.length}, angle {self.angle}, along_a {self.along_a} and along_b {self.along_b}"
        )
        if squared < -(COPLANAR**2):
            return [f"no link has {stated}: its components on the axes are too large for its length"]
        if squared < COPLANAR**2:
            return [
                f"axis_a, axis_b and the link are coplanar ({stated}): the four equations lose rank there; "
                "choose points on the axes whose link leaves the plane of the axes, or a universal"
            ]
        return []
