"""Many members: lanes, refilling, failures, threads, interruption."""

from __future__ import annotations

import _thread
import threading
import time

import casadi as ca
import numpy as np
import pytest

from condyle.solve import CVODES, METHODS, RK4, DormandPrince54, DormandPrince853, integrate
from condyle.status import Status

from .systems import pendulum, system, van_der_pol

OURS = [method for method in METHODS if method is not CVODES]


def step_of(method):
    return 0.01 if method is RK4 else None


@pytest.mark.parametrize("method", OURS)
def test_lanes_equal_scalar(method):
    """A member's result is the same bits alone, in lanes of any width, whoever its neighbours are."""
    oscillators = van_der_pol()
    rng = np.random.default_rng(3)
    y0, p = rng.normal(size=(11, 2)), 10 ** rng.uniform(-1, 1, (11, 1))
    times = np.linspace(0, 2, 5)
    together = {
        lanes: integrate(oscillators, y0, times, p=p, method=method(), step=step_of(method), lanes=lanes)
        for lanes in (1, 4, 8)
    }
    alone = [
        integrate(oscillators, y, times, p=q, method=method(), step=step_of(method))
        for y, q in zip(y0, p, strict=True)
    ]
    for result in together.values():
        assert np.array_equal(result.states, [one.states for one in alone])
        assert np.array_equal(result.evaluations, [one.evaluations for one in alone])
        assert np.array_equal(result.steps, [one.steps for one in alone])
    assert len(set(result.steps)) > 1 or method is RK4


def test_batch_axes_broadcast():
    """Leading axes of y0 and p broadcast and come back."""
    y0, p = np.zeros((3, 1, 2)), np.ones((4, 1))
    y0[:, 0, 0] = [0.1, 0.2, 0.3]
    result = integrate(pendulum(), y0, [0, 1, 2], p=p)
    assert result.states.shape == (3, 4, 3, 2) and result.status.shape == (3, 4)
    assert np.array_equal(result.states[1, 0], integrate(pendulum(), [0.2, 0], [0, 1, 2], p=[1.0]).states)
    empty = integrate(pendulum(), np.zeros((0, 2)), [0, 1], p=[1.0])
    assert empty.states.shape == (0, 2, 2)


@pytest.mark.parametrize("method", OURS)
@pytest.mark.parametrize("lanes", [1, 8])
def test_failures_stay_alone(method, lanes):
    """NaN, a state without a derivative, a finite escape: each its status; the others are as if alone."""
    # y' = p y^2 escapes at t = 1 / (p y); sqrt has no value below zero.
    escape = system(lambda y, t, p: [p * y[0] ** 2, -1 + 1e-9 * ca.sqrt(y[1])], 2, 1)
    y0 = np.array([[1.0, 5], [np.nan, 5], [1, 5], [1, -1], [1, 5], [1, 0.5], [1, 5]])
    p = np.array([0.1, 0.1, 5.0, 0.1, np.inf, 0.1, -0.1])[:, None]
    result = integrate(
        escape, y0, [0, 0.5, 1], p=p, method=method(), step=step_of(method), lanes=lanes, max_steps=2000
    )
    expected = np.array([0, Status.BAD_INPUT, -1, Status.SINGULAR, Status.BAD_INPUT, Status.SINGULAR, 0])
    known = expected >= 0
    assert np.array_equal(result.status[known], expected[known])
    assert result.status[2] in (Status.STEP_TOO_SMALL, Status.TOO_MANY_STEPS, Status.SINGULAR)
    assert np.isfinite(result.final_state[[0, 2, 3, 5, 6]]).all()
    assert 0.4 < result.final_time[5] < 0.501 and np.isnan(result.states[5, 2]).all()
    for member in (0, 6):
        alone = integrate(escape, y0[member], [0, 0.5, 1], p=p[member], method=method(), step=step_of(method))
        assert np.array_equal(result.states[member], alone.states)


def test_limits_have_statuses():
    """Too many steps, and a step below round-off."""
    result = integrate(pendulum(), [1.0, 0.0], [0, 1e3], p=[1.0], max_steps=50)
    assert result.status == Status.TOO_MANY_STEPS and result.steps + result.rejections == 50
    jump = system(lambda y, t, p: 1e9 * ca.sign(y - 1) * -1 + 0 * t, 1)
    result = integrate(
        jump, [0.9], [0, 1e3], method=DormandPrince54(), rtol=1e-12, atol=1e-14, max_steps=10**4
    )
    assert result.status in (Status.STEP_TOO_SMALL, Status.TOO_MANY_STEPS)


