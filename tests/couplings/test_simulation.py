"""Motion of mechanisms whose joint variables are solved for in compiled loops."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from condyle import Mechanism, Model, Status
from condyle.analyses import StateEvent, simulate
from condyle.library import andrews, bricard, four_bars
from condyle.solve import RK4, RKF45, TRBDF2, DormandPrince54, DormandPrince853, Rosenbrock

from .cases import crank, glide, lever, spatial

TORQUE = 0.033


@pytest.fixture(scope="module")
def squeezer() -> Mechanism:
    return Mechanism(andrews(-0.0617138900142764))


def test_andrews_after_three_hundredths(squeezer: Mechanism) -> None:
    """Crank angle and speed of an independent implementation, to 1e-11."""
    q, u = squeezer.default_state()
    found = simulate(squeezer, q, u, 0.03, method=DormandPrince853(), rtol=1e-13, atol=1e-13, tau=[TORQUE])
    assert found.status == Status.OK
    assert abs(found.q[-1, 0] - 15.810771195152) < 15.8 * 1e-11
    assert abs(found.u[-1, 0] - 1139.92030225894) < 1140 * 1e-11
    assert found.closing_most <= 4
    assert found.closing_iterations < 2.5


@pytest.mark.parametrize(
    "method", [DormandPrince54(), RKF45(), TRBDF2(), Rosenbrock(), RK4()], ids=lambda m: type(m).__name__
)
def test_every_method_stays_on_the_assembly(squeezer: Mechanism, method: object) -> None:
    """Loops are closed at every output, to round-off; work and energy agree as well as the method allows."""
    q, u = squeezer.default_state()
    step = 2e-5 if isinstance(method, RK4) else None
    times = np.linspace(0, 0.01, 7)
    found = simulate(squeezer, q, u, times, method=method, rtol=1e-6, atol=1e-8, step=step, tau=[TORQUE])
    assert found.status == Status.OK
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*follow from the others")
        whole = Mechanism(andrews(-0.0617138900142764), loops="multipliers")
        residual = whole.constraint_residual(found.joint_values)
    assert np.abs(residual).max() < 1e-14
    work = TORQUE * (found.q[:, 0] - q[0])
    assert np.allclose(found.energy - found.energy[0], work, rtol=2e-3, atol=1e-7)


def test_members_do_not_see_each_other(squeezer: Mechanism) -> None:
    """Bit for bit, in lanes or alone."""
    q, _ = squeezer.default_state()
    start = q + np.linspace(-0.3, 0.3, 5)[:, None]
    together = simulate(squeezer, start, np.zeros((5, 1)), 0.004, tau=[TORQUE])
    for k in (0, 3):
        alone = simulate(squeezer, start[k], np.zeros(1), 0.004, tau=[TORQUE])
        assert np.array_equal(alone.joint_values, together.joint_values[k])
        assert alone.steps == together.steps[k]


def test_loose_tolerance_keeps_the_assembly(squeezer: Mechanism) -> None:
    """At 1e-4, where a start from the last trial is known to end in another assembly."""
    q, u = squeezer.default_state()
    found = simulate(squeezer, q, u, 0.05, rtol=1e-4, atol=1e-4, tau=[TORQUE])
    assert found.status == Status.OK
    exact = squeezer.joint_values(found.q)
    assert np.allclose(found.joint_values, exact, atol=1e-12)


def test_implicit_coupling_moves_as_with_multipliers() -> None:
    model = lever()
    mechanism, other = Mechanism(model), Mechanism(model, loops="multipliers")
    q, u = mechanism.default_state()
    u = u + np.random.default_rng(0).standard_normal(u.size)
    times = np.linspace(0, 0.3, 4)
    mine = simulate(mechanism, q, u, times, rtol=1e-10, atol=1e-12)
    s = mechanism.joint_values(q)
    v = mechanism.coupling_matrix(q) @ u
    theirs = simulate(other, s, v, times, rtol=1e-10, atol=1e-12, constraint_tolerance=1e-12)
    assert np.allclose(mine.joint_values, theirs.q, atol=1e-8)
    assert mine.energy_drift < 1e-8


def test_events_see_closed_states(squeezer: Mechanism) -> None:
    q, u = squeezer.default_state()
    turn = StateEvent(lambda t, q, u: q[0] - 1.0, terminal=True)
    found = simulate(squeezer, q, u, 0.05, rtol=1e-9, tau=[TORQUE], events=[turn])
    assert found.status == Status.EVENT
    assert abs(found.events.state[0, 0] - 1.0) < 1e-10
    assert found.events.state.shape == (1, 2)


def test_dead_start_and_bad_start(squeezer: Mechanism) -> None:
    found = simulate(squeezer, [[np.nan], [0.0]], np.zeros((2, 1)), 0.001)
    assert list(found.status) == [Status.BAD_INPUT, Status.OK]


def test_casadi_function_holds_the_root(squeezer: Mechanism) -> None:
    """For other people's problems: values and derivatives of a function in q alone."""
    function = squeezer.function("forward_dynamics")
    q, u, tau = np.array([0.3]), np.array([5.0]), np.array([TORQUE])
    nothing = np.zeros(0)
    found = function(q, u, tau, 0.0, nothing, nothing, nothing)
    assert np.allclose(np.array(found)[:, 0], squeezer.forward_dynamics(q, u, tau), rtol=1e-11)
    slope = function.factory("slope", function.name_in(), ["jac:udot:q"])(
        q, u, tau, 0.0, nothing, nothing, nothing
    )
    exact = squeezer.forward_dynamics_derivatives(q, u, tau)["q"]
    assert np.allclose(np.array(slope), exact, rtol=1e-9)


