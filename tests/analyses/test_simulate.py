"""Simulation of mechanisms: known motions, loads, parameters, events, constraints, and members that fail."""

from __future__ import annotations

import dataclasses

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.analyses import StateEvent
from condyle.compiled.state_equations import StateEquations
from condyle.constraints import Ball as BallConstraint
from condyle.forces import RotationalDamper
from condyle.functions import Linear, NaturalCubicSpline
from condyle.joints import Ball, Custom, Ellipsoid, Free, Gimbal, Pin, Reversed, Slider
from condyle.library.andrews import andrews
from condyle.solve import TRBDF2, DormandPrince853, Rosenbrock
from condyle.status import Status

from ..constraints.four_bar import PLANAR, closed, pose, speeds
from ..joints.cases import RADII, SINGULAR

CHILD = cd.Body("child", 2.0, (0.02, -0.05, 0.10), (0.02, 0.015, 0.01, 0.0, 0.0, 0.0))
TIGHT = {"rtol": 1e-11, "atol": 1e-12}


def _one(joint, body: cd.Body = CHILD, **options) -> cd.Mechanism:
    return cd.compile(cd.Model("one", (body,), (joint,)), **options)


def _ball() -> cd.Mechanism:
    return _one(Ball("j", "ground", "child", coordinates="xyz"))


def test_ellipsoid_after_one_second():
    """State that an independent implementation printed; energy is kept."""
    mechanism = _one(Ellipsoid("j", "ground", "child", radii=RADII))
    motion = cd.simulate(mechanism, [0.3, -0.4, 0.2], [1.0, -2.0, 3.0], [0.0, 1.0], **TIGHT)
    assert motion.status == Status.OK and motion.final_time == 1.0
    assert np.abs(motion.q[-1] - (0.9932402669, -1.2443160053, 0.6760820340)).max() <= 2e-10
    assert np.abs(motion.u[-1] - (1.9840465131, -2.4699801784, -0.2624475550)).max() <= 5e-10
    assert motion.energy_drift <= 1e-9 and motion.steps > 0 and motion.evaluations > motion.steps


def test_loads_parameters_and_controllers_add_up():
    """A mass on a slider: force from tau, a wrench, gravity along it and a controller, with two masses."""
    slider = Slider("j", "ground", "child", axis=(0.0, 1.0, 0.0))
    mechanism = _one(slider, cd.Body("child", 1.0), parameters=["child.mass"])
    masses = np.array([1.0, 4.0])
    motion = cd.simulate(
        mechanism, [0.1], [0.2], [0.0, 0.5, 1.0], tau=[3.0], parameters={"child.mass": masses},
        wrenches={"child": [0.0, 0.0, 0.0, 9.0, 2.0, 0.0]},
        controller=lambda time, q, u: 6.0 * ca.SX(time), **TIGHT,
    )  # fmt: skip
    t = np.array([0.0, 0.5, 1.0])
    expected = 0.1 + 0.2 * t + (5.0 / masses[:, None] - 9.80665) * t**2 / 2 + t**3 / masses[:, None]
    assert motion.q.shape == (2, 3, 1)
    assert np.abs(motion.coordinate("j.displacement") - expected).max() <= 1e-10
    potential = 9.80665 * masses[:, None] * expected
    kinetic = 0.5 * masses[:, None] * motion.u[..., 0] ** 2
    assert np.abs(motion.energy - potential - kinetic).max() <= 1e-10


@pytest.mark.parametrize(("method", "tolerance"), [(Rosenbrock(), 1e-8), (TRBDF2(), 1e-6)])
def test_implicit_methods_get_their_jacobian(method, tolerance):
    """Of a pendulum whose damper is stiff: where the explicit method is, in fewer evaluations."""
    model = cd.Model("m", (CHILD,), (Pin("j", "ground", "child"),), gravity=(3.0, 0.0, 0.0))
    damped = dataclasses.replace(model, forces=(RotationalDamper("d", "ground", "child", 30.0),))
    runs = [
        cd.simulate(cd.compile(damped), [0.3], [0.0], 4.0, method=each, rtol=tolerance, atol=tolerance)
        for each in (method, DormandPrince853())
    ]
    assert all(run.status == Status.OK for run in runs)
    assert np.abs(runs[0].q - runs[1].q).max() < 10 * tolerance
    assert runs[0].evaluations < 0.1 * runs[1].evaluations