@pytest.mark.parametrize("method", [DormandPrince54, DormandPrince853])
def test_refilled_lanes_keep_throughput(method):
    """1000 members whose step counts spread 100 times keep 60 % of the steps per second of equal members."""

    def chain(y, t, p):
        n = 6
        q = [0, *ca.vertsplit(y[:n]), 0]
        bend = [ca.sin(q[i] - q[i + 1]) + ca.sin(q[i + 2] - q[i + 1]) for i in range(n)]
        return ca.vertcat(y[n:], p**2 * ca.vertcat(*bend))

    chains = system(chain, 12, 1)
    if chains.rhs.interpreted:
        pytest.skip("an interpreted kernel hides what the loop costs")
    p = np.random.default_rng(0).permutation(np.logspace(0, 2.6, 1000))[:, None]
    y0 = np.zeros(12)
    y0[0] = 0.5

    def rate(parameters):
        begin = time.process_time()
        result = integrate(chains, y0, [0, 2.0], p=parameters, method=method(), rtol=1e-5)
        elapsed = time.process_time() - begin
        assert (result.status == 0).all()
        return (result.steps + result.rejections).sum() / elapsed, result.steps

    _, steps = rate(p)
    assert steps.max() / steps.min() > 100
    typical = p[np.argmin(abs(steps - steps.mean()))]
    ratio = max(rate(p)[0] / rate(np.tile(typical, (1000, 1)))[0] for _ in range(3))
    assert ratio > 0.6


def test_threads_change_nothing():
    """Members shared out among threads give the same bits."""
    rng = np.random.default_rng(5)
    y0, p = rng.normal(size=(100, 2)), 10 ** rng.uniform(-1, 3, (100, 1))
    one = integrate(pendulum(), y0, [0, 1, 2], p=p)
    two = integrate(pendulum(), y0, [0, 1, 2], p=p, threads=2)
    assert np.array_equal(one.states, two.states) and np.array_equal(one.steps, two.steps)


@pytest.mark.parametrize("threads", [1, 2])
def test_interruption(threads):
    """Ctrl-C is seen within 0.1 s; what is there is kept on request."""
    endless = pendulum()
    y0 = np.tile([1.0, 0.0], (40, 1))
    p = np.full((40, 1), 1e4)
    p[:20] = 1e-9
    integrate(endless, y0, [0, 1e-3], p=p, threads=threads)
    options = dict(p=p, rtol=1e-12, atol=1e-14, max_steps=10**9, threads=threads)
    delays = {False: [], True: []}
    for keep in (False, True, False, True):  # the better of two, as the machine may be busy
        sent = []

        def interrupt(sent=sent):
            sent.append(time.perf_counter())
            _thread.interrupt_main()

        timer = threading.Timer(0.3, interrupt)
        timer.start()
        if keep:
            result = integrate(endless, y0, [0, 1e5], keep_interrupted=True, **options)
        else:
            with pytest.raises(KeyboardInterrupt):
                integrate(endless, y0, [0, 1e5], **options)
        delays[keep].append(time.perf_counter() - sent[0])
        timer.join()
    assert min(delays[False]) < 0.1 and min(delays[True]) < 0.1
    assert set(result.status) == {Status.OK, Status.INTERRUPTED}
    unfinished = result.status == Status.INTERRUPTED
    assert (result.final_time[unfinished] < 1e5).all() and (result.final_time[unfinished] > 0).any()


def test_progress_is_reported():
    """The fraction grows to one."""
    seen = []
    p = np.full((30, 1), 1e2)
    integrate(pendulum(), [1.0, 0.0], [0, 3], p=p, rtol=1e-9, progress=seen.append)
    assert len(seen) > 2 and seen == sorted(seen) and seen[-1] <= 1


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (dict(y0=[1.0]), r"y0 has shape \(1,\); expected \(\.\.\., 2\)"),
        (dict(y0=["a", "b"]), "y0 is not an array of real numbers"),
        (dict(p=[1.0, 2.0]), r"p has shape \(2,\)"),
        (dict(times=[0.0, 0.0]), "increase"),
        (dict(times=[0.0, np.nan]), "increase"),
        (dict(method=RK4()), "RK4 has a fixed step"),
        (dict(method=RK4), r"RK4 is a class; allowed: an instance, RK4\(\)"),
        (dict(method="rk45"), r"'rk45' is none of condyle.solve; did you mean 'RKF45\(\)'"),
        (dict(method=None), r"None is none of condyle.solve; allowed: 'RK4\(\)', .*'CVODES\(\)'"),
        (dict(step=-1.0), "step is -1.0"),
        (dict(atol=[1.0, 2.0, 3.0]), "atol has shape"),
        (dict(rtol=0.0, atol=0.0), "rtol is 0.0"),
        (dict(threads=0), "at least 1"),
        (dict(events=[1]), "0 event functions"),
    ],
)
def test_bad_input_is_explained(change, text):
    """Every wrong argument is named with what was expected."""
    arguments = dict(y0=[1.0, 0.0], times=[0.0, 1.0], p=[1.0]) | change
    with pytest.raises(ValueError, match=text):
        integrate(pendulum(), arguments.pop("y0"), arguments.pop("times"), **arguments)
