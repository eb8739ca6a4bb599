"""What the twins are made of: the dense elimination, what is timed, and how times are compared."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.library.knee import FEMUR_ANGLE, TIBIA, translations
from condyle.studies import ellipsoid, hand_derived, knee, twins
from condyle.studies.rounds import Rounds, in_turn

RNG = np.random.default_rng(5)


def _ellipsoid_states(count: int) -> tuple[np.ndarray, np.ndarray]:
    mobilizer = cd.compile(ellipsoid.ellipsoid_model())
    q = ellipsoid.Q0 + 0.2 * RNG.standard_normal((count, 3))
    return ellipsoid.twin_state(mobilizer, q, ellipsoid.U0 + RNG.standard_normal((count, 3)))


def _knee_states(count: int) -> tuple[np.ndarray, np.ndarray]:
    return knee.twin_state(RNG.uniform(-2.0, 0.1, (count, 1)), RNG.standard_normal((count, 1)))


def _by_hand(name: str, graph) -> ca.SX:
    if name == "ellipsoid":
        return hand_derived.ellipsoid_twin(graph, ellipsoid.CHILD, ellipsoid.RADII)
    return hand_derived.knee_twin(graph, TIBIA, translations(), FEMUR_ANGLE)


TWINS = {"ellipsoid": (ellipsoid.twin_model, _ellipsoid_states), "knee": (knee.twin_model, _knee_states)}


@pytest.mark.parametrize("name", sorted(TWINS))
def test_solutions_solve_the_whole_system(name):
    """[M G'; G 0] (udot, lambda) = (tau - bias, -gamma) by NumPy, for the dense elimination, the library and
    the hand.
    """
    model, states = TWINS[name]
    mechanism = cd.compile(model())
    q, u = states(20)
    tau = RNG.standard_normal(u.shape)
    graph = mechanism.graph()
    inputs = [graph.q, graph.u, graph.tau]
    dense = ca.Function("dense", inputs, [ca.vertcat(*twins.dense_accelerations(graph))])
    by_hand = hand_derived.function(graph, _by_hand(name, graph))
    M, G = mechanism.mass_matrix(q), mechanism.constraint_jacobian(q)
    bias = mechanism.inverse_dynamics(q, u, np.zeros_like(u))
    # G udot = -gamma holds for the accelerations that the library finds; gamma itself is the change of G
    # along the motion.
    step = 1e-6
    rates = mechanism.coordinate_rates(q, u)
    slope = (
        mechanism.constraint_jacobian(q + step * rates) - mechanism.constraint_jacobian(q - step * rates)
    ) / (2 * step)
    gamma = np.einsum("kij,kj->ki", slope, u)
    nu = u.shape[1]
    for k in range(len(q)):
        zero = np.zeros((G.shape[1], G.shape[1]))
        whole = np.block([[M[k], G[k].T], [G[k], zero]])
        expected = np.linalg.solve(whole, np.concatenate([(tau - bias)[k], -gamma[k]]))
        found = np.array(dense(q[k], u[k], tau[k])).ravel()
        # The difference quotient is good to 1e-8.
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
        udot = mechanism.forward_dynamics(q[k], u[k], tau[k])
        scale = np.abs(udot).max()
        assert np.abs(found[:nu] - udot).max() <= 1e-13 * scale
        assert np.abs(np.array(by_hand(q[k], u[k], tau[k])).ravel() - udot).max() <= 1e-13 * scale


@pytest.mark.parametrize("dense", [False, True], ids=["general", "dense"])
def test_all_return_the_same_load(dense):
    """What is timed returns the load on the child about B's origin: of the twin as of the mobilizer, applied
    forces included.
    """
    mobilizer = cd.compile(ellipsoid.ellipsoid_model())
    q = ellipsoid.Q0 + 0.2 * RNG.standard_normal((8, 3))
    u = ellipsoid.U0 + RNG.standard_normal((8, 3))
    tau = RNG.standard_normal((8, 3))
    _, load = twins.Contender(mobilizer, q, u).acceleration_kernel()(q, u, tau)
    free_q, free_u = ellipsoid.twin_state(mobilizer, q, u)
    twin = twins.Contender(cd.compile(ellipsoid.twin_model()), free_q, free_u, dense=dense)
    _, twin_load = twin.acceleration_kernel()(free_q, free_u, np.concatenate([tau, np.zeros((8, 3))], axis=1))
    np.testing.assert_allclose(twin_load, load[:, 0, :], rtol=0, atol=1e-13 * np.abs(load).max())


def test_ensembles_repeat_the_states():
    """More members than states: as many evaluations on average, and simulated to the same tolerance."""
    mobilizer = cd.compile(ellipsoid.ellipsoid_model())
    q, u = ellipsoid.Q0 + 0.2 * RNG.standard_normal((4, 3)), np.tile(ellipsoid.U0, (4, 1))
    contenders = {"ellipsoid": twins.Contender(mobilizer, q, u)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "ROUNDS", 2)
        once = twins.simulation_times(contenders, 0.1, 1e-4, 4)
        thrice = twins.simulation_times(contenders, 0.1, 1e-4, 12)
        tighter = twins.simulation_times(contenders, 0.1, 1e-8, 4)
    assert once.evaluations == thrice.evaluations
    assert tighter.evaluations["ellipsoid"] > 2 * once.evaluations["ellipsoid"]
    assert once.scalar.seconds["ellipsoid"].shape == once.lanes.seconds["ellipsoid"].shape == (2,)


def test_contenders_take_turns():
    """Each runs once per round, one round more to warm up; times are per evaluation."""
    order: list[str] = []
    runs = {name: ((lambda name=name: order.append(name)), 10) for name in ("a", "b")}
    rounds = in_turn(runs, 3)
    assert order == ["a", "b"] * 4
    assert all(values.shape == (3,) and (values >= 0).all() for values in rounds.seconds.values())


def test_ratios_are_taken_within_rounds():
    """A machine that is ten times slower in one round does not change the ratio."""
    slow = np.array([1.0, 10.0, 1.0, 1.0, 10.0])
    rounds = Rounds({"a": 3.0 * slow, "b": 2.0 * slow[::1]})
    assert rounds.ratio("a", "b") == 1.5
    assert rounds.ratios({"b_over_a": ("b", "a")}) == {"b_over_a": pytest.approx(2 / 3)}
    np.testing.assert_array_equal(rounds.spreads({"x": ("a", "b")})["x"], (1.5, 1.5))
    assert rounds.times()["b"] == {"median": 2.0, "quartile_25": 2.0, "quartile_75": 20.0}
