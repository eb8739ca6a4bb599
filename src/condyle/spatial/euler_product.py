"""Products of Euler parameters: composition of rotations, R(a b) = R(a) R(b) [000-18]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca


def euler_product(a: ca.SX, b: ca.SX) -> ca.SX:
    """a b (Hamilton), 4 each: p_AC = p_AB p_BC."""
    return ca.vertcat(
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def euler_conjugate(a: ca.SX) -> ca.SX:
    """Of the inverse rotation: (e0, -e)."""
    return ca.vertcat(a[0], -a[1], -a[2], -a[3])


def relative_euler_parameters(p_j: ca.SX, p_i: ca.SX) -> ca.SX:
    """p_ij = conj(p_j) p_i = L*_j p_i [000-18]: body i as seen from body j."""
    return euler_product(euler_conjugate(p_j), p_i)


def euler_parameters_of_sequence(sequence: str, angles: Sequence[Any]) -> ca.SX:
    """Of R = R1 R2 R3, body-fixed, from half the angles [rad]."""
    total = None
    for axis, angle in zip(sequence, angles, strict=True):
        half = 0.5 * ca.SX(angle)
        one = ca.SX(4, 1)
        one[0], one[1 + "xyz".index(axis)] = ca.cos(half), ca.sin(half)
        total = one if total is None else euler_product(total, one)
    assert total is not None
    return total
