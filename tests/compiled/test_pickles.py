"""Mechanisms travel to other processes as descriptions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import condyle as cd

from ..dynamics.mechanisms import chain
from ..joints.cases import EVERY
from .models import arm, states, tied


@pytest.mark.parametrize("build", [arm, tied], ids=["arm", "tied"])
def test_pickled_mechanism_gives_the_same(build):
    """With parameters, after kernels were built; the copy builds its own."""
    mechanism = cd.compile(build(), parameters=["hand.mass"])
    q, u, tau = states(np.random.default_rng(0))
    before = mechanism.forward_dynamics(q, u, tau, parameters=[1.5])
    copy = pickle.loads(pickle.dumps(mechanism))
    assert copy.model == mechanism.model and copy.parameters == ("hand.mass",)
    assert np.array_equal(copy.forward_dynamics(q, u, tau, parameters=[1.5]), before)


@pytest.mark.parametrize("index", range(len(EVERY)), ids=lambda i: str(EVERY[i]))
def test_every_joint_survives(index):
    """The copy's description is equal, so its equations are."""
    mechanism = cd.compile(chain(EVERY[index])[0])
    copy = pickle.loads(pickle.dumps(mechanism))
    assert copy.model == mechanism.model
    assert copy.coordinates == mechanism.coordinates and copy.speeds == mechanism.speeds
