"""Successive body-fixed rotations [mobilizers, eq. 18 and 20], shared by several joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from condyle.spatial import AXES, Transform, rotation_about, unit


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
