"""Identities between forward dynamics, inverse dynamics, mass matrix, bias and kinetic energy, over every
mechanism.

Bounds: a number of round-offs (`mechanisms.ROUNDINGS`) of the largest term, times the condition number of the
scaled mass matrix wherever accelerations come from loads.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given

from .mechanisms import EPS, ROUNDINGS, close, draw, few, over_all, seeds


def _free(numbers) -> list[int]:
    return [k for k in range(numbers.nu) if k not in numbers.mechanism.tree.locked_speeds]


def _sizes(numbers, state) -> tuple[float, float]:
    """(largest load that enters sums at this state, largest acceleration that such loads can cause)."""
    M, bias = numbers.mass_matrix(state), numbers.one("bias", state)
    loads = float(np.abs(bias).max(initial=0) + np.abs(state.tau).max(initial=0))
    lightest = float(np.diag(M)[_free(numbers)].min(initial=np.inf))
    return loads, loads / lightest


@over_all
@few
@given(seed=seeds)
def test_inverse_dynamics_undoes_forward_dynamics(choice, seed):
    """ID(FD(tau)) = tau."""
    numbers, state = draw(choice, seed)
    free = _free(numbers)
    udot = numbers.one("forward_dynamics", state)
    tau = numbers.one("inverse_dynamics", replace(state, udot=udot))
    loads, _ = _sizes(numbers, state)
    inertial = np.abs(numbers.mass_matrix(state)).max(initial=0) * np.abs(udot).max(initial=0)
    bound = ROUNDINGS * EPS * (loads + inertial)
    assert np.abs(tau - state.tau)[free].max(initial=0) <= bound


@over_all
@few
@given(seed=seeds)
def test_forward_dynamics_undoes_inverse_dynamics(choice, seed):
    """FD(ID(udot)) = udot."""
    numbers, state = draw(choice, seed)
    tau = numbers.one("inverse_dynamics", state)
    udot = numbers.one("forward_dynamics", replace(state, tau=tau))
    _, accelerations = _sizes(numbers, replace(state, tau=tau))
    bound = ROUNDINGS * EPS * numbers.condition(state) * (accelerations + np.abs(state.udot).max(initial=0))
    assert np.abs(udot - state.udot).max(initial=0) <= bound


@over_all
@few
@given(seed=seeds)
def test_mass_matrix_and_bias_make_inverse_dynamics(choice, seed):
    """M udot + bias = ID(udot)."""
    numbers, state = draw(choice, seed)
    M, bias = numbers.mass_matrix(state), numbers.one("bias", state)
    tau = numbers.one("inverse_dynamics", state)
    assert close(M @ state.udot + bias, tau, np.abs(M) @ np.abs(state.udot), bias)


@over_all
@few
@given(seed=seeds)
def test_kinetic_energy_is_half_u_M_u(choice, seed):
    """1/2 u'Mu = T; M is symmetric to the last bit and positive definite on the free speeds."""
    numbers, state = draw(choice, seed)
    M, u, free = numbers.mass_matrix(state), state.u, _free(numbers)
    assert np.array_equal(M, M.T)
    assert np.linalg.eigvalsh(M[np.ix_(free, free)]).min(initial=1.0) > 0
    T = numbers.one("kinetic_energy", state)
    assert close(np.array([0.5 * u @ M @ u]), T, np.abs(u) @ np.abs(M) @ np.abs(u))
