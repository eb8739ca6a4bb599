"""What a mechanism can be asked, in rates of Euler parameters as in minimal speeds; with every force."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest

from condyle import Mechanism
from condyle.compiled.quantities import QUANTITIES, quantity
from condyle.compiled.state_status import joint_measures

from ...forces.cases import CASES, numbers

#: Quantities that do not ask how motion is written: equal.
SHARED = (
    "body_poses", "center_of_mass", "joint_values", "body_velocities", "kinetic_energy", "potential_energy",
    "momentum", "joint_rates", "coordinate_rates", "regularity",
)  # fmt: skip
#: Those that belong to the speeds: compared below.
OWN = {
    "forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "body_accelerations", "joint_reactions",
    "forward_dynamics_and_reactions",
}  # fmt: skip


@cache
def evaluated(index: int, names: tuple[str, ...]) -> ca.Function:
    """(q, u, udot, tau) in rates of parameters -> the quantities' outputs, one after another."""
    graph = Mechanism(numbers(index).model, (), "kane").graph()
    outputs = [ca.densify(value) for name in names for value in quantity(name, False).build(graph).values()]
    return ca.Function("kane", [graph.q, graph.u, graph.udot, graph.tau], outputs)


@cache
def speeds(index: int) -> ca.Function:
    """(q, u, udot) -> rates of parameters and their rates; and N+ with u = N+ rates."""
    found = numbers(index)
    g, links = found.graph, found.mechanism.tree.links
    rates = ca.vertcat(*[g.qdot[k.q] if k.joint.unit_groups else g.u[k.u] for k in links])
    second = ca.jtimes(rates, ca.vertcat(g.q, g.u), ca.vertcat(g.qdot, g.udot))
    N = ca.jacobian(rates, g.u)
    inverse = ca.solve(ca.mtimes(N.T, N), N.T)
    return ca.Function("speeds", [g.q, g.u, g.udot], [ca.densify(x) for x in (rates, second, inverse)])


def asked(index: int, names: tuple[str, ...], seed: int):
    """Values in rates of parameters, the minimal numbers and state, and N+."""
    found = numbers(index)
    state = found.state(np.random.default_rng(seed))
    u, udot, inverse = (value.full() for value in speeds(index)(state.q, state.u, state.udot))
    tau = inverse.T @ state.tau  # N+' tau does the same work
    values = evaluated(index, names)(state.q, u, udot, tau)
    values = values if isinstance(values, tuple) else (values,)
    return [value.full() for value in values], found, state, inverse


def test_quantities_that_speeds_do_not_concern():
    values, found, state, _ = asked(0, SHARED, 1)
    expected = [(name, value) for name in SHARED for value in found(name, state).values()]
    assert len(values) == len(expected)
    for value, (name, other) in zip(values, expected, strict=True):
        assert np.allclose(value.reshape(np.shape(other)), other, rtol=1e-11, atol=1e-11), name


def test_every_quantity_is_named_here():
    derivatives = {name for name in QUANTITIES if name.endswith("_derivatives")}  # compiled/test_kane.py
    coupled = {name for name in QUANTITIES if name.startswith("coupling_")}  # models that are refused
    assert set(QUANTITIES) - derivatives - coupled == {*SHARED, *OWN, "markers"}  # markers are poses


@pytest.mark.parametrize("index", range(len(CASES)), ids=lambda i: str(CASES[i]))
def test_dynamics_with_every_force(index):
    """tau is N+' of the minimal one, accelerations and reactions of bodies are equal."""
    names = ("inverse_dynamics", "bias", "body_accelerations", "joint_reactions", "mass_matrix")
    values, found, state, inverse = asked(index, names, index)
    tau, bias, accelerations, reactions, M = values
    expected = {name: found.one(name, state) for name in names}
    size = max(np.abs(expected["joint_reactions"]).max(), 1.0)
    assert np.abs(inverse.T @ expected["inverse_dynamics"] - tau[:, 0]).max() < 1e-12 * size
    assert np.allclose(accelerations, expected["body_accelerations"].reshape(-1, 6), atol=1e-12 * size)
    assert np.allclose(reactions, expected["joint_reactions"].reshape(-1, 6), atol=1e-12 * size)
    minimal = found.mass_matrix(state)
    assert np.allclose(M, inverse.T @ minimal @ inverse, atol=1e-12 * np.abs(M).max())
    assert np.abs(inverse.T @ expected["bias"] - bias[:, 0]).max() < 1e-12 * size  # omegadot = 2 G eddot


@pytest.mark.parametrize("index", range(len(CASES)), ids=lambda i: str(CASES[i]))
def test_forward_dynamics_with_every_force(index):
    """Accelerations and reactions of bodies are those of minimal coordinates."""
    names = ("forward_dynamics_and_reactions",)
    (udot, reactions, _), found, state, _ = asked(index, names, index)
    expected = found("forward_dynamics_and_reactions", state)
    second = speeds(index)(state.q, state.u, expected["udot"])[1].full()
    assert np.abs(udot - second).max() < 1e-11 * np.abs(second).max()
    others = expected["reactions"].reshape(-1, 6)
    assert np.abs(reactions - others).max() < 1e-11 * np.abs(others).max()


def test_measures_of_joints_are_those_of_minimal_speeds():
    """`state_status` asks them: a hinge on four rates lacks rank everywhere, and is not meant."""
    mechanism = Mechanism(numbers(0).model, (), "kane")
    state = numbers(0).state(np.random.default_rng(3))
    found, expected = mechanism.joint_measures, joint_measures(numbers(0).mechanism.tree)
    assert [float(x) for x in found(state.q)] == [float(x) for x in expected(state.q)]
