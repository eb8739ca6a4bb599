"""What holds for every joint, reversed or not."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .cases import EVERY, Case
from .evaluate import close, evaluated, slope

every_joint = pytest.mark.parametrize("case", EVERY, ids=str)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=12, deadline=None)

ROUND_OFF = 1e-12
DIFFERENCES = 1e-9


def draw(case: Case, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A regular pose and speeds of order 1."""
    rng = np.random.default_rng(seed)
    return case.sample(rng), rng.uniform(-2, 2, len(case.joint.speed_names))


@every_joint
def test_description_is_sound(case):
    """No case has a problem, and names, defaults and sizes fit together."""
    joint = case.joint
    assert joint.problems() == []
    assert len(joint.coordinate_defaults) == len(joint.coordinate_names)
    assert joint.speed_names == joint.coordinate_names or joint.rate_matrix is not None
    assert len(set(joint.coordinate_names)) == len(joint.coordinate_names)


@every_joint
@few
@given(seed=seeds)
def test_rotation_is_orthogonal(case, seed):
    """R'R = 1 and det R = 1."""
    q, _ = draw(case, seed)
    R = evaluated(case.joint).R(q)
    assert close(R.T @ R, np.eye(3), 1e-14)
    assert np.linalg.det(R) > 0


@every_joint
@few
@given(seed=seeds)
def test_hinge_is_the_pose_differentiated(case, seed):
    """H as given equals the twist of dX/dq times N by automatic differentiation."""
    q, _ = draw(case, seed)
    joint = evaluated(case.joint)
    assert close(joint.H(q), joint.H_derived(q), ROUND_OFF)


@every_joint
@few
@given(seed=seeds)
def test_velocity_is_the_slope_of_the_pose(case, seed):
    """Along qdot = N u, Rdot R' = skew(omega) and pdot = nu with (omega, nu) = H u, by finite differences."""
    q, u = draw(case, seed)
    joint = evaluated(case.joint)
    rates = joint.N(q) @ u
    V = joint.H(q) @ u
    Rdot = slope(joint.R, q, rates)
    turning = Rdot @ joint.R(q).T
    omega = np.array([turning[2, 1], turning[0, 2], turning[1, 0]])
    assert close(turning, -turning.T, DIFFERENCES)
    assert close(np.concatenate([omega, slope(joint.p, q, rates)]), V, DIFFERENCES)


@every_joint
@few
@given(seed=seeds)
def test_bias_is_the_slope_of_the_velocity(case, seed):
    """Hdot u equals the derivative of H(q) u along the motion, by both kinds of differentiation."""
    q, u = draw(case, seed)
    joint = evaluated(case.joint)
    bias = joint.bias(q, u)
    scale = ROUND_OFF * (1 + np.abs(joint.N(q) @ u).max(initial=0)) ** 2
    assert close(bias, joint.bias_derived(q, u), scale)
    assert close(slope(lambda at: joint.H(at) @ u, q, joint.N(q) @ u), bias, DIFFERENCES)


@every_joint
@few
@given(seed=seeds)
def test_rate_matrix_along_the_motion(case, seed):
    """Ndot u equals the derivative of N(q) u along the motion; Euler parameters keep their length."""
    q, u = draw(case, seed)
    joint = evaluated(case.joint)
    rates = joint.N(q) @ u
    assert joint.N(q).shape == (joint.nq, joint.nu)
    second = joint.rate_bias(q, u)
    assert close(slope(lambda at: joint.N(at) @ u, q, rates), second, DIFFERENCES)
    for start in case.joint.unit_groups:
        group = slice(start, start + 4)
        assert abs(q[group] @ rates[group]) < 1e-14
        # |e| = 1 along the motion: e . e'' = -|e'|^2
        assert abs(q[group] @ second[group] + rates[group] @ rates[group]) < 1e-13


@every_joint
@few
@given(seed=seeds)
def test_samples_are_regular(case, seed):
    """Draws stay away from singular poses, so that round-off bounds mean something."""
    q, _ = draw(case, seed)
    joint = evaluated(case.joint)
    if joint.nu:
        assert np.linalg.svd(joint.H(q), compute_uv=False)[-1] > 0.02
        assert np.abs(joint.N(q)).max() < 10


@every_joint
def test_joints_are_values(case):
    """Joints compare, hash, copy and pickle as what they say."""
    for twin in (copy.copy(case.joint), copy.deepcopy(case.joint), pickle.loads(pickle.dumps(case.joint))):
        assert twin == case.joint
        assert hash(twin) == hash(case.joint)
