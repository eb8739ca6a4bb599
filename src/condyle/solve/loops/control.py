"""Per lane: the size of the next trial, the verdict on a trial, the first step, the next member."""

from __future__ import annotations

from math import sqrt

from condyle.solve.loops.sweeps import spread
from condyle.solve.native.language import native
from condyle.solve.state import (
    ATOL,
    ERROR,
    IDLE,
    NEW,
    OK,
    RUNNING,
    SINGULAR,
    SIZE,
    STARTING,
    STEP,
    STEP_TOO_SMALL,
    TIME,
    TIME_NEW,
    TOO_MANY_STEPS,
    State,
    Y,
)

LEAST_ERROR = 1e-4  # a lucky step must not excite the memory of the controller
ROUND_OFF = 2.220446049250313e-16


@native
def choose_sizes(s: State) -> int:
    """flow[SIZE], flow[TIME_NEW], work[STEP] of the next trial; returns the number of running lanes.

    The last step is cut, or stretched by up to 1 %, to land on the end itself.
    """
    running = 0
    different = 0
    for lane in range(s.width):
        size = 0.0
        if s.phase[lane] == RUNNING:
            running += 1
            time = s.flow[TIME, lane]
            if s.fixed:
                # Counted, not summed: the grid is the same however long the run.
                size = s.step
                step = s.steps[s.member[lane]] + 1
                s.landing[lane] = step >= s.n_steps
                s.flow[TIME_NEW, lane] = s.start + step * s.step
            else:
                size = min(s.next_step[lane], s.max_step)
                s.landing[lane] = time + 1.01 * size >= s.end
                s.flow[TIME_NEW, lane] = time + size
            if s.landing[lane]:
                size = s.end - time
                s.flow[TIME_NEW, lane] = s.end
        if size != s.flow[SIZE, lane]:
            s.flow[SIZE, lane] = size
            different = 1
    if different:
        spread(s, SIZE, STEP)
    return running


@native
def scaled_squares(s: State, row: int, target: int) -> None:
    """work[target] = (work[row] / (atol + rtol * max(|y|, |y_new|))) squared."""
    for entry in range(s.size):
        old = abs(s.work[Y, entry])
        new = abs(s.work[NEW, entry])
        ratio = s.work[row, entry] / (s.work[ATOL, entry] + s.rtol * max(old, new))
        s.work[target, entry] = ratio * ratio


@native
def judge(s: State, evaluations: int) -> None:
    """Accept or reject the trial of each running lane by flow[ERROR], and set the size of its next one.

    An error that is not finite: the trial went where the equations have no value; the step shrinks until it
    does not, and if that does not help, the state itself is singular.
    """
    for lane in range(s.width):
        s.accepted[lane] = 0
        if s.phase[lane] == RUNNING:
            member = s.member[lane]
            s.evaluations[member] += evaluations
            error = s.flow[ERROR, lane]
            size = s.flow[SIZE, lane]
            if s.fixed:
                s.accepted[lane] = 1
            elif error <= 1.0:
                factor = s.grow
                if error > 0.0:
                    factor = s.safety * error ** (-s.exponent) * s.error_before[lane] ** s.memory
                    factor = max(s.shrink, min(factor, 1.0 if s.rejected[lane] else s.grow))
                s.next_step[lane] = size * factor
                s.error_before[lane] = max(error, LEAST_ERROR)
                s.accepted[lane] = 1
                s.rejected[lane] = 0
            else:
                finite = error < 1e300
                factor = s.shrink
                if finite:
                    factor = max(s.shrink, min(0.9, s.safety * error ** (-s.exponent)))
                s.next_step[lane] = size * factor
                s.rejected[lane] = 1
                s.rejections[member] += 1
                if s.next_step[lane] <= max(16.0 * ROUND_OFF * abs(s.flow[TIME, lane]), 1e-300):
                    s.failed[lane] = STEP_TOO_SMALL if finite else SINGULAR
                elif s.steps[member] + s.rejections[member] >= s.max_steps:
                    s.failed[lane] = TOO_MANY_STEPS


@native
def fetch(s: State) -> int:
    """Give idle lanes the next members of the queue: state into work[NEW]; the number of busy lanes."""
    busy = 0
    for lane in range(s.width):
        if s.phase[lane] == IDLE and s.queue_next < s.queue_stop:
            member = s.order[s.queue_next]
            s.queue_next += 1
            s.member[lane] = member
            s.phase[lane] = STARTING
            s.output[lane] = 0
            s.rejected[lane] = 0
            s.failed[lane] = OK
            s.error_before[lane] = LEAST_ERROR
            s.contraction[lane] = 1.0
            s.next_step[lane] = s.step
            s.flow[TIME, lane] = s.start
            s.flow[TIME_NEW, lane] = s.start
            for entry in range(s.n):
                s.work[NEW, entry * s.width + lane] = s.initial[member, entry]
            for entry in range(s.n_parameters):
                s.parameter_lanes[entry * s.width + lane] = s.parameters[member, entry]
        busy += s.phase[lane] != IDLE
    return busy


@native
def scaled_norm(s: State, row: int, minus: int, lane: int) -> float:
    """RMS over one lane of (work[row] - work[minus]) / (atol + rtol * |y|)."""
    total = 0.0
    for entry in range(lane, s.size, s.width):
        scale = s.work[ATOL, entry] + s.rtol * abs(s.work[Y, entry])
        ratio = (s.work[row, entry] - s.work[minus, entry]) / scale
        total += ratio * ratio
    return sqrt(total / max(s.n_free, 1))
