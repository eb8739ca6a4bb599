"""What holds for every mechanism with dependent joint variables, however they depend on others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from condyle import Mechanism

from .cases import BY_DIFFERENCES, DAMPED, EXPLICIT, IMPLICIT, LOOPS, OVER_CONSTRAINED
from .numbers import Numbers, State

CASES = {model.name: model for model in (*EXPLICIT, *IMPLICIT, *LOOPS)}
NAMES = list(CASES)


@cache
def embedded(name: str) -> Numbers:
    return Numbers(Mechanism(CASES[name]))


@cache
def constrained(name: str) -> Numbers:
    with warnings.catch_warnings():
        # Planar loops say some things twice, and that is said.
        warnings.filterwarnings("ignore", message=".*follow from the others")
        return Numbers(Mechanism(CASES[name], loops="multipliers"))


def sample(numbers: Numbers, seed: int) -> State:
    """A state on the manifold of the constraints that stay, near the default pose."""
    mechanism = numbers.mechanism
    generator = np.random.default_rng(seed)
    nu, locked = len(mechanism.speeds), list(mechanism.roles.locked_speeds)
    q, _ = mechanism.default_state()
    movable = np.ones(q.size)
    movable[[mechanism.coordinates.index(mechanism.speeds[k]) for k in locked]] = 0
    size = 0.1 if mechanism.model.loops else 0.4
    q = q + size * movable * generator.standard_normal(q.size)
    for start in mechanism.unit_groups:
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    u, udot, tau = generator.standard_normal((3, nu))
    u[locked] = udot[locked] = 0
    state = State(q, u, udot, tau, solved(mechanism, q), np.zeros(0))
    if mechanism.model.constraints:
        for _ in range(30):
            q = q + numbers.one("constraint_position_step", state)
            state = State(q, u, udot, tau, solved(mechanism, q), state.p)
        u = u + numbers.one("constraint_velocity_step", state)
        state = State(q, u, udot, tau, state.z, state.p)
    return state


def solved(mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
    """The unknown joint variables at q, by steps from the default pose."""
    z, at = mechanism.assembly.unknown, mechanism.assembly.coordinates
    for part in np.linspace(0, 1, 11) if z.size else ():
        z, closed = mechanism.assembly.solver.settle(at + part * (q - at), z)
        assert closed
    return z


def of_tree(numbers: Numbers, state: State) -> State:
    """The same state and forces in all joint variables."""
    roles = numbers.mechanism.roles
    J = numbers.one("coupling_matrix", state)
    J = J.reshape(len(roles.tree.speeds), -1)
    tau = np.zeros(J.shape[0])
    tau[list(roles.independent_speeds)] = state.tau
    udot = J @ state.udot + numbers.one("coupling_bias", state)
    return State(numbers.one("joint_values", state), J @ state.u, udot, tau, np.zeros(0), state.p)


def all_cases(test: Callable[..., None]) -> Callable[..., None]:
    return pytest.mark.parametrize("seed", [0, 1])(pytest.mark.parametrize("name", NAMES)(test))


@all_cases
def test_multipliers_give_the_same(name: str, seed: int) -> None:
    """Accelerations, multipliers of constraints that stay, reactions of every joint."""
    numbers, other = embedded(name), constrained(name)
    state = sample(numbers, seed)
    whole = of_tree(numbers, state)
    mine, theirs = (
        item("forward_dynamics_and_reactions", at) for item, at in ((numbers, state), (other, whole))
    )
    J = numbers.one("coupling_matrix", state).reshape(len(whole.u), -1)
    udot = J @ mine["udot"] + numbers.one("coupling_bias", state)
    scale = 1 + np.abs(udot).max()
    if name in BY_DIFFERENCES:
        # Equal to the square of the step, 1e-6, and no better: these are no exact derivatives.
        assert 1e-9 * scale < np.abs(udot - theirs["udot"]).max() < 1e-6 * scale
        return
    assert np.abs(udot - theirs["udot"]).max() < 1e-11 * scale
    if name not in OVER_CONSTRAINED:
        size = 1 + np.abs(mine["reactions"]).max()
        assert np.abs(mine["reactions"] - theirs["reactions"]).max() < 1e-10 * size
    count = mine["multipliers"].size
    kept = theirs["multipliers"][:count]
    assert np.allclose(mine["multipliers"], kept, rtol=1e-10, atol=1e-10 * scale)


@all_cases
def test_same_motion_of_bodies(name: str, seed: int) -> None:
    """Poses, velocities, accelerations, energies and momenta are those of the tree."""
    numbers, other = embedded(name), constrained(name)
    state = sample(numbers, seed)
    whole = of_tree(numbers, state)
    for quantity in (
        "body_poses",
        "body_velocities",
        "body_accelerations",
        "center_of_mass",
        "kinetic_energy",
        "potential_energy",
        "momentum",
    ):
        mine, theirs = numbers(quantity, state), other(quantity, whole)
        for label in mine:
            assert np.allclose(mine[label], theirs[label], rtol=1e-12, atol=1e-12), (quantity, label)


@all_cases
def test_hessians_of_joint_variables(name: str, seed: int) -> None:
    """Symmetric; quadratic forms that say how all speeds change while the independent ones do not."""
    numbers = embedded(name)
    state = sample(numbers, seed)
    nu = len(state.u)
    H = numbers.one("coupling_hessian", state).reshape(-1, nu, nu)
    bias = numbers.one("coupling_bias", state)
    assert np.allclose(H, H.transpose(0, 2, 1), rtol=1e-12, atol=1e-12 * (1 + np.abs(H).max()))
    found = np.einsum("kab,a,b->k", H, state.u, state.u)
    assert np.allclose(found, bias, rtol=1e-10, atol=1e-11 * (1 + np.abs(bias).max()))


@all_cases
def test_energy_of_mass_matrix(name: str, seed: int) -> None:
    """1/2 u' M u is the kinetic energy; M is symmetric."""
    numbers = embedded(name)
    state = sample(numbers, seed)
    M = numbers.one("mass_matrix", state).reshape(len(state.u), -1)
    assert np.allclose(M, M.T, rtol=1e-13, atol=0)
    energy = numbers.one("kinetic_energy", state)[0]
    assert np.isclose(0.5 * state.u @ M @ state.u, energy, rtol=1e-12)


