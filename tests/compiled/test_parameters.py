"""Promoted parameters: as arrays, as mappings, batched, and what is said when they do not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import condyle as cd

from .models import arm, states

NAMES = ("hand.mass", "wrist.axis[1]", "gravity[1]")


@pytest.fixture(scope="module")
def mechanism() -> cd.Mechanism:
    return cd.compile(arm(), parameters=NAMES)


def test_defaults_are_the_models_values(mechanism):
    """Without parameters the result is that of the plain mechanism."""
    q, u, tau = states(np.random.default_rng(0))
    assert mechanism.parameters == NAMES
    plain = cd.compile(arm()).forward_dynamics(q, u, tau)
    assert np.abs(mechanism.forward_dynamics(q, u, tau) - plain).max() <= 1e-12 * np.abs(plain).max()


def test_values_are_those_of_a_model_described_so(mechanism):
    """A mapping of some; the same as an array; the same as another model."""
    q, u, tau = states(np.random.default_rng(1))
    found = mechanism.forward_dynamics(q, u, tau, parameters={"gravity[1]": -1.6, "hand.mass": 2.5})
    array = mechanism.forward_dynamics(q, u, tau, parameters=[2.5, 0.6, -1.6])
    assert np.array_equal(found, array)
    model = arm()
    bodies = (*model.bodies[:2], replace(model.bodies[2], mass=2.5))
    other = cd.compile(replace(model, bodies=bodies, gravity=(0.0, -1.6, 0.0)))
    expected = other.forward_dynamics(q, u, tau)
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()


def test_parameters_have_batch_axes(mechanism):
    """Against states of other leading axes; a mapping's arrays broadcast."""
    q, u, tau = states(np.random.default_rng(2), 3)
    masses = np.array([[1.0], [2.0]])
    found = mechanism.forward_dynamics(q, u, tau, parameters={"hand.mass": masses})
    assert found.shape == (2, 3, 5)
    for i in range(2):
        for k in range(3):
            single = mechanism.forward_dynamics(q[k], u[k], tau[k], parameters={"hand.mass": masses[i, 0]})
            assert np.array_equal(found[i, k], single)


def test_a_promoted_axis_is_taken_as_a_direction(mechanism):
    """Its length does not matter."""
    q, u, tau = states(np.random.default_rng(3))
    promoted = cd.compile(arm(), parameters=[f"wrist.axis[{k}]" for k in range(3)])
    one = promoted.forward_dynamics(q, u, tau, parameters=[0.0, 0.6, 0.8])
    other = promoted.forward_dynamics(q, u, tau, parameters=[0.0, 1.8, 2.4])
    assert np.abs(one - other).max() <= 1e-12 * np.abs(one).max()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hand.mas": 1.0}, "unknown parameter 'hand.mas'; did you mean 'hand.mass'"),
        ({"hand.mass": "heavy"}, "parameter 'hand.mass': str"),
        ({"hand.mass": np.ones(2), "gravity[1]": np.ones(3)}, "do not broadcast"),
        ([1.0, 2.0], r"parameters: shape \(2,\); allowed: real numbers of shape \(\.\.\., 3\): hand.mass"),
        ([1.0, 2.0, 3.0j], "parameters: list of type complex128"),
        ([[1.0, 2.0], [3.0]], "parameters: rows of unequal length"),
    ],
)
def test_what_does_not_fit_is_named(mechanism, given, message):
    """Argument, finding, what is allowed."""
    q, u, tau = states(np.random.default_rng(4))
    with pytest.raises(cd.errors.InputError, match=message):
        mechanism.forward_dynamics(q, u, tau, parameters=given)


def test_only_promoted_numbers_can_be_given():
    """To a mechanism without parameters; and only existing numbers can be promoted."""
    q, u, tau = states(np.random.default_rng(5))
    mechanism = cd.compile(arm())
    with pytest.raises(cd.errors.InputError, match="none was promoted"):
        mechanism.forward_dynamics(q, u, tau, parameters=[1.0])
    with pytest.raises(cd.errors.InputError, match=r"unknown parameter 'hand\.mass'"):
        mechanism.forward_dynamics(q, u, tau, parameters={"hand.mass": 1.0})
    with pytest.raises(cd.errors.CondyleError, match=r"hand\.mas.*did you mean 'hand.mass'"):
        cd.compile(arm(), parameters=["hand.mas"])
    with pytest.raises(cd.errors.CondyleError, match="named twice"):
        cd.compile(arm(), parameters=["hand.mass", "hand.mass"])
