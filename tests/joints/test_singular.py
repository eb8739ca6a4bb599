"""Poses where a joint loses a freedom or its rates are unbounded."""

from __future__ import annotations

import numpy as np
import pytest

from .cases import SINGULAR
from .evaluate import evaluated


@pytest.mark.parametrize(
    ("joint", "pose"), SINGULAR, ids=[f"{type(j).__name__}-{j.name}" for j, _ in SINGULAR]
)
def test_listed_poses_are_singular(joint, pose):
    """H lacks rank or is not a number, or N is without bound; the description itself is sound."""
    assert joint.problems() == []
    numbers = evaluated(joint)
    H, N = numbers.H(np.array(pose)), numbers.N(np.array(pose))
    if np.isfinite(H).all() and np.abs(N).max() < 1e12:
        assert np.linalg.svd(H, compute_uv=False)[-1] < 1e-12
