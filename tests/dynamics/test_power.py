"""Work, momentum and virtual work: what loads do to a mechanism."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from .mechanisms import FLOATING, close, draw, few, over_all, seeds


def _wrenches(numbers, state) -> list[tuple[str, np.ndarray]]:
    return [(body, state.wrenches[6 * k : 6 * k + 6]) for k, body in enumerate(numbers.loads)]


def _jacobian(numbers, state, body: str) -> np.ndarray:
    at_origin = replace(state, point=np.zeros(3))
    return numbers.one(f"jacobian:{body}", at_origin).reshape(6, numbers.nu)


@over_all
@few
@given(seed=seeds)
def test_energy_grows_by_the_power_of_all_loads(choice, seed):
    """DE/dt = u'tau + sum w'moment + v'force, for any udot with the tau that produces it."""
    numbers, state = draw(choice, seed)
    tau = numbers.one("inverse_dynamics", state)
    growth = (
        numbers.rate("kinetic_energy", state)["kinetic"]
        + numbers.rate("potential_energy", state)["potential"]
    )
    external = [
        wrench @ (_jacobian(numbers, state, body) @ state.u) for body, wrench in _wrenches(numbers, state)
    ]
    terms = [np.abs(state.u) @ np.abs(tau), *map(abs, external)]
    M, bias = numbers.mass_matrix(state), numbers.one("bias", state)
    terms += [np.abs(state.u) @ (np.abs(M) @ np.abs(state.udot) + np.abs(bias))]
    terms += [np.abs(state.u).max() * sum(b.mass for b in numbers.model.bodies) * 10] if numbers.nu else []
    assert close(growth, np.array([state.u @ tau + sum(external)]), *terms)


@over_all
@few
@given(seed=seeds)
def test_external_wrenches_act_through_the_jacobian(choice, seed):
    """Bias with wrenches = bias without - sum J' (moment about the body's origin, force)."""
    numbers, state = draw(choice, seed)
    loaded = numbers.one("bias", state)
    free = numbers.one("bias", replace(state, wrenches=np.zeros_like(state.wrenches)))
    pulls = [_jacobian(numbers, state, body).T @ wrench for body, wrench in _wrenches(numbers, state)]
    assert close(loaded, free - sum(pulls), free, *pulls, np.abs(state.wrenches).max())


@pytest.mark.parametrize("choice", FLOATING, ids=str)
@few
@given(seed=seeds)
def test_momentum_of_floating_trees_changes_by_external_loads_alone(choice, seed):
    """Without gravity and without tau at the free root: rate of momentum about ground's origin = total wrench
    there.
    """
    numbers, state = draw(choice, seed)
    tau = state.tau.copy()
    tau[:6] = 0.0
    state = replace(state, tau=tau)
    moving = replace(state, udot=numbers.one("forward_dynamics", state))
    places = numbers("body_poses", state)["positions"].reshape(-1, 3)
    total, largest = np.zeros(6), 0.0
    for body, wrench in _wrenches(numbers, state):
        place = places[[b.name for b in numbers.model.bodies].index(body)]
        total += np.concatenate([wrench[:3] + np.cross(place, wrench[3:]), wrench[3:]])
    M, bias = numbers.mass_matrix(state), numbers.one("bias", state)
    largest = (np.abs(M) @ np.abs(moving.udot)).max() + np.abs(bias).max()
    reach = 1 + np.abs(places).max()
    bound = largest * reach * numbers.condition(state)
    assert close(numbers.rate("momentum", moving)["momentum"], total, bound)