def test_euler_parameters_stay_normalised():
    """A start within 1e-3 of unit length is scaled; farther off is an error that names the coordinates."""
    mechanism = _one(Free("j", "ground", "child"))
    q = np.array([1.0005, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    motion = cd.simulate(mechanism, q, [3.0, -2.0, 5.0, 0.0, 1.0, 0.0], 2.0)
    lengths = np.linalg.norm(motion.q[:, :4], axis=-1)
    assert motion.times.size == 101 and abs(lengths[0] - 1) <= 1e-15
    assert np.abs(lengths - 1).max() <= 1e-6  # between steps by interpolation
    q[0] = 1.01
    with pytest.raises(
        cd.errors.InputError, match=r"j\.e0, j\.e1, j\.e2, j\.e3 have length 1\.01; allowed: 1"
    ):
        cd.simulate(mechanism, q, np.zeros(6), 1.0)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_constraint_residuals_stay_within_the_tolerance(tolerance):
    """A four-bar over several turns: residual at accepted steps, and energy as the integrator's tolerance has
    it.
    """
    mechanism = cd.compile(closed(PLANAR))
    motion = cd.simulate(
        mechanism, pose(0.9), speeds(0.9, 12.0), [0.0, 1.0, 3.0],
        rtol=tolerance, atol=tolerance, constraint_tolerance=tolerance,
    )  # fmt: skip
    assert motion.status == Status.OK
    assert 0 < motion.constraint_residual <= tolerance
    ends = mechanism.constraint_residual(motion.q[-1])
    assert np.abs(ends).max() <= tolerance
    rate = mechanism.constraint_jacobian(motion.q[-1]) @ motion.u[-1]
    assert np.abs(rate).max() <= max(tolerance, 1e-9) * 12
    assert np.ptp(motion.q[:, 0]) > 2 * np.pi
    exact = np.exp(1j * pose(motion.q[-1, 0]))
    assert np.abs(np.exp(1j * motion.q[-1]) - exact).max() <= 10 * tolerance


def test_constrained_euler_parameters():
    """A free body hung on a point swings as on a ball joint."""
    hung = cd.Model(
        "hung", (CHILD,), (Free("j", "ground", "child"),), (BallConstraint("tie", "ground", "child"),)
    )
    u = np.array([1.0, -2.0, 3.0])
    motion = cd.simulate(cd.compile(hung), [1, 0, 0, 0, 0, 0, 0], [*u, 0, 0, 0], [0.0, 1.0], **TIGHT)
    ball = _one(Ball("j", "ground", "child"))
    expected = cd.simulate(ball, [1, 0, 0, 0], u, [0.0, 1.0], **TIGHT)
    assert np.abs(motion.q[-1, :4] - expected.q[-1]).max() <= 1e-8
    assert np.abs(motion.q[-1, 4:]).max() <= 1e-8


def test_events_stop_a_member_or_are_only_noted():
    """A pendulum's passages through its lowest point, at odd quarters of its period; a terminal one ends the
    member.
    """
    from scipy.special import ellipk

    mechanism = _one(Pin("j", "ground", "child"), cd.Body("child", 1.0, (0.0, -1.0, 0.0)))
    down = StateEvent(lambda time, q, u: q[0])
    start, loose = [[0.3], [0.6]], {"rtol": 1e-10, "atol": 1e-10}
    noted = cd.simulate(mechanism, start, [0.0], 3.0, events=[down], **loose)
    assert (noted.status == Status.OK).all()
    quarter = np.sqrt(1 / 9.80665) * ellipk(np.sin(np.array([0.15, 0.3])) ** 2)
    for member in range(2):
        times = noted.events.time[noted.events.member == member]
        assert np.abs(times - quarter[member] * np.array([1, 3, 5])).max() <= 1e-8
    assert np.abs(noted.events.state[:, 0]).max() <= 1e-9
    rising = StateEvent(down.function, 1, terminal=True)
    stopped = cd.simulate(mechanism, start, [0.0], 3.0, events=[rising], **loose)
    assert (stopped.status == Status.EVENT).all()
    assert np.abs(stopped.final_time - 3 * quarter).max() <= 1e-8
    assert np.isnan(stopped.q[:, -1]).all()


def test_members_that_fail_have_a_status_and_stop_no_other():
    """NaN and gimbal lock; the others' results are those they have alone, bit for bit."""
    mechanism = _one(Gimbal("j", "ground", "child"))
    good = np.array([[0.1, 0.2, 0.3], [0.5, -0.2, 0.1]])
    q = np.array([good[0], [np.nan, 0.0, 0.0], [0.1, np.pi / 2, 0.0], good[1]])
    u = np.array([[1.0, 2.0, 3.0]] * 4)
    motion = cd.simulate(mechanism, q, u, [0.0, 0.5])
    assert list(motion.status) == [Status.OK, Status.BAD_INPUT, Status.SINGULAR, Status.OK]
    alone = cd.simulate(mechanism, good, u[:2], [0.0, 0.5])
    assert np.array_equal(motion.q[[0, 3]], alone.q)
    assert np.isnan(motion.q[[1, 2], -1]).all()


@pytest.mark.parametrize(
    ("joint", "start"), SINGULAR, ids=[f"{type(j).__name__}-{j.name}" for j, _ in SINGULAR]
)
@pytest.mark.parametrize("turned", [False, True], ids=["", "reversed"])
def test_a_singular_start_ends_there(joint, start, turned):
    """SINGULAR at once, for every singular pose that is known."""
    body, ground = ("p", "b") if turned else ("b", "p")
    model = cd.Model(
        "m", (cd.Body(body, 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)),),
        (Reversed(joint) if turned else joint,), ground=ground,
    )  # fmt: skip
    mechanism = cd.compile(model)
    motion = cd.simulate(mechanism, start, np.ones(len(mechanism.speeds)), [0.0, 0.1])
    assert motion.status == Status.SINGULAR and motion.final_time == 0.0


def test_motion_beyond_the_data_is_said():
    """A start there is bad input; a motion that gets there is marked as extrapolated."""
    spline = NaturalCubicSpline((-1.0, 0.0, 1.0), (0.1, 0.2, 0.1))
    joint = Custom("j", "ground", "child", coordinates=("a",), rz=Linear(), tx=spline)
    mechanism = _one(joint)
    motion = cd.simulate(mechanism, [[0.0], [0.0], [1.5]], [[0.1], [20.0], [0.0]], [0.0, 0.02, 0.1])
    assert list(motion.status) == [Status.OK, Status.OK, Status.BAD_INPUT]
    assert list(motion.extrapolated)[:2] == [False, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"q": np.zeros(2)}, r"q: shape \(2,\); allowed: real numbers of shape \(\.\.\., 3\): j.x, j.y, j.z"),
        ({"q": np.zeros(2), "u": np.zeros(4)}, r"q: shape \(2,\).*u: shape \(4,\)"),
        ({"u": np.zeros(3) * 1j}, "u: ndarray of type complex128"),
        ({"q": np.zeros((2, 3)), "u": np.zeros((3, 3))}, r"do not broadcast: q \(2,\), u \(3,\)"),
        ({"tau": np.zeros(2)}, r"tau: shape \(2,\)"),
        ({"tau": np.zeros((2, 3)), "wrenches": {"child": np.zeros((3, 6))}}, "do not broadcast"),
        ({"wrenches": {"chld": np.zeros(6)}}, "unknown body 'chld'; did you mean 'child'"),
        ({"parameters": [1.0]}, "none was promoted"),
        ({"times": [0.0, 0.0]}, "times"),
        ({"times": [0.0, np.nan]}, "times"),
        ({"rtol": -1.0}, "rtol"),
    ],
)
def test_arguments_that_do_not_fit(arguments, message):
    """Before anything is integrated."""
    given = {"q": np.zeros(3), "u": np.zeros(3), "times": 1.0} | arguments
    with pytest.raises(cd.errors.InputError, match=message):
        cd.simulate(_ball(), **given)


