"""Locked coordinates hold, and the rest moves as if the joint were frozen there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from condyle import Body, Model, Placement
from condyle.joints import Coordinate, Pin, Universal, Weld

from .mechanisms import TREES, Numbers, close, draw, few, random_body, seeds

LOCKED = [choice for choice in TREES if choice.numbers.mechanism.tree.locked_speeds]


@pytest.mark.parametrize("choice", LOCKED, ids=str)
@few
@given(seed=seeds)
def test_locked_speeds_hold(choice, seed):
    """Udot is exactly 0 where locked; the free rest obeys its own part of M udot + bias = tau."""
    numbers, state = draw(choice, seed)
    locked = list(numbers.mechanism.tree.locked_speeds)
    free = [k for k in range(numbers.nu) if k not in locked]
    udot = numbers.one("forward_dynamics", state)
    assert np.array_equal(udot[locked], np.zeros(len(locked)))
    M, bias = numbers.mass_matrix(state)[np.ix_(free, free)], numbers.one("bias", state)[free]
    expected = np.linalg.solve(M, state.tau[free] - bias) if free else udot[free]
    loads = np.abs(state.tau).max() + np.abs(bias).max(initial=0)
    lightest = np.diag(M).min(initial=np.inf)
    assert close(udot[free], expected, numbers.condition(state) * loads / lightest)


def test_locked_pin_is_a_weld():
    """A pin locked at .7 rad between two moving joints, against a weld whose frame is turned by .7 rad."""
    rng = np.random.default_rng(4)
    bodies = tuple(random_body(rng, name) for name in ("a", "b", "c"))
    at = Placement((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    ends = Universal("first", "ground", "a"), Universal("last", "b", "c")
    pin = Pin("middle", "a", "b", at, coordinates=(Coordinate("angle", 0.7, locked=True),))
    turned = Weld("middle", "a", "b", at, Placement((0.0, 0.0, 0.0), (0.0, 0.0, -0.7)))
    q, u, tau = rng.uniform(-1, 1, 5), rng.uniform(-2, 2, 5), rng.uniform(-3, 3, 5)
    q[2], u[2] = 0.7, 0.0
    rest = [0, 1, 3, 4]
    locked = Numbers(Model("locked", bodies, (ends[0], pin, ends[1])), lambda r: q)
    welded = Numbers(Model("welded", bodies, (ends[0], turned, ends[1])), lambda r: q[rest])
    state = replace(locked.state(rng), q=q, u=u, tau=tau)
    other = replace(welded.state(rng), q=q[rest], u=u[rest], tau=tau[rest])
    found = locked("forward_dynamics_and_reactions", state)
    expected = welded("forward_dynamics_and_reactions", other)
    assert close(found["udot"][rest], expected["udot"])
    assert close(found["reactions"][0], expected["reactions"][0])
    assert close(found["reactions"][2], expected["reactions"][2])


def test_a_massless_body_may_be_locked():
    """A massless body on a locked pin, with a massive one beyond."""
    pin = Pin("one", "ground", "light", coordinates=(Coordinate("angle", 0.2, locked=True),))
    model = Model("m", (Body("light"), Body("b", 1.0, (0.1, 0.0, 0.0))), (pin, Pin("two", "light", "b")))
    numbers = Numbers(model, lambda rng: np.array([0.2, 0.3]))
    state = replace(numbers.state(np.random.default_rng(0)), u=np.zeros(2), tau=np.array([3.0, 0.0]))
    udot = numbers.one("forward_dynamics", state)
    assert close(udot, np.array([0.0, -9.80665 * np.cos(0.5) / 0.1]))
