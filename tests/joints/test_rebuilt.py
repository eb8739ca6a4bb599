"""Joints rebuilt as custom joints, and angular-velocity speeds against angle rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condyle.joints import Ball, Gimbal, Reversed

from .cases import ANGLES, REBUILT
from .evaluate import close, evaluated

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=12, deadline=None)
pairs = pytest.mark.parametrize(
    "pair", REBUILT, ids=lambda pair: f"{type(pair.joint).__name__}-{pair.joint.name}"
)


@pytest.mark.parametrize("turned", [False, True], ids=["", "reversed"])
@pairs
@few
@given(seed=seeds)
def test_custom_joint_moves_alike(pair, turned, seed):
    """Same pose; same velocity and bias for speeds that mean the same motion (custom: u = qdot = N u)."""
    rng = np.random.default_rng(seed)
    given_joint, custom = pair.joint, pair.custom
    assert custom.problems() == []
    assert given_joint.coordinate_names == custom.coordinate_names
    if turned:
        given_joint, custom = Reversed(given_joint), Reversed(custom)
    one, other = evaluated(given_joint), evaluated(custom)
    q, u = pair.sample(rng), rng.uniform(-2, 2, one.nu)
    rates = one.N(q) @ u
    assert close(one.R(q), other.R(q), 1e-14)
    assert close(one.p(q), other.p(q), 1e-14)
    assert close(other.H(q) @ one.N(q), one.H(q), 1e-13)
    # d/dt (H u) of the one = Hdot qdot + H qddot of the other, with qddot = Ndot u when udot = 0.
    expected = other.bias(q, rates) + other.H(q) @ one.rate_bias(q, u)
    scale = 1e-13 * (1 + np.abs(rates).max()) ** 2
    assert close(one.bias(q, u), expected, scale * 10)


@few
@given(seed=seeds)
def test_ball_angles_invert_the_gimbal(seed):
    """N_P maps an angular velocity in P to the angle rates that produce it: W N_P = 1 [eq. 20 and 9]."""
    q = ANGLES(np.random.default_rng(seed))
    W, N = evaluated(Gimbal("g", "p", "b")).H(q)[:3], evaluated(Ball("b", "p", "b", coordinates="xyz")).N(q)
    assert close(W @ N, np.eye(3), 1e-13)


def test_printed_matrix_of_the_paper_is_for_body_axes():
    """Eq. 10 as printed is N_P R: it takes omega in B axes, and differs from N_P by .76 and more."""
    q = np.array([0.5, 0.4, -0.6])
    ball = evaluated(Ball("b", "p", "b", coordinates="xyz"))
    s2, c2, s3, c3 = np.sin(q[1]), np.cos(q[1]), np.sin(q[2]), np.cos(q[2])
    printed = np.array([[c3 / c2, -s3 / c2, 0], [s3, c3, 0], [-s2 * c3 / c2, s2 * s3 / c2, 1]])
    assert close(ball.N(q) @ ball.R(q), printed, 1e-15)
    assert np.abs(ball.N(q) - printed).max() > 0.5


@few
@given(seed=seeds)
def test_euler_parameter_rates_give_the_speeds_back(seed):
    """u = 4 N' edot for unit Euler parameters."""
    rng = np.random.default_rng(seed)
    e = rng.normal(size=4)
    e /= np.linalg.norm(e)
    u = rng.uniform(-2, 2, 3)
    N = evaluated(Ball("b", "p", "b")).N(e)
    assert close(4 * N.T @ (N @ u), u, 1e-14)
