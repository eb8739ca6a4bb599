"""Every shipped model: it compiles, moves, and survives being written and read."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle import library

MODELS = {name: getattr(library, name) for name in library.__all__}
#: Coordinates of each, in order.
COORDINATES = {
    "andrews": 1,
    "ankle": 2,
    "bricard": 1,
    "four_bars": 1,
    "governor": 4,
    "human_26": 61,
    "knee": 1,
    "knee_pin": 1,
    "lao": 1,
    "pendulum": 1,
    "reaching": 8,
    "push_up": 8,
}


def test_every_model_has_a_line():
    """The list of tests is the list of models."""
    assert sorted(COORDINATES) == sorted(MODELS)


@pytest.mark.parametrize("name", sorted(name for name in MODELS if not MODELS[name]().loops))
def test_compiles_and_moves(name):
    """At the default pose accelerations are finite, and inverse dynamics undoes forward dynamics."""
    mechanism = cd.compile(MODELS[name]())
    assert len(mechanism.coordinates) == COORDINATES[name]
    q, u = mechanism.default_state()
    u = u + np.linspace(0.5, 1.0, u.size)
    udot = mechanism.forward_dynamics(q, u)
    assert np.isfinite(udot).all()
    # A protein's closing coordinate has an inertia of 1e-40 kg m^2: forces are compared with those that move
    # it.
    largest = np.abs(mechanism.mass_matrix(q)).max() * max(1.0, np.abs(udot).max())
    tau = mechanism.inverse_dynamics(q, u, udot)
    if mechanism.constrained:
        assert np.abs(mechanism.constraint_residual(q)).max() < 1e-14
        tau = tau + mechanism.constraint_jacobian(q).T @ mechanism.constraint_multipliers(q, u)[0]
    assert np.abs(tau).max() <= 1e-13 * largest


@pytest.mark.parametrize("name", sorted(MODELS))
def test_survives_yaml(name):
    """Written and read back it is the same model, to the last bit of every number."""
    model = MODELS[name]()
    assert cd.read_yaml(cd.write_yaml(model)) == model


@pytest.mark.parametrize("name", sorted(MODELS))
def test_made_anew_it_is_equal(name):
    """Asking twice gives equal models: nothing in them depends on the order of asking."""
    assert MODELS[name]() == MODELS[name]()