def _locked() -> cd.Mechanism:
    joint = Gimbal("j", "ground", "child", coordinates=(cd.Coordinate("y", 0.2, locked=True),))
    return _one(joint)


@pytest.mark.parametrize(
    ("mechanism", "expected"),
    [
        (lambda: _one(Gimbal("j", "ground", "child")), True),
        (lambda: cd.compile(andrews(), loops="multipliers"), True),
        (lambda: cd.compile(andrews()), True),
        (_locked, False),
        (_ball, False),
        (lambda: _one(Free("j", "ground", "child")), False),
        (lambda: _one(Gimbal("j", "ground", "child"), formulation="absolute"), False),
        (lambda: _one(Free("j", "ground", "child"), formulation="kane"), None),
    ],
)
@pytest.mark.filterwarnings("ignore:.*follow from the others")
def test_second_order_means_that_rates_are_speeds(mechanism, expected):
    """Where implicit methods are told so, the Jacobian's first rows are [0 I], at any state."""
    mechanism = mechanism()
    equations = StateEquations(mechanism)
    assert expected is None or equations.second_order == expected
    nq, nu = len(mechanism.coordinates), len(mechanism.speeds)
    draw = np.random.default_rng(6)
    q = mechanism.default_state()[0]
    y = np.concatenate([q + 0.01 * draw.standard_normal(nq), draw.standard_normal(nu)])
    unknown = mechanism.joint_values(q)[list(mechanism.roles.unknown)]
    y = np.concatenate([y, unknown])
    found = equations.jacobian()(y, np.zeros(1), np.zeros(nu))[0]
    if equations.second_order:
        np.testing.assert_array_equal(found[:nq], np.hstack([np.zeros((nq, nq)), np.eye(nu)]))
