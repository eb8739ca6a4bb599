"""What constraints between two bodies look at: the vector between two points, directions, cosines."""

from __future__ import annotations

from math import cos, isclose, pi
from typing import Any

import casadi as ca

from condyle.constraints.base import Configuration
from condyle.spatial import constant, unit
from condyle.spatial.checks import finite_problems, is_symbolic

Vector3 = tuple[float, float, float]


def link_vector(configuration: Configuration, bodies: tuple[str, str], points: tuple[Any, Any]) -> ca.SX:
    """d [m] from the point of the first body to that of the second, in axes of the first."""
    X_AB = configuration.relative_pose(*bodies)
    return X_AB.point(constant(points[1])) - constant(points[0])


def direction(configuration: Configuration, bodies: tuple[str, str], axis: Any) -> ca.SX:
    """A unit vector of the second body in axes of the first."""
    return ca.mtimes(configuration.relative_pose(*bodies).R, unit(axis))


def cosine(angle: Any) -> ca.SX:
    """cos(angle); exactly 0 at a right angle, so that nothing is subtracted."""
    if is_symbolic(angle):
        return ca.cos(angle)
    return ca.SX(1, 1) if isclose(angle, pi / 2, rel_tol=1e-15) else ca.SX(cos(angle))


def angle_problems(label: str, angle: Any) -> list[str]:
    """Two directions at an angle of 0 or 180 degrees: the gradient of their scalar product vanishes."""
    found = finite_problems(label, angle)
    if found or is_symbolic(angle) or 1e-6 < angle < pi - 1e-6:
        return found
    return [
        f"{label} must lie between 0 and pi rad, both excluded, found {angle}: parallel axes make the "
        "gradient of their scalar product zero; use a revolute to keep two axes parallel"
    ]