def test_bricard_turns_over_in_both_treatments() -> None:
    """Over-constrained: five equations of rank four; whichever four were taken would fail somewhere."""
    mechanism = Mechanism(bricard())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*follow from the others")
        other = Mechanism(bricard(), loops="multipliers")
        times = np.linspace(0, 3, 7)
        theirs = simulate(other, *other.default_state(), times, rtol=1e-9, atol=1e-11)
    report = mechanism.loop_report
    assert report is not None
    assert (report.rank, len(report.redundant_names)) == (4, 1)
    mine = simulate(mechanism, *mechanism.default_state(), times, rtol=1e-9, atol=1e-11)
    assert mine.q.max() > 3.1
    assert np.allclose(mine.joint_values, theirs.q, atol=1e-7)
    assert mine.energy_drift < 1e-7
    assert mechanism.reach("pin_0.angle", -0.5, 3.6).ends == ("asked", "asked")


def test_four_bars_fold_over() -> None:
    """Through poses where two motions meet, on the one that goes straight on: the uprights stay parallel."""
    mechanism = Mechanism(four_bars(3))
    q, _ = mechanism.default_state()
    found = simulate(
        mechanism, q, [-1.0], np.linspace(0, 3, 7), method=DormandPrince853(), rtol=1e-9, atol=1e-11
    )
    assert found.status == Status.OK
    assert found.q.min() < -np.pi
    uprights = found.joint_values[:, :4]
    assert np.abs(uprights - uprights[:, :1]).max() < 1e-12
    assert found.energy_drift < 1e-4


def test_derivatives_by_lengths() -> None:
    """Promoted numbers of loops and bodies: derivatives of accelerations at fixed coordinates."""
    paths = ("F.child_frame.translation[0]", "epsilon.parent_frame.translation[1]", "HE.mass")
    mechanism = Mechanism(andrews(0.4), paths)
    q, u, tau = np.array([0.5]), np.array([20.0]), np.array([TORQUE])
    found = mechanism.forward_dynamics_derivatives(q, u, tau)["parameters"]
    for k, value in enumerate(mechanism.parameter_defaults):
        h = 1e-6 * value
        values = []
        for sign in (-1, 1):
            p = mechanism.parameter_defaults.copy()
            p[k] += sign * h
            values.append(mechanism.forward_dynamics(q, u, tau, parameters=p))
        slope = (values[1] - values[0]) / (2 * h)
        assert np.allclose(found[:, k], slope, rtol=1e-5)


@pytest.mark.parametrize("model", [glide(), spatial(), crank()], ids=lambda model: model.name)
def test_loops_beside_all_else_move_as_with_multipliers(model: Model) -> None:
    """A constraint that stays, a ball that depends as a whole, a coupling that reads the loop."""
    mechanism = Mechanism(model)
    q, u = mechanism.default_state()
    u = 0.5 * np.random.default_rng(0).standard_normal(u.size)
    u[list(mechanism.roles.locked_speeds)] = 0
    if mechanism.constrained:
        q, u, _ = mechanism.project(q, u)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*follow from the others")
        other = Mechanism(model, loops="multipliers")
        s, v = mechanism.joint_values(q), mechanism.coupling_matrix(q) @ u
        theirs = simulate(other, s, v, 0.3, rtol=1e-9, atol=1e-10)
    mine = simulate(mechanism, q, u, 0.3, rtol=1e-9, atol=1e-10)
    assert mine.status == theirs.status == Status.OK
    assert np.allclose(mine.joint_values, theirs.q, atol=1e-8)
    assert mine.energy_drift < 1e-7
    assert mine.constraint_residual < 1e-8
