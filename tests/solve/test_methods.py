"""Every method of the list on the same problems: order, tolerances, output between steps, stiffness."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from condyle.errors import InputError
from condyle.solve import CVODES, METHODS, RK4, TRBDF2, DormandPrince54, Rosenbrock, integrate
from condyle.status import Status

from .systems import forced, pendulum, robertson, system, van_der_pol

OURS = [method for method in METHODS if method is not CVODES]
ADAPTIVE = [method for method in METHODS if method is not RK4]
STIFF = [TRBDF2, Rosenbrock, CVODES]


def exact(times):
    angle = 3 * np.asarray(times) + np.sin(times)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1)


@pytest.fixture(scope="module")
def smooth():
    return forced()


def constant_steps(method, system, step, times=(0.0, 2.0)):
    """With huge tolerances every step is accepted, and the longest step is the step."""
    return integrate(
        system, exact(0.0), times, method=method(), step=step, max_step=step, rtol=1e-2, atol=1e6
    )


@pytest.mark.parametrize("method", OURS)
def test_convergence_order(method, smooth):
    """The global error falls with the method's order, df/dt included."""
    times = np.linspace(0, 2, 5)  # ends of steps
    counts = {8: 8, 5: 40, 4: 40, 2: 80}[method().order] * 2 ** np.arange(4 if method().order < 8 else 3)
    errors = []
    for count in counts:
        result = constant_steps(method, smooth, 2.0 / count, times)
        assert result.steps == count and result.status == Status.OK
        errors.append(np.linalg.norm(result.states - exact(times)))
    slope = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert abs(slope - method().order) < 0.4, errors


@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("RK4", 4),
        ("RKF45", 4),
        ("DormandPrince54", 5),
        ("DormandPrince853", 8),
        ("TRBDF2", 2),
        ("Rosenbrock", 4),
    ],
)
def test_order_of_output_between_steps(method, order, smooth):
    """The error at times inside the steps falls with the interpolant's (or the method's) order."""
    method = next(item for item in OURS if item.__name__ == method)
    times = np.linspace(0.0, 2.0, 101)
    counts = {8: 4, 5: 8}.get(order, 16) * 2 ** np.arange(3)
    errors = [
        abs(constant_steps(method, smooth, 2.0 / count, times).states - exact(times)).max()
        for count in counts
    ]
    assert -np.diff(np.log2(errors)).mean() > order - 0.35, errors


@pytest.mark.parametrize("method", ADAPTIVE)
def test_error_follows_tolerance(method):
    """The error stays within a factor of tolerance ** (order / order of the estimate)."""
    pendulums = pendulum()
    reference = solve_ivp(
        lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 3), [2.0, 0.0], "DOP853", rtol=1e-13, atol=1e-14
    ).y[:, -1]
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8):
        result = integrate(
            pendulums, [2.0, 0.0], [0, 3], method=method(), p=[9.81], rtol=rtol, atol=rtol, max_steps=10**6
        )
        assert result.status == Status.OK
        errors.append(abs(result.final_state - reference).max())
        assert errors[-1] < 100 * rtol ** (2 / 3 if method is TRBDF2 else 1)
    assert errors[2] < 0.01 * errors[0]


@pytest.mark.parametrize("method", OURS)
def test_last_step_lands_on_the_end(method):
    """The end is met exactly, by a shorter last step; outputs at ends of steps are those states."""
    times = [0.1, 0.7, 1.0 + 1 / 3]
    result = integrate(
        pendulum(), [1.0, 0.0], times, method=method(), p=[9.81], step=0.1 if method is RK4 else None
    )
    assert result.final_time == times[-1]
    assert np.array_equal(result.final_state, result.states[-1])
    assert np.array_equal(result.states[0], [1.0, 0.0])
    if method is RK4:
        assert result.steps == 13
        part = integrate(pendulum(), [1.0, 0.0], [0.1, 0.7], method=method(), p=[9.81], step=0.1)
        assert np.allclose(part.states[1], result.states[1], rtol=0, atol=1e-14)


@pytest.mark.parametrize("method", STIFF)
def test_van_der_pol_is_stiff(method):
    """Implicit methods cross the relaxation oscillation in few steps and agree with Radau."""
    mu = 1e3
    reference = solve_ivp(
        lambda t, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]],
        (0, 1500),
        [2.0, 0.0],
        "Radau",
        rtol=1e-9,
        atol=1e-11,
    ).y[:, -1]
    result = integrate(van_der_pol(), [2.0, 0.0], [0, 1500], method=method(), p=[mu], rtol=1e-6, atol=1e-9)
    assert result.status == Status.OK
    assert result.steps < 3000
    assert abs(result.final_state - reference).max() < 1e-3


@pytest.mark.parametrize("method", STIFF)
def test_robertson(method):
    """Eleven decades of rates; the sum of the concentrations is kept."""
    times = [0.0, 0.4, 40.0, 4e4]
    expected = [0.98517211, 0.71582707, 0.03898330]  # Hairer and Wanner II, and Mazzia's test set
    result = integrate(robertson(), [1.0, 0, 0], times, method=method(), rtol=1e-7, atol=1e-12)
    assert abs(result.states[1:, 0] - expected).max() < 2e-6
    assert abs(result.states.sum(-1) - 1).max() < 1e-6


