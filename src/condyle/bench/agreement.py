"""Outputs are compared before anything is timed."""

from __future__ import annotations

import numpy as np

from condyle.bench.row import Disagreement

TOLERANCE = 1e-9


def agreement(what: str, ours: np.ndarray, theirs: np.ndarray, tolerance: float = TOLERANCE) -> float:
    """Largest difference relative to the largest entry of the peer's output; an error above the tolerance."""
    if ours.shape != theirs.shape:
        raise Disagreement(f"{what}: outputs have shapes {ours.shape} and {theirs.shape}")
    difference = float(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))
    if not difference <= tolerance:  # NaN does not agree with anything
        raise Disagreement(
            f"{what}: outputs differ by {difference:.1e} of the largest entry; allowed: {tolerance:g}"
        )
    return difference
