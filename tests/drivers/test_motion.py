"""Targets over time: exact derivatives, continuous signs, holes and wrong data."""

import casadi as ca
import numpy as np
import pytest

from condyle.drivers import Motion
from condyle.errors import InputError
from condyle.functions import Fourier, Polynomial
from condyle.spatial.euler import orientation, parameters_from_sequence

TIMES = np.linspace(0.0, 1.0, 101)


def smooth(times=TIMES):
    return Motion.of_expression(lambda t: ca.vertcat(ca.sin(3 * t), 0.4 * ca.cos(5 * t), t * t - 0.2), times)


def test_functions_and_expressions_are_differentiated_exactly():
    """Values, rates and accelerations of functions of time, and of expressions."""
    found = Motion.of_functions((Polynomial((1.0, 2.0, 3.0)), Polynomial((0.0, 0.0, 0.0, 1.0))), TIMES)
    by_hand = Motion.of_expression(
        lambda t: ca.vertcat(*[Polynomial(c)(t) for c in ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0, 1.0))]), TIMES
    )
    for name in ("values", "rates", "accelerations"):
        assert getattr(found, name) == pytest.approx(getattr(by_hand, name), abs=1e-13)
    assert smooth().accelerations[:, 0] == pytest.approx(-9 * np.sin(3 * TIMES), abs=1e-13)
    assert Motion.of_functions(Fourier(2.0, (1,), (0.3,)), TIMES).values.shape == (101, 1)


def test_splines_follow_the_samples():
    """Through the samples exactly; rates and accelerations inside as fine as quintic splines are."""
    exact, found = smooth(), Motion.of_samples(TIMES, smooth().values)
    assert (found.values == exact.values).all()
    inside = slice(10, -10)
    assert found.rates[inside] == pytest.approx(exact.rates[inside], abs=1e-6)
    assert found.accelerations[inside] == pytest.approx(exact.accelerations[inside], abs=1e-3)
    # The rates are those of the values, between the samples too.
    h, at = 1e-5, np.linspace(0.05, 0.95, 37)
    before, here, after = (Motion.of_samples(TIMES, exact.values, at + step) for step in (-h, 0.0, h))
    assert (after.values - before.values) / (2 * h) == pytest.approx(here.rates, abs=1e-8)
    assert (after.rates - before.rates) / (2 * h) == pytest.approx(here.accelerations, abs=1e-6)


def test_orientations_have_continuous_sign_and_unit_length():
    """Signs that flip in the data change nothing; p, its rates and accelerations satisfy p.p = 1."""
    exact = smooth().as_orientation("zxy")
    rng = np.random.default_rng(3)
    flipped = exact.values * np.where(rng.random(len(TIMES)) < 0.5, -1.0, 1.0)[:, None]
    at = np.linspace(0.0, 1.0, 333)
    one, other = (Motion.of_orientations(TIMES, p, at) for p in (exact.values, flipped))
    sign = np.sign(flipped[0] @ exact.values[0])
    for name in ("values", "rates", "accelerations"):
        assert (getattr(one, name) == sign * getattr(other, name)).all()
    p, v, a = one.values, one.rates, one.accelerations
    assert np.abs((p * p).sum(-1) - 1).max() < 1e-15
    assert np.abs((p * v).sum(-1)).max() < 1e-14
    assert np.abs((p * a + v * v).sum(-1)).max() < 1e-12


@pytest.mark.parametrize("sequence", ["zxy", "yxz", "zxz", "xyz"])
def test_angles_become_orientations(sequence):
    """R = R1 R2 R3, with the second derivatives of the product, continuous over whole turns."""
    angles = Motion.of_expression(lambda t: ca.vertcat(9 * t, 0.4 * ca.sin(4 * t), 0.3 * t), TIMES)
    found = angles.as_orientation(sequence)
    expected = orientation(parameters_from_sequence(sequence, angles.values))
    assert orientation(found.values) == pytest.approx(expected, abs=1e-15)
    assert (np.abs(np.diff(found.values, axis=0)).max(axis=-1) < 0.1).all()
    h = 1e-4
    finer = [angles_at(TIMES + step).as_orientation(sequence) for step in (-h, h)]
    sides = [np.sign((side.values * found.values).sum(-1, keepdims=True)) for side in finer]
    slope = (sides[1] * finer[1].values - sides[0] * finer[0].values) / (2 * h)
    assert slope == pytest.approx(found.rates, abs=1e-6)
    curve = (sides[1] * finer[1].rates - sides[0] * finer[0].rates) / (2 * h)
    assert curve == pytest.approx(found.accelerations, abs=1e-5)


def angles_at(times):
    return Motion.of_expression(lambda t: ca.vertcat(9 * t, 0.4 * ca.sin(4 * t), 0.3 * t), times)


def test_one_and_two_angles():
    """A revolute's and a universal's angles are completed by zeros."""
    one = Motion.of_expression(lambda t: 0.7 * t, TIMES).as_orientation("z")
    assert one.values == pytest.approx(
        np.stack([np.cos(0.35 * TIMES), 0 * TIMES, 0 * TIMES, np.sin(0.35 * TIMES)], axis=-1), abs=1e-15
    )
    two = Motion.of_expression(lambda t: ca.vertcat(0.7 * t, t), TIMES).as_orientation("zx")
    assert two.values[-1] == pytest.approx(parameters_from_sequence("zxy", [0.7, 1.0, 0.0]), abs=1e-15)


def test_holes_stay_open_unless_bridged():
    """Missing rows are NaN; a hole shorter than `longest_gap` is bridged by the spline."""
    values = smooth().values
    values[40:45], values[98:] = np.nan, np.nan
    found = Motion.of_samples(TIMES, values)
    assert np.flatnonzero(np.isnan(found.values).any(-1)).tolist() == [*range(40, 45), 98, 99, 100]
    bridged = Motion.of_samples(TIMES, values, longest_gap=0.061)
    assert np.flatnonzero(np.isnan(bridged.values).any(-1)).tolist() == [98, 99, 100]
    assert bridged.values[40:45] == pytest.approx(smooth().values[40:45], abs=1e-7)
    p = smooth().as_orientation("zxy").values
    p[10:12] = np.nan
    assert np.flatnonzero(np.isnan(Motion.of_orientations(TIMES, p).rates).any(-1)).tolist() == [10, 11]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Motion.of_samples([0, 2, 1, 3], np.zeros((4, 1))), "times must increase"),
        (lambda: Motion.of_samples([0, 1, np.inf], np.zeros((3, 1))), "1 times are not finite"),
        (lambda: Motion.of_samples([0, 1], np.zeros((2, 1))), "2 samples; at least 3"),
        (lambda: Motion.of_samples([0, 1, 2], np.zeros((4, 1))), "allowed: \\(frames\\)"),
        (lambda: Motion.of_orientations([0, 1, 2], np.zeros((3, 3))), "allowed: \\(frames, 4\\)"),
        (lambda: Motion.of_orientations([0, 1, 2], np.ones((3, 4))), "length 2; allowed: 1 within"),
        (lambda: Motion.of_orientations([0, 1, 2], np.eye(4)[[0, 0, 1]]), "frames 1 and 2 \\(180 degrees"),
        (lambda: Motion(np.zeros((3, 1)), np.zeros((3, 2)), np.zeros((3, 1))), "one shape"),
        (lambda: smooth().as_orientation("zx"), "one axis per angle"),
    ],
)
def test_wrong_data_are_said(call, words):
    with pytest.raises(InputError, match=words):
        call()
