"""Euler parameters e = (e0, e1, e2, e3), scalar first, unit, Hamilton product."""

from __future__ import annotations

import casadi as ca
import numpy as np

from condyle.spatial.vectors import skew


def rotation_from_euler_parameters(e: ca.SX) -> ca.SX:
    """R_PB(e); uses e/|e| through a division by e'e, so that R is orthogonal for any nonzero e."""
    scale = 2 / ca.dot(e, e)
    e0, e1, e2, e3 = e[0], e[1], e[2], e[3]
    s1, s2, s3 = scale * e1, scale * e2, scale * e3
    w1, w2, w3 = e0 * s1, e0 * s2, e0 * s3
    x1, x2, x3 = e1 * s1, e1 * s2, e1 * s3
    y2, y3, z3 = e2 * s2, e2 * s3, e3 * s3
    return ca.vertcat(
        ca.horzcat(1 - (y2 + z3), x2 - w3, x3 + w2),
        ca.horzcat(x2 + w3, 1 - (x1 + z3), y3 - w1),
        ca.horzcat(x3 - w2, y3 + w1, 1 - (x1 + y2)),
    )


def euler_parameters_rate_matrix(e: ca.SX) -> ca.SX:
    """N (4 x 3) with edot = N omega, omega of B in P in P axes: N = 1/2 [-ev'; e0 I - ~ev]."""
    vector = e[1:4]
    return 0.5 * ca.vertcat(-vector.T, e[0] * ca.SX.eye(3) - skew(vector))


def euler_parameters_from_rotation(rotation: np.ndarray) -> np.ndarray:
    """Unit Euler parameters (..., 4) of rotation matrices (..., 3, 3), e0 >= 0.

    Each by its largest component, so that nothing is lost near half turns.
    """
    r = np.asarray(rotation, dtype=float)
    x, y, z = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
    squares = np.stack([1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z], axis=-1)
    products = np.zeros((*r.shape[:-2], 4, 4))
    pairs = {
        (0, 1): r[..., 2, 1] - r[..., 1, 2],
        (0, 2): r[..., 0, 2] - r[..., 2, 0],
        (0, 3): r[..., 1, 0] - r[..., 0, 1],
        (1, 2): r[..., 0, 1] + r[..., 1, 0],
        (1, 3): r[..., 0, 2] + r[..., 2, 0],
        (2, 3): r[..., 1, 2] + r[..., 2, 1],
    }
    for (i, j), value in pairs.items():
        products[..., i, j] = products[..., j, i] = value
    for i in range(4):
        products[..., i, i] = squares[..., i]
    largest = np.argmax(squares, axis=-1)[..., None]
    e = np.take_along_axis(products, largest[..., None], axis=-2)[..., 0, :]
    e = e / np.linalg.norm(e, axis=-1, keepdims=True)
    return np.where(e[..., :1] < 0, -e, e)