@all_cases
def test_inverse_of_forward(name: str, seed: int) -> None:
    """M udot + bias = tau(udot), and forward dynamics undoes inverse dynamics."""
    numbers = embedded(name)
    state = sample(numbers, seed)
    mechanism = numbers.mechanism
    M = numbers.one("mass_matrix", state).reshape(len(state.u), -1)
    tau = numbers.one("inverse_dynamics", state)
    assert np.allclose(tau, M @ state.udot + numbers.one("bias", state), rtol=1e-11, atol=1e-11)
    if mechanism.model.constraints:
        return
    again = numbers.one("forward_dynamics", State(state.q, state.u, state.udot, tau, state.z, state.p))
    free = [k for k in range(len(state.u)) if k not in mechanism.roles.locked_speeds]
    assert np.allclose(again[free], state.udot[free], rtol=1e-9, atol=1e-10)


@all_cases
def test_power_is_the_rate_of_energy(name: str, seed: int) -> None:
    """Tau' u = dE/dt, by differences along the motion."""
    numbers = embedded(name)
    state = sample(numbers, seed)
    udot = numbers.one("forward_dynamics", state)
    qdot = numbers.one("coordinate_rates", state)
    energies = []
    for size in (-1e-5, 1e-5):
        q = state.q + size * qdot
        moved = State(q, state.u + size * udot, udot, state.tau, near(numbers, q, state.z), state.p)
        energies.append(numbers.one("kinetic_energy", moved)[0] + numbers.one("potential_energy", moved)[0])
    locked = list(numbers.mechanism.roles.locked_speeds)
    power = state.tau @ np.where(np.isin(np.arange(len(state.u)), locked), 0, state.u)
    rate = (energies[1] - energies[0]) / 2e-5
    if name in DAMPED:
        assert rate < power
    else:
        assert np.isclose(rate, power, rtol=1e-6, atol=1e-5)


def near(numbers: Numbers, q: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The unknown joint variables at q, near z."""
    return numbers.mechanism.assembly.solver.settle(q, z)[0] if z.size else z


@all_cases
@pytest.mark.parametrize("kind", ["forward", "inverse"])
def test_derivatives(name: str, seed: int, kind: str) -> None:
    """Derivatives with respect to q (along motions), u and the third argument, against central
    differences.
    """
    numbers = embedded(name)
    state = sample(numbers, seed)
    found = numbers(f"{kind}_dynamics_derivatives", state)
    nu = len(state.u)
    generator = np.random.default_rng(seed)
    du, dthird, w = generator.standard_normal((3, nu))
    w[list(numbers.mechanism.roles.locked_speeds)] = 0
    dq = numbers.one("coordinate_rates", State(state.q, w, w, w, state.z, state.p))
    values = []
    for size in (-1e-5, 1e-5):
        third = (state.tau if kind == "forward" else state.udot) + size * dthird
        q = state.q + size * dq
        at = State(q, state.u + size * du, third, third, near(numbers, q, state.z), state.p)
        values.append(numbers.one(f"{kind}_dynamics", at))
    differences = (values[1] - values[0]) / 2e-5
    exact = sum(
        found[label].reshape(nu, -1) @ change
        for label, change in (("dq", dq), ("du", du), ("dthird", dthird))
    )
    assert np.abs(differences - exact).max() < 1e-6 * (1 + np.abs(exact).max())
