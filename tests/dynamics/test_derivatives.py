"""Derivatives of inverse and forward dynamics against central differences of sixth order."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given

from condyle import Mechanism
from condyle.model.parameters import leaves

from ..joints.evaluate import slope
from .mechanisms import CHAINS, TREES, Choice, Numbers, few, seeds

# A difference quotient over 2e-3 loses three digits to round-off and, near a spline's knots or a singular
# pose, some to the seventh derivative.
BOUND = 1e-8


@cache
def _promoted(choice: Choice) -> Numbers:
    """With a mass, a coordinate of a mass centre and up to two numbers of joints as parameters."""
    plain = choice.numbers
    body = next(body.name for body in reversed(plain.model.bodies) if body.mass)
    known = list(leaves(plain.model))
    joint = plain.model.joints[-1].name
    own = [path for path in known if path.startswith(f"{joint}.") and "_frame" not in path]
    framed = [path for path in known if path.startswith(f"{joint}.parent_frame.")]
    chosen = [f"{body}.mass", f"{body}.center_of_mass[1]", *own[:1], *framed[1:2]]
    return Numbers(plain.model, plain.sample, chosen, plain.loads)


@pytest.mark.parametrize("choice", CHAINS + TREES[:8], ids=str)
@pytest.mark.parametrize(("name", "third"), [("inverse_dynamics", "udot"), ("forward_dynamics", "tau")])
@few
@given(seed=seeds)
def test_derivatives_are_slopes(choice, name, third, seed):
    """With respect to q, u, udot or tau, and promoted parameters, along random directions."""
    numbers = _promoted(choice)
    rng = np.random.default_rng(seed)
    state = numbers.state(rng)
    found = numbers(f"{name}_derivatives", state)
    for key, field in (("dq", "q"), ("du", "u"), ("dthird", third), ("dparameters", "parameters")):
        value = getattr(state, field)
        direction = rng.uniform(-1, 1, value.size) * (0.1 if field in ("q", "parameters") else 1.0)
        matrix = found[key].reshape(numbers.nu, value.size)

        def along(x: np.ndarray, field: str = field) -> np.ndarray:
            return numbers.one(name, replace(state, **{field: x}))

        expected = slope(along, value, direction)
        size = np.abs(matrix).max(initial=0) + np.abs(along(value)).max(initial=0)
        difference = np.abs(matrix @ direction - expected).max(initial=0)
        assert difference <= BOUND * size * (numbers.condition(state) if third == "tau" else 1.0), key


def test_public_derivatives_have_their_names_and_shapes():
    """Mechanism returns them by name, with batch axes, one-column matrices included."""
    numbers = _promoted(CHAINS[1])
    mechanism = Mechanism(numbers.model, numbers.mechanism.parameters)
    rng = np.random.default_rng(0)
    states = [numbers.state(rng) for _ in range(3)]
    q, u, tau = (np.array([getattr(s, name) for s in states]) for name in ("q", "u", "tau"))
    found = mechanism.forward_dynamics_derivatives(q, u, tau)
    assert set(found) == {"q", "u", "tau", "parameters"}
    for k, state in enumerate(states):
        single = mechanism.forward_dynamics_derivatives(state.q, state.u, state.tau)
        quiet = replace(state, wrenches=np.zeros_like(state.wrenches))
        expected = numbers("forward_dynamics_derivatives", quiet)
        for name, key in (("q", "dq"), ("u", "du"), ("tau", "dthird"), ("parameters", "dparameters")):
            assert np.array_equal(found[name][k], single[name])
            assert np.abs(single[name] - expected[key]).max() <= 1e-12 * np.abs(expected[key]).max()
