"""Events: zeros of the event functions within a step, located on the dense output and written to a log."""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.loops.interpolation import extra_stages, interpolate, interpolate_on_manifold
from condyle.solve.native.language import native
from condyle.solve.state import (
    EVENT_NEW,
    EVENT_OUT,
    G_NEW,
    G_OLD,
    G_OUT,
    NOWHERE,
    OUT,
    POINTER_BYTES,
    ROOT,
    SIZE,
    THETA,
    TIME_NEW,
    TIME_OUT,
    State,
)

BISECT_AFTER = 25
ITERATIONS = 120


@native
def detect(s: State) -> int:
    """Find, locate and log the events of this step; 1 if there are any (the extra stages are then there)."""
    call(s.event_kernel, s.pointers + POINTER_BYTES * EVENT_NEW, 1)
    if mark(s) == 0:
        return 0
    extra_stages(s, 0)
    for event in range(s.n_events):
        locate(s, event)
    write_log(s)
    return 1


@native
def mark(s: State) -> int:
    """Set values[ROOT] to 1 for each event that crosses zero in this step, else NOWHERE; return how many do.

    Lanes that have one are masked.

    A zero at the start of a step has been reported at the end of the step before and does not count.
    """
    count = 0
    for lane in range(s.width):
        s.masked[lane] = 0
    for event in range(s.n_events):
        for lane in range(s.width):
            at = event * s.width + lane
            s.values[ROOT, at] = NOWHERE
            if s.accepted[lane]:
                old = s.values[G_OLD, at]
                new = s.values[G_NEW, at]
                rises = old < 0.0 and new >= 0.0 and s.directions[event] >= 0
                falls = old > 0.0 and new <= 0.0 and s.directions[event] <= 0
                if rises or falls:
                    s.values[ROOT, at] = 1.0
                    s.masked[lane] = 1
                    count += 1
    return count


@native
def locate(s: State, event: int) -> None:
    """Narrow the bracket of one event in all lanes at once: false position (Illinois), then bisection.

    The place that is kept is the end of the bracket where the sign has changed.
    """
    for lane in range(s.width):
        at = event * s.width + lane
        s.searching[lane] = s.values[ROOT, at] == 1.0
        s.low[lane] = 0.0
        s.high[lane] = 1.0
        s.g_low[lane] = s.values[G_OLD, at]
        s.g_high[lane] = s.values[G_NEW, at]
        s.side[lane] = 0
    for iteration in range(ITERATIONS):
        pending = 0
        for lane in range(s.width):
            s.flow[THETA, lane] = 0.0
            if s.searching[lane]:
                low = s.low[lane]
                high = s.high[lane]
                # 1e-13 of the time or of the step, whichever is larger, but not below round-off of theta.
                narrow = max(1e-13 * abs(s.flow[TIME_NEW, lane]) / s.flow[SIZE, lane], 1e-13)
                if high - low <= narrow or s.g_high[lane] == 0.0:
                    s.searching[lane] = 0
                    s.values[ROOT, event * s.width + lane] = high
                else:
                    theta = 0.5 * (low + high)
                    if iteration < BISECT_AFTER:
                        theta = high - s.g_high[lane] * (high - low) / (s.g_high[lane] - s.g_low[lane])
                        # A step aside of an end that is already close, so that both ends close in.
                        theta = min(max(theta, low + 0.5 * narrow), high - 0.5 * narrow)
                    s.flow[THETA, lane] = theta
                    pending += 1
        if pending == 0:
            break
        interpolate(s)
        call(s.event_kernel, s.pointers + POINTER_BYTES * EVENT_OUT, 1)
        for lane in range(s.width):
            if s.searching[lane]:
                g = s.values[G_OUT, event * s.width + lane]
                if g != 0.0 and (g > 0.0) == (s.g_low[lane] > 0.0):
                    s.low[lane] = s.flow[THETA, lane]
                    s.g_low[lane] = g
                    if s.side[lane] == -1:
                        s.g_high[lane] *= 0.5
                    s.side[lane] = -1
                else:
                    s.high[lane] = s.flow[THETA, lane]
                    s.g_high[lane] = g
                    if s.side[lane] == 1:
                        s.g_low[lane] *= 0.5
                    s.side[lane] = 1


@native
def write_log(s: State) -> None:
    """Log the located events of each lane in order of time, up to its first terminal one (`cut`)."""
    for lane in range(s.width):
        for event in range(s.n_events):
            if s.terminal[event] and s.accepted[lane]:
                s.cut[lane] = min(s.cut[lane], s.values[ROOT, event * s.width + lane])
    while True:
        pending = 0
        for lane in range(s.width):
            s.flow[THETA, lane] = 0.0
            s.masked[lane] = 0
            first = min(1.0, s.cut[lane])
            for event in range(s.n_events):
                if s.values[ROOT, event * s.width + lane] <= first:
                    first = s.values[ROOT, event * s.width + lane]
                    s.side[lane] = event
                    s.masked[lane] = 1
                    s.flow[THETA, lane] = first
            pending += s.masked[lane]
        if pending == 0:
            break
        interpolate_on_manifold(s)
        for lane in range(s.width):
            if s.masked[lane]:
                event = s.side[lane]
                s.values[ROOT, event * s.width + lane] = NOWHERE
                row = s.log_rows
                s.log_member[row] = s.member[lane]
                s.log_index[row] = event
                s.log_time[row] = s.flow[TIME_OUT, lane]
                for entry in range(s.n):
                    s.log_states[row, entry] = s.work[OUT, entry * s.width + lane]
                    if s.terminal[event]:
                        s.final[s.member[lane], entry] = s.work[OUT, entry * s.width + lane]
                if s.terminal[event]:
                    s.final_time[s.member[lane]] = s.flow[TIME_OUT, lane]
                s.log_rows = row + 1
