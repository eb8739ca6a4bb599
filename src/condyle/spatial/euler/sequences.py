"""Body-fixed angles of any of the twelve sequences, as Euler parameters and back."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from condyle.spatial.euler.arrays import (
    apply,
    arc_tangent,
    beside,
    column,
    cosine,
    entries,
    is_symbolic,
    sine,
    square_root,
    vector,
    where,
)
from condyle.spatial.euler.orientation import orientation
from condyle.spatial.euler.relative import product

SEQUENCES = tuple(a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b and b != c)
"""Neighbours differ: six Cardan sequences of three axes, six Euler sequences that end where they start."""


SINGULAR = 1e-9  # half the middle angle from an end of its range, below which the outer angles are one


def parameters_from_sequence(sequence: str, angles: Any) -> Any:
    """p (4) of R = R1(angles[0]) R2(angles[1]) R3(angles[2]), angles (..., 3) [rad]."""
    turns = zip(_checked(sequence), entries(angles), strict=True)
    return reduce(product, [_turn(axis, angle) for axis, angle in turns])


def sequence_from_parameters(sequence: str, p: Any) -> Any:
    """Angles (3) [rad]; the middle one in [-pi/2, pi/2] (Cardan) or [0, pi] (Euler), others in +-pi.

    Where the outer axes are parallel only the sum or difference of the outer angles is determined: the last
    is then zero. As Bernardes and Viollet, PLOS ONE 17 (2022) e0276302: a quarter turn about the middle axis
    turns a Cardan sequence into an Euler one.
    """
    i, j, k = ("xyz".index(axis) for axis in _checked(sequence))
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    e0, *e = entries(p)
    ei, ej, across = e[i], e[j], sign * e[3 - i - j]
    cardan = i != k
    a, b, c, d = (e0 - ej, ei - across, e0 + ej, ei + across) if cardan else (e0, ei, ej, across)
    near, far = square_root(a * a + b * b), square_root(c * c + d * d)
    half_sum, half_difference = arc_tangent(b, a), arc_tangent(d, c)
    first, last = half_sum + half_difference, half_sum - half_difference
    middle = 2 * arc_tangent(far, near)
    flat_sum, flat_difference = far < SINGULAR * (near + far), near < SINGULAR * (near + far)
    first = where(flat_sum, 2 * half_sum, where(flat_difference, 2 * half_difference, first))
    last = where(flat_sum, 0.0, where(flat_difference, 0.0, -sign * last if cardan else last))
    # Sums of two angles: brought back by their sine and cosine, which holds for expressions too.
    outer = [arc_tangent(sine(angle), cosine(angle)) for angle in (first, last)]
    return vector((outer[0], middle - np.pi / 2 if cardan else middle, outer[1]))


def rate_matrix(sequence: str, angles: Any) -> Any:
    """W (3 x 3) with omega = W (rates of the angles), ground axes: columns a1, R1 a2, R1 R2 a3."""
    turns = [_turn(axis, angle) for axis, angle in zip(_checked(sequence), entries(angles), strict=True)]
    axes = [np.eye(3)["xyz".index(axis)] for axis in sequence]
    first = (
        0 * turns[0][1:4] + axes[0]
        if is_symbolic(angles)
        else np.broadcast_to(axes[0], (*np.shape(angles)[:-1], 3))
    )
    second = apply(orientation(turns[0]), axes[1])
    third = apply(orientation(product(turns[0], turns[1])), axes[2])
    return beside(column(first), column(second), column(third))


def regularity(sequence: str, angles: Any) -> Any:
    """det W: cos (Cardan) or sin (Euler) of the middle angle but for sign; zero where the angles fail.

    There the outer axes are parallel, and rates of the angles grow as its inverse.
    """
    middle = entries(angles)[1]
    return cosine(middle) if len(set(_checked(sequence))) == 3 else sine(middle)


def _turn(axis: str, angle: Any) -> Any:
    c, s = cosine(angle / 2), sine(angle / 2)
    return vector((c, *(s if name == axis else 0 * s for name in "xyz")))


def _checked(sequence: str) -> str:
    if sequence not in SEQUENCES:
        raise ValueError(f"sequence {sequence!r} is none of {', '.join(SEQUENCES)}")
    return sequence
