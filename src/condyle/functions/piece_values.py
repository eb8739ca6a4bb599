"""Piecewise polynomials evaluated in NumPy: values and exact derivatives at many places."""

from __future__ import annotations

import numpy as np

from condyle.functions.pieces import Pieces


def piece_values(pieces: Pieces, at: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(value, first, second derivative) at `at` (nt); ordinates may be rows (n): then each is (nt, n).

    Outside the knots the end pieces go on.
    """
    knots = np.asarray(pieces.knots, dtype=float)
    piece = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    shared = [np.array([row[order] for row in pieces.shared[:-1]]) for order in range(len(pieces.shared[0]))]
    coefficients = [*(table[piece] for table in shared), np.array(pieces.highest)[piece]]
    h = at - knots[piece]
    h = h.reshape(h.shape + (1,) * (coefficients[0].ndim - 1))
    value, first, second = (np.zeros(coefficients[0].shape) for _ in range(3))
    for coefficient in reversed(coefficients):
        second = second * h + 2.0 * first
        first = first * h + value
        value = value * h + coefficient
    return value, first, second
