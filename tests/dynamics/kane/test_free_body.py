"""Kane's equations of a free body: three solutions, every dependent parameter, tops and tumbling."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle.dynamics.kane.free_body import FreeBody
from condyle.kernels import build
from condyle.solve import DormandPrince853, System, integrate
from condyle.spatial import euler
from condyle.spatial.euler.normality import Normality, dependent_parameter
from condyle.status import Status

RNG = np.random.default_rng(11)
J = np.array([[0.5, 0.04, -0.02], [0.04, 0.8, 0.03], [-0.02, 0.03, 1.1]])
BODY = FreeBody(2.5, J)


def states(n: int) -> tuple[np.ndarray, ...]:
    """e, edot with e.edot = 0, force (ground axes), torque (body axes)."""
    e = RNG.normal(size=(n, 4))
    e /= np.linalg.norm(e, axis=1, keepdims=True)
    edot = euler.rate_from_body(e, RNG.normal(size=(n, 3)))
    return e, edot, RNG.normal(size=(n, 3)), RNG.normal(size=(n, 3))


def newton_euler(e, edot, force, torque):
    """rddot, and eddot from Euler's second law solved for omega'dot."""
    omega = euler.angular_velocity_in_body(e, edot)
    omegadot = np.linalg.solve(J, (torque - np.cross(omega, omega @ J))[..., None])[..., 0]
    return np.concatenate([force / BODY.mass, euler.second_rate_from_body(e, omega, omegadot)], axis=1)


def test_three_solutions_are_those_of_newton_and_euler():
    state = states(200)
    expected = newton_euler(*state)
    bordered, multiplier = BODY.bordered(*state)
    for found in (bordered, BODY.closed(*state), BODY.embedded(*state)):
        assert np.abs(found - expected).max() < 1e-13
    assert np.abs(multiplier).max() < 1e-13  # the equations are consistent: normality asks for no force


@pytest.mark.parametrize("dependent", range(4))
def test_every_dependent_parameter_gives_the_same(dependent):
    """As accurate as that parameter is far from zero."""
    e, *others = states(400)
    expected = newton_euler(e, *others)
    found = BODY.embedded(e, *others, dependent=dependent)
    error = np.abs(found - expected).max(axis=1)
    assert (error * np.abs(e[:, dependent]) ** 2).max() < 1e-13
    chosen = dependent_parameter(e) == dependent
    assert chosen.sum() > 50
    assert np.allclose(found[chosen], BODY.embedded(e, *others)[chosen], rtol=0, atol=1e-13)


@pytest.mark.parametrize("dependent", range(4))
def test_a_fixed_dependent_parameter_fails_where_it_is_zero(dependent):
    e, edot, force, torque = states(1)
    e[0, dependent] = 1e-6
    e /= np.linalg.norm(e)
    edot = euler.rate_from_body(e, RNG.normal(size=(1, 3)))
    expected = newton_euler(e, edot, force, torque)
    assert np.abs(BODY.embedded(e, edot, force, torque, dependent) - expected).max() > 1e-7
    assert np.abs(BODY.embedded(e, edot, force, torque) - expected).max() < 1e-13


def test_general_form():
    """M qddot + C = Gamma (B.61) is F - F* = 0 (B.36 to 38); M is singular along e only."""
    e, edot, force, torque = states(50)
    qddot = RNG.normal(size=(50, 7))
    M, C, Gamma = BODY.mass_matrix(e), BODY.velocity_terms(e, edot), BODY.active_forces(e, force, torque)
    left = np.einsum("nij,nj->ni", M, qddot) + C - Gamma
    assert np.abs(left + BODY.residual(e, edot, qddot, force, torque)).max() < 1e-13
    assert np.abs(np.einsum("nij,nj->ni", M[:, :, 3:], e)).max() < 1e-14
    assert (np.linalg.matrix_rank(M, tol=1e-12) == 6).all()
    solution = BODY.embedded(e, edot, force, torque)
    assert np.abs(BODY.residual(e, edot, solution, force, torque)).max() < 1e-13
    assert np.abs((e * solution[:, 3:]).sum(axis=1) + (edot**2).sum(axis=1)).max() < 1e-13


def test_embedding_is_normality():
    """T z + c is every eddot with e.eddot = -edot.edot; T is at most 1 in size with the largest chosen."""
    e, edot, *_ = states(100)
    normality = Normality.of(e)
    z = RNG.normal(size=(100, 3))
    eddot = normality.expanded(z, edot)
    assert np.abs((e * eddot).sum(axis=1) + (edot**2).sum(axis=1)).max() < 1e-14
    assert np.allclose(normality.independent(eddot), z, atol=0)
    assert np.allclose(normality.expanded(0 * z, edot), normality.constant(edot), atol=0)
    assert max(np.abs(ratio).max() for ratio in normality.ratios) <= 1.0
    assert np.abs(normality.inverse).max() <= 2.0 + 1e-12
    f = RNG.normal(size=(100, 4))
    power = (f * (eddot - normality.constant(edot))).sum(axis=1)
    assert np.allclose((normality.force(f) * z).sum(axis=1), power, atol=1e-13)


def symbols() -> list[ca.SX]:
    return [ca.SX.sym(name, n) for name, n in (("e", 4), ("edot", 4), ("F", 3), ("M", 3))]


def test_expressions_and_arrays_agree():
    e, edot, F, M = x = symbols()
    qddot = ca.SX.sym("qddot", 7)
    outputs = [
        BODY.bordered(*x)[0], BODY.closed(*x), BODY.embedded(*x), *(BODY.embedded(*x, k) for k in range(4)),
        BODY.mass_matrix(e), BODY.velocity_terms(e, edot), BODY.active_forces(e, F, M),
        BODY.residual(e, edot, qddot, F, M),
    ]  # fmt: skip
    function = ca.Function("f", [*x, qddot], [ca.densify(value) for value in outputs])
    state = states(5)
    accelerations = RNG.normal(size=(5, 7))
    for k in range(5):
        at = [value[k] for value in state]
        numbers = [
            BODY.bordered(*at)[0], BODY.closed(*at), BODY.embedded(*at),
            *(BODY.embedded(*at, dependent=d) for d in range(4)),
            BODY.mass_matrix(at[0]), BODY.velocity_terms(*at[:2]), BODY.active_forces(at[0], *at[2:]),
            BODY.residual(*at[:2], accelerations[k], *at[2:]),
        ]  # fmt: skip
        for symbolic, number in zip(function(*at, accelerations[k]), numbers, strict=True):
            found = symbolic.full().reshape(np.shape(number))
            assert np.allclose(found, number, rtol=1e-11, atol=1e-11)


def torque_free(solution) -> System:
    """y = (e, edot), compiled."""
    y, time, p = ca.SX.sym("y", 8), ca.SX.sym("time"), ca.SX.sym("p", 0)
    e, edot = y[:4], y[4:]
    eddot = solution(e, edot, ca.DM.zeros(3), ca.DM.zeros(3))[3:]
    f = ca.Function("rhs", [y, time, p], [ca.densify(ca.vertcat(edot, eddot))])
    return System(8, build(lambda: f, key=None, name="rhs"), unit_groups=(0,))


def test_symmetric_top_has_its_closed_form():
    """Two equal moments: e(t) = exp(H t / (2 J1)) e(0) exp(w3 (1 - J3 / J1) t z / 2), H fixed in ground."""
    body = FreeBody(1.0, np.diag([0.7, 0.7, 1.9]))
    e = np.array([0.5, -0.1, 0.7, 0.3])
    e /= np.linalg.norm(e)
    omega = np.array([1.1, -0.6, 2.3])
    times = np.linspace(0.0, 6.0, 25)
    found = integrate(
        torque_free(body.embedded), np.concatenate([e, euler.rate_from_body(e, omega)]), times,
        method=DormandPrince853(), rtol=1e-13, atol=1e-13,
    )  # fmt: skip
    momentum = euler.orientation(e) @ (body.inertia @ omega)

    def turn(vector: np.ndarray) -> np.ndarray:
        size = np.linalg.norm(vector, axis=-1, keepdims=True)
        return np.concatenate([np.cos(size / 2), np.sin(size / 2) * vector / size], axis=-1)

    spin = omega[2] * (1 - 1.9 / 0.7) * np.array([0.0, 0.0, 1.0])
    precession, spinning = turn(momentum / 0.7 * (times[1:, None])), turn(spin * times[1:, None])
    expected = euler.product(euler.product(precession, np.broadcast_to(e, precession.shape)), spinning)
    assert np.abs(found.states[1:, :4] - expected).max() < 1e-11
    assert {0, 1, 2, 3} == set(dependent_parameter(found.states[:, :4]))


def tumbling(solution, max_steps: int = 2000):
    """An unsymmetric body that spins about its middle axis, 20 s; and the drift of its angular momentum."""
    e = np.array([0.5, 0.5, -0.5, 0.5])
    start = np.concatenate([e, euler.rate_from_body(e, np.array([0.1, 3.0, 0.2]))])
    found = integrate(
        torque_free(solution), start, np.linspace(0.0, 20.0, 401), method=DormandPrince853(), rtol=1e-13,
        atol=1e-13, max_steps=max_steps,
    )  # fmt: skip
    p, pdot = found.states[:, :4], found.states[:, 4:]
    momentum = euler.angular_velocity_in_body(p, pdot) @ J
    in_ground = np.einsum("nij,nj->ni", euler.orientation(p), momentum)
    return found, np.abs(in_ground - in_ground[0]).max()


@pytest.fixture(scope="module")
def tumbled():
    return tumbling(BODY.embedded)


def test_tumbling_through_every_dependent_parameter(tumbled):
    """Each is the largest at some time; momentum stays, and the choice leaves no trace."""
    found, drift = tumbled
    assert drift < 1e-10
    assert {0, 1, 2, 3} == set(dependent_parameter(found.states[:, :4]))
    smallest = np.abs(found.states[:, :4]).min(axis=0)
    assert (smallest < 0.02).all()  # so that no fixed choice could do
    closed, drift = tumbling(BODY.closed)
    assert drift < 1e-10
    assert np.abs(closed.states - found.states).max() < 1e-9


@pytest.mark.parametrize("dependent", range(4))
def test_a_fixed_choice_does_not_come_through(dependent, tumbled):
    """It takes ever smaller steps towards its zero: ten times as many steps do not bring it to the end."""
    stuck, _ = tumbling(lambda *x: BODY.embedded(*x, dependent), 10 * int(tumbled[0].steps))
    assert stuck.status != Status.OK
    assert stuck.final_time < 15.0