@pytest.mark.parametrize("method", [TRBDF2, Rosenbrock])
def test_l_stable_in_compiled_form(method):
    """One step of h lambda = -1e8 takes the transient away; a dead transient does not keep steps small."""
    fast = system(lambda y, t, p: -1e8 * (y - p) + 0 * t, 1, 1)
    result = integrate(fast, [1.0], [0, 1], method=method(), p=[0.25], step=1.0, rtol=1.0, atol=1e30)
    assert result.steps == 1
    assert abs(result.final_state[0] - 0.25) < 1e-6
    slow = integrate(fast, [1.0], [0, 1], method=method(), p=[0.25], rtol=1e-6, atol=1e-8)
    assert slow.steps < 300 and abs(slow.final_state[0] - 0.25) < 1e-6


def test_tr_bdf2_solves_its_stages():
    """One step is the solution of the method's two equations, far below the error tolerance."""
    cubic = system(lambda y, t, p: 1 - y**3 + ca.sin(t), 1)
    h, rtol = 0.02, 1e-3
    result = integrate(cubic, [2.0], [0, h], method=TRBDF2(), rtol=rtol, atol=rtol, step=h)
    assert result.steps == 1
    gamma, d = TRBDF2.nodes[1], TRBDF2.diagonal

    def f(y, t):
        return 1 - y**3 + np.sin(t)

    middle = brentq(lambda z: 2 + d * h * (f(2, 0) + f(z, gamma * h)) - z, 0, 3, xtol=1e-15)
    known = 2 + h * TRBDF2.weights[0] * (f(2, 0) + f(middle, gamma * h))
    end = brentq(lambda z: known + d * h * f(z, h) - z, 0, 3, xtol=1e-15)
    assert abs(result.final_state[0] - end) < 1e-3 * rtol


def test_tr_bdf2_trusts_earlier_stages():
    """Where Newton converges at once, most stages take one correction; the error stays the step's."""
    fast = system(lambda y, t, p: ca.vertcat(y[1], -y[0] - 1e3 * y[0] ** 3), 2)
    result = integrate(fast, [1.0, 0.0], [0, 1], method=TRBDF2(), rtol=1e-9, atol=1e-9)
    assert result.evaluations < 3.2 * (result.steps + result.rejections)
    reference = integrate(fast, [1.0, 0.0], [0, 1], method=DormandPrince54(), rtol=1e-13, atol=1e-13)
    assert abs(result.final_state - reference.final_state).max() < 1e-4


def oscillators(second_order: bool) -> object:
    """Three of them, coupled by what angles, speeds and time do; qdot = u."""

    def rates(y, t, p):
        q, u = y[:3], y[3:]
        stretch = ca.vertcat(q[0], q[1] - q[0], q[2] - q[1])
        pull = p * stretch + 40.0 * stretch**3 + 0.7 * ca.vertcat(u[0], u[1] - u[0], u[2] * q[0])
        return ca.vertcat(u, ca.vertcat(pull[1] - pull[0], pull[2] - pull[1], ca.sin(3 * t) - pull[2]))

    return system(rates, 6, 1, second_order=second_order)


@pytest.mark.parametrize("method", [TRBDF2, Rosenbrock])
@pytest.mark.parametrize("stiffness", [9.0, 1e6])
def test_half_the_matrix_gives_the_same_stages(method, stiffness):
    """For several members at once, soft and stiff: steps and states are those of the whole matrix."""
    start = np.array([[0.3, -0.1, 0.2, 0, 0, 1.0], [0.0, 0.2, 0.1, 1, 0, 0], [0.1, 0, 0, 0, 0, 0]])
    options = {"method": method(), "p": [stiffness], "rtol": 1e-5, "atol": 1e-7}
    whole, half = (integrate(oscillators(flag), start, [0, 0.06], **options) for flag in (False, True))
    assert (half.status == Status.OK).all()
    np.testing.assert_allclose(half.steps, whole.steps, atol=2)
    np.testing.assert_allclose(half.final_state, whole.final_state, rtol=0, atol=3e-6 * np.sqrt(stiffness))
    alone = [integrate(oscillators(True), row, [0, 0.06], **options).final_state for row in start]
    assert np.array_equal(half.final_state, alone)


def test_two_halves_of_an_odd_number():
    """Said at once."""
    with pytest.raises(InputError, match="second_order: 3 integrated states are no two halves"):
        system(lambda y, t, p: -y, 3, second_order=True)


def test_explicit_methods_agree_with_scipy_in_steps():
    """The same pair at the same tolerances takes about as many steps as SciPy's."""
    reference = solve_ivp(
        lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 10), [2.0, 0.0], "RK45", rtol=1e-8, atol=1e-10
    )
    ours = integrate(
        pendulum(), [2.0, 0.0], [0, 10], method=DormandPrince54(), p=[9.81], rtol=1e-8, atol=1e-10
    )
    assert 0.7 < ours.steps / (len(reference.t) - 1) < 1.1
    assert abs(ours.final_state - reference.y[:, -1]).max() < 1e-6


def test_sundials_has_no_projection():
    """What CVODES cannot do is refused by name."""
    with_events = system(lambda y, t, p: -y, 1, events=lambda y, t, p: [y - 0.5])
    with pytest.raises(ValueError, match="CVODES has no events"):
        integrate(with_events, [1.0], [0, 1], method=CVODES())
    with pytest.raises(ValueError, match="'bdf', 'adams'"):
        integrate(system(lambda y, t, p: -y, 1), [1.0], [0, 1], method=CVODES("dbf"))
