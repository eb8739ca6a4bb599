"""Rotation matrices R_AB (B components to A components) from axes, angles and body-fixed sequences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from condyle.spatial.vectors import constant, skew

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def axis_rotation(axis: str, angle: Any) -> ca.SX:
    """Rotation by `angle` [rad] about the coordinate axis "x", "y" or "z"."""
    c, s = ca.SX(ca.cos(angle)), ca.SX(ca.sin(angle))
    one, zero = ca.SX(1), ca.SX(1, 1)
    rows = {
        "x": ((one, zero, zero), (zero, c, -s), (zero, s, c)),
        "y": ((c, zero, s), (zero, one, zero), (-s, zero, c)),
        "z": ((c, -s, zero), (s, c, zero), (zero, zero, one)),
    }[axis]
    return ca.vertcat(*[ca.horzcat(*row) for row in rows])


def unit(axis: Sequence[Any]) -> ca.SX:
    """A unit vector as given; a promoted (symbolic) one is divided by its length, so that it stays a
    direction.
    """
    direction = constant(tuple(axis))
    if direction.is_constant():
        return direction
    return direction / ca.sqrt(ca.dot(direction, direction))


def perpendiculars(axis: Sequence[Any]) -> tuple[ca.SX, ca.SX]:
    """Two unit vectors that make a right-handed triad with the unit vector `axis` as its third.

    After Duff et al., Building an orthonormal basis, revisited (JCGT 6, 2017): no direction is singular.
    """
    direction = unit(axis)
    x, y, z = ca.SX(direction[0]), ca.SX(direction[1]), ca.SX(direction[2])
    sign = ca.if_else(z >= 0, 1, -1)
    a = -1 / (sign + z)
    b = x * y * a
    first = ca.vertcat(1 + sign * x * x * a, sign * b, -sign * x)
    return ca.sparsify(ca.densify(first)), ca.sparsify(ca.densify(ca.vertcat(b, sign + y * y * a, -y)))


def rotation_about(axis: Sequence[Any], angle: Any) -> ca.SX:
    """Rotation by `angle` [rad] about the unit vector `axis` (a coordinate axis gives the sparse matrix)."""
    entries = tuple(axis)
    if not any(isinstance(entry, ca.SX) for entry in entries):
        for name, coordinate_axis in AXES.items():
            if entries == coordinate_axis:
                return axis_rotation(name, angle)
            if entries == tuple(-component for component in coordinate_axis):
                return axis_rotation(name, -angle)
    across = skew(unit(entries))
    return constant(np.eye(3)) + ca.sin(angle) * across + (1 - ca.cos(angle)) * ca.mtimes(across, across)


def rotation_sequence(sequence: str, angles: Sequence[Any] | ca.SX) -> ca.SX:
    """Body-fixed sequence such as "xyz": R = R1(angles[0]) R2(angles[1]) R3(angles[2])."""
    total = constant(np.eye(3))
    for index, axis in enumerate(sequence):
        total = ca.mtimes(total, axis_rotation(axis, angles[index]))
    return total


def sequence_from_rotation(rotation: np.ndarray, sequence: str = "xyz") -> tuple[float, float, float]:
    """Angles [rad] of a three-different-axes body-fixed sequence; the middle one lies in [-pi/2, pi/2]."""
    i, j, k = ("xyz".index(axis) for axis in sequence)
    if len({i, j, k}) != 3:
        raise ValueError(f"sequence {sequence!r} must name three different axes")
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    middle = math.asin(min(1.0, max(-1.0, sign * float(rotation[i, k]))))
    if abs(rotation[i, k]) < 1.0 - 1e-15:
        first = math.atan2(-sign * rotation[j, k], rotation[k, k])
        last = math.atan2(-sign * rotation[i, j], rotation[i, i])
    else:
        first, last = math.atan2(sign * rotation[k, j], rotation[j, j]), 0.0
    return first, middle, last
