"""Successive body-fixed rotations [eq. 18, 20, 28], shared by several joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from condyle.spatial import AXES, Transform, cross, rotation_about, unit


def angle_names(sequence: str) -> tuple[str, ...]:
    """One name per angle: the axis, numbered where the sequence uses one axis twice."""
    if len(set(sequence)) == len(sequence):
        return tuple(sequence)
    return tuple(f"{axis}{position}" for position, axis in enumerate(sequence, start=1))


def sequence_axes(sequence: str) -> tuple[tuple[float, float, float], ...]:
    """The unit vectors that a sequence such as "xyz" names."""
    return tuple(AXES[axis] for axis in sequence)


def body_fixed(axes: Sequence[Sequence[Any]], angles: Sequence[ca.SX]) -> tuple[ca.SX, list[ca.SX]]:
    """R = R1(angle 1) R2(angle 2) ... [eq. 18] and the columns of W = [a1 | R1 a2 | R1 R2 a3] [eq. 20]."""
    R = Transform.identity().R
    columns = []
    for axis, angle in zip(axes, angles, strict=True):
        columns.append(ca.sparsify(ca.mtimes(R, unit(axis))))
        # A rotation that never turns would still cost its products.
        if not angle.is_zero():
            R = ca.mtimes(R, rotation_about(axis, angle))
    return R, columns


def coupling(columns: Sequence[ca.SX], rates: Sequence[ca.SX]) -> ca.SX:
    """Wdot theta_dot [eq. 28]: each rotation's angular velocity is turned by those before it."""
    bias, angular_velocity = ca.SX(3, 1), ca.SX(3, 1)
    for column, rate in zip(columns, rates, strict=True):
        step = ca.sparsify(column * rate)
        bias = bias + cross(angular_velocity, step)
        angular_velocity = angular_velocity + step
    return ca.sparsify(bias)
