"""Exchanging parent and child."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condyle.joints import Coordinate, Pin, Reversed, reverse
from condyle.spatial import Placement

from .cases import CASES
from .evaluate import close, evaluated

seeds = st.integers(0, 2**32 - 1)


def test_parent_and_child_change_places():
    """Frames follow their bodies; name, coordinates and speeds stay."""
    hip, shank = Placement((0.0, -0.4, 0.0)), Placement((0.0, 0.2, 0.0))
    pin = Pin("knee", "femur", "tibia", hip, shank, (Coordinate("angle", 0.2, (-2.0, 0.5), True),))
    turned = Reversed(pin)
    assert (turned.name, turned.parent, turned.child) == ("knee", "tibia", "femur")
    assert (turned.parent_frame, turned.child_frame) == (shank, hip)
    assert turned.coordinate_names == pin.coordinate_names
    assert turned.speed_names == pin.speed_names
    assert turned.coordinate(0) == pin.coordinate(0)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_twice_is_once(case):
    """Reversed(Reversed(joint)) is the joint itself."""
    assert Reversed(Reversed(case.joint)) is case.joint
    assert reverse(reverse(case.joint)) is case.joint
    assert Reversed(case.joint) == Reversed(case.joint) != case.joint


@pytest.mark.parametrize("case", CASES, ids=str)
@settings(max_examples=12, deadline=None)
@given(seed=seeds)
def test_pose_is_the_inverse(case, seed):
    """X_BP is the inverse of X_PB at the same coordinates [eq. 15]."""
    q = case.sample(np.random.default_rng(seed))
    forward, backward = evaluated(case.joint), evaluated(Reversed(case.joint))
    assert close(backward.R(q), forward.R(q).T, 1e-15)
    assert close(backward.p(q), -forward.R(q).T @ forward.p(q), 1e-14)


@pytest.mark.parametrize("case", CASES, ids=str)
@settings(max_examples=12, deadline=None)
@given(seed=seeds)
def test_the_same_speeds_mean_the_same_motion(case, seed):
    """Seen from B, P turns at -omega and its origin moves at -(nu - omega x p), in B axes [eq. 16]."""
    rng = np.random.default_rng(seed)
    q, u = case.sample(rng), rng.uniform(-2, 2, len(case.joint.speed_names))
    forward, backward = evaluated(case.joint), evaluated(Reversed(case.joint))
    V, R, p = forward.H(q) @ u, forward.R(q), forward.p(q)
    expected = np.concatenate([-R.T @ V[:3], -R.T @ (V[3:] - np.cross(V[:3], p))])
    assert close(backward.H(q) @ u, expected, 1e-13)
    assert np.array_equal(backward.N(q), forward.N(q))
