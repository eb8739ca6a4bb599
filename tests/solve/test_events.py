"""Events: where, in which direction, which comes first, what they end."""

import casadi as ca
import numpy as np
import pytest

from condyle.errors import InputError
from condyle.solve import (
    CVODES,
    METHODS,
    RK4,
    TRBDF2,
    DormandPrince54,
    DormandPrince853,
    Event,
    integrate,
)
from condyle.status import Status

from .systems import system

OURS = [method for method in METHODS if method is not CVODES]


def oscillator(**rest):
    """y = (sin t, cos t) from (0, 1)."""
    return system(lambda y, t, p: [y[1], -y[0]], 2, **rest)


@pytest.mark.parametrize("method", OURS)
def test_times_on_the_dense_output(method):
    """Zeros of sin t are found on the dense output to 1e-12: there, the logged state has its zero."""
    result = integrate(
        oscillator(events=lambda y, t, p: [y[0]]),
        [0.0, 1.0],
        [0, 10],
        method=method(),
        step=0.01 if method is RK4 else None,
        rtol=1e-9,
        atol=1e-11,
    )
    bound = 3e-6 if method is TRBDF2 else 1e-7
    assert np.allclose(result.events.time, np.pi * np.arange(1, 4), rtol=0, atol=bound)
    # |y| < 1e-12 relative to the time, as |y'| = 1
    assert (abs(result.events.state[:, 0]) <= 1.5e-12 * result.events.time).all()
    assert np.array_equal(result.events.index, [0, 0, 0])


def test_times_are_exact_for_exact_solutions():
    """A parabola is integrated and interpolated without error: the time is right to 1e-12."""
    falling = system(lambda y, t, p: [y[1], -p], 2, 1, events=lambda y, t, p: [y[0]])
    p = np.array([[9.81], [3.7], [1.62]])
    result = integrate(falling, [1.3, 0.2], [0, 10], p=p, events=[Event(-1, terminal=True)], rtol=1e-10)
    expected = (0.2 + np.sqrt(0.04 + 2 * p[:, 0] * 1.3)) / p[:, 0]
    assert (result.status == Status.EVENT).all()
    assert np.allclose(result.events.time, expected, rtol=1e-12, atol=0)
    assert np.array_equal(result.final_time, result.events.time)
    assert np.array_equal(result.final_state, result.events.state)


def test_directions_and_order():
    """Rising, falling and both; several events in one step come in order of time."""
    events = lambda y, t, p: [y[0] - 0.5, y[0] - 0.5, y[0] - 0.5, y[0] - 0.6]  # noqa: E731
    result = integrate(
        oscillator(events=events),
        [0.0, 1.0],
        [0, 7],
        method=DormandPrince853(),
        events=[Event(1), Event(-1), Event(0), Event(0)],
        rtol=1e-10,
    )
    first, second = np.arcsin(0.5), np.arcsin(0.6)
    expected = [
        (0, first),
        (2, first),
        (3, second),
        (3, np.pi - second),
        (1, np.pi - first),
        (2, np.pi - first),
        (0, 2 * np.pi + first),
        (2, 2 * np.pi + first),
        (3, 2 * np.pi + second),
    ]
    found = sorted(zip(result.events.time.round(6), result.events.index, strict=True))
    assert found == sorted((round(time, 6), index) for index, time in expected)
    assert (np.diff(result.events.time) >= 0).all()


def test_terminal_event_ends_one_member():
    """Output after the event is NaN, output before is there, events after it are not; others go on."""
    both = oscillator(events=lambda y, t, p: [y[0] - 0.5, y[0] - 0.8])
    y0 = [[0.0, 1.0], [0.0, 0.3]]  # the second never gets there
    times = np.linspace(0, 2, 41)
    result = integrate(both, y0, times, events=[Event(0, terminal=True), Event()], max_step=3.0, rtol=1e-8)
    assert list(result.status) == [Status.EVENT, Status.OK]
    assert abs(result.final_time[0] - np.pi / 6) < 1e-7 and result.final_time[1] == 2
    before = times <= np.pi / 6
    assert np.isfinite(result.states[0, before]).all() and np.isnan(result.states[0, ~before]).all()
    assert list(result.events.index) == [0] and list(result.events.of(0).index) == [0]
    assert abs(result.final_state[0, 0] - 0.5) < 1e-12


def test_starting_on_a_surface_is_no_event():
    """A value of zero at the start counts neither then nor when it is left."""
    result = integrate(oscillator(events=lambda y, t, p: [y[0]]), [0.0, 1.0], [0, 3], events=[Event()])
    assert len(result.events.time) == 0


def test_many_events_overflow_no_log():
    """More events than the log holds at once."""
    fast = oscillator(events=lambda y, t, p: [ca.sin(40 * t), ca.cos(40 * t)])
    result = integrate(fast, np.tile([0.0, 1.0], (16, 1)), [0, 20], max_step=0.02)
    count = int(20 * 40 / np.pi) + int(20 * 40 / np.pi + 0.5)
    assert len(result.events.time) == 16 * count
    one = result.events.of(5)
    assert np.allclose(np.diff(one.time), np.pi / 80, atol=1e-9)


def test_event_time_in_lanes_equals_scalar():
    """The search of one lane is not changed by the others'."""
    falling = system(lambda y, t, p: [y[1], -p], 2, 1, events=lambda y, t, p: [y[0] - 0.1, y[0] - 0.2])
    p = np.linspace(1, 20, 13)[:, None]
    wide = integrate(falling, [1.3, 0.2], [0, 0.5, 1], p=p, lanes=8)
    narrow = integrate(falling, [1.3, 0.2], [0, 0.5, 1], p=p, lanes=1)
    assert len(wide.events.time) > 10
    assert np.array_equal(wide.events.time, narrow.events.time)
    assert np.array_equal(wide.events.state, narrow.events.state)


def test_descriptions_are_checked():
    """A direction that is none, and a wrong number of events."""
    with pytest.raises(InputError, match="allowed: -1, 0, 1"):
        Event(2)
    with pytest.raises(InputError, match="2 events are described, but the system has 1"):
        integrate(
            oscillator(events=lambda y, t, p: [y[0]]),
            [0, 1],
            [0, 1],
            method=DormandPrince54(),
            events=[Event(), Event()],
        )
