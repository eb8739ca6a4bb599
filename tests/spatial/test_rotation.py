"""Rotations from axes, angles, sequences and Euler parameters."""

from __future__ import annotations

from itertools import permutations
from math import pi

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from condyle.spatial import (
    Placement,
    cross,
    euler_parameters_from_rotation,
    euler_parameters_rate_matrix,
    rotation_about,
    rotation_from_euler_parameters,
    rotation_sequence,
    sequence_from_rotation,
    skew,
    vee,
)

angles = st.floats(-10, 10)
seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=50, deadline=None)


def number(expression: ca.SX) -> np.ndarray:
    return np.array(ca.DM(ca.evalf(expression)).full())


@quick
@given(seed=seeds, angle=angles)
def test_rotation_about_an_axis(seed, angle):
    """Equals SciPy's rotation vector, right-handed."""
    axis = np.random.default_rng(seed).normal(size=3)
    axis /= np.linalg.norm(axis)
    expected = Rotation.from_rotvec(angle * axis).as_matrix()
    assert np.abs(number(rotation_about(tuple(axis), angle)) - expected).max() < 1e-14


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3)], ids=str)
def test_rotation_about_a_coordinate_axis_is_sparse(axis):
    """The coordinate axes and their opposites give five entries, and the same matrix."""
    R = rotation_about(tuple(axis), 0.7)
    assert R.nnz() == 5
    assert np.abs(number(R) - Rotation.from_rotvec(0.7 * axis).as_matrix()).max() < 3e-16


@pytest.mark.parametrize("sequence", ["xyz", "zyx", "zxz", "yxy", "xzy"])
@quick
@given(first=angles, middle=angles, last=angles)
def test_sequences_are_body_fixed(sequence, first, middle, last):
    """R = R1 R2 R3: SciPy's intrinsic sequence (upper case)."""
    expected = Rotation.from_euler(sequence.upper(), [first, middle, last]).as_matrix()
    assert np.abs(number(rotation_sequence(sequence, (first, middle, last))) - expected).max() < 1e-14


@pytest.mark.parametrize("sequence", ["".join(letters) for letters in permutations("xyz")])
@quick
@given(first=st.floats(-3, 3), middle=st.floats(-1.5, 1.5), last=st.floats(-3, 3))
def test_angles_of_a_matrix(sequence, first, middle, last):
    """sequence_from_rotation inverts rotation_sequence away from the singular middle angle."""
    found = sequence_from_rotation(number(rotation_sequence(sequence, (first, middle, last))), sequence)
    assert np.abs(np.array(found) - [first, middle, last]).max() < 1e-12


@pytest.mark.parametrize("middle", [pi / 2, -pi / 2])
@pytest.mark.parametrize("sequence", ["".join(letters) for letters in permutations("xyz")])
def test_angles_of_a_singular_matrix(sequence, middle):
    """At the singular middle angle the angles differ, the rotation does not."""
    R = number(rotation_sequence(sequence, (0.4, middle, -0.9)))
    found = sequence_from_rotation(R, sequence)
    assert found[2] == 0.0
    assert np.abs(number(rotation_sequence(sequence, found)) - R).max() < 1e-15


def test_two_axes_have_no_unique_angles():
    """A sequence that repeats an axis is refused with a sentence."""
    with pytest.raises(ValueError, match="three different axes"):
        sequence_from_rotation(np.eye(3), "zxz")


@quick
@given(seed=seeds)
def test_euler_parameters_and_matrices(seed):
    """Scalar first, Hamilton product; any nonzero length gives an orthogonal matrix."""
    e = np.random.default_rng(seed).normal(size=4)
    e /= np.linalg.norm(e)
    R = number(rotation_from_euler_parameters(ca.SX(3 * e)))
    assert np.abs(R - Rotation.from_quat(e[[1, 2, 3, 0]]).as_matrix()).max() < 1e-14
    assert np.abs(R.T @ R - np.eye(3)).max() < 1e-14
    back = euler_parameters_from_rotation(R)
    assert back[0] >= 0
    assert np.abs(back - np.sign(e[0]) * e).max() < 1e-14


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (-1, 2, 0)], ids=str)
def test_half_turns_keep_their_digits(axis):
    """Near 180 degrees, where e0 vanishes, the parameters keep all digits."""
    direction = np.array(axis) / np.linalg.norm(axis)
    for angle in (pi, pi - 1e-9):
        e = euler_parameters_from_rotation(Rotation.from_rotvec(angle * direction).as_matrix())
        expected = np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * direction])
        assert min(np.abs(e - expected).max(), np.abs(e + expected).max()) < 1e-15


@quick
@given(seed=seeds)
def test_euler_parameter_rates(seed):
    """edot = N omega turns R at skew(omega) R, omega in parent axes."""
    rng = np.random.default_rng(seed)
    e, omega = ca.SX.sym("e", 4), rng.normal(size=3)
    values = rng.normal(size=4)
    values /= np.linalg.norm(values)
    R = rotation_from_euler_parameters(e)
    Rdot = ca.reshape(ca.jtimes(ca.vec(R), e, ca.mtimes(euler_parameters_rate_matrix(e), omega)), 3, 3)
    at = ca.Function("at", [e], [R, Rdot])
    R_value, Rdot_value = (np.array(value.full()) for value in at(values))
    assert np.abs(Rdot_value - number(skew(ca.SX(omega))) @ R_value).max() < 1e-14


def test_placement_entries_are_clean():
    """Right angles leave exact zeros and ones, so that no later instruction multiplies by 6e-17."""
    X = Placement((0.1, 0.0, 0.0), (0.0, pi / 2, 0.0)).transform()
    assert X.R.nnz() == 3
    assert X.p.nnz() == 1
    assert set(np.abs(number(X.R)).ravel()) == {0.0, 1.0}


@quick
@given(seed=seeds)
def test_placement_from_a_matrix(seed):
    """Placement.from_matrix gives the rotation back."""
    R = Rotation.random(random_state=seed % 2**31).as_matrix()
    X = Placement.from_matrix(R, (0.1, -0.2, 0.3)).transform()
    assert np.abs(number(X.R) - R).max() < 1e-14
    assert number(X.p)[:, 0] == pytest.approx([0.1, -0.2, 0.3], abs=0)


def test_cross_product_and_its_matrix():
    """skew(a) b = a x b, vee undoes skew, and structural zeros stay."""
    a, b = np.array([1.0, -2.0, 3.0]), np.array([0.5, 4.0, -1.0])
    assert number(cross(ca.SX(a), ca.SX(b)))[:, 0] == pytest.approx(np.cross(a, b), abs=0)
    assert number(vee(skew(ca.SX(a))))[:, 0] == pytest.approx(a, abs=0)
    z = ca.sparsify(ca.SX([0.0, 0.0, 1.0]))
    assert ca.mtimes(skew(z), ca.SX.sym("v", 3)).nnz() == 2
