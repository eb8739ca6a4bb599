"""States that solve equations instead of being integrated: Newton steps, one state per lane.

They start from what the method itself predicts, the last accepted state plus the sum of the stages' rates;
never from where another trial ended, from which Newton's method may go to another assembly.
"""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.native.language import native
from condyle.solve.state import (
    CLOSE_NEW,
    CLOSE_OUT,
    CLOSE_STAGE,
    NEW,
    OUT,
    POINTER_BYTES,
    RUNNING,
    STAGE,
    STARTING,
    State,
)

ITERATIONS = 10
CLOSED = 1e-9  # rad or m; a step this small is the last one: its error is of the order of its square
FARTHEST = 0.5  # rad or m; a longer step would be a leap, perhaps to another assembly: the trial is given up


@native
def close_stage(s: State) -> None:
    """Close work[STAGE] of the running lanes."""
    if s.n_closing:
        for lane in range(s.width):
            s.closing[lane] = s.phase[lane] == RUNNING
        close(s, STAGE, CLOSE_STAGE)


@native
def close_trial(s: State) -> None:
    """Close work[NEW] of the running lanes, where it is the input of the last stage."""
    if s.n_closing:
        for lane in range(s.width):
            s.closing[lane] = s.phase[lane] == RUNNING
        close(s, NEW, CLOSE_NEW)


@native
def close_searching(s: State) -> None:
    """Close work[STAGE] of the lanes whose stage is still iterated."""
    if s.n_closing:
        for lane in range(s.width):
            s.closing[lane] = s.masked[lane]
        close(s, STAGE, CLOSE_STAGE)


@native
def close_starting(s: State) -> None:
    """Close work[STAGE] of the lanes that start."""
    if s.n_closing:
        for lane in range(s.width):
            s.closing[lane] = s.phase[lane] == STARTING
        close(s, STAGE, CLOSE_STAGE)


@native
def close_accepted(s: State) -> None:
    """Close work[NEW] of the masked lanes, unless their last stage did."""
    if s.n_closing:
        for lane in range(s.width):
            s.closing[lane] = s.masked[lane] and (s.closes == 0 or s.phase[lane] == STARTING)
        close(s, NEW, CLOSE_NEW)


@native
def close_projected(s: State) -> None:
    """Close work[NEW] of the masked lanes after a projection has moved them."""
    if s.n_closing:
        for lane in range(s.width):
            s.closing[lane] = s.masked[lane]
        close(s, NEW, CLOSE_NEW)


@native
def close_output(s: State) -> None:
    """Close work[OUT] of the masked lanes."""
    if s.n_closing:
        for lane in range(s.width):
            s.closing[lane] = s.masked[lane]
        close(s, OUT, CLOSE_OUT)


@native
def close(s: State, row: int, pointers: int) -> None:
    """Newton steps of the lanes with `closing`; the states of a lane that does not get there become NaN."""
    waiting = 0
    for lane in range(s.width):
        if s.closing[lane]:
            waiting += 1
            s.closing_solves[s.member[lane]] += 1
    iteration = 0
    first = s.n_free * s.width
    while waiting:
        call(s.closing_kernel, s.pointers + POINTER_BYTES * pointers, 1)
        iteration += 1
        waiting = 0
        for lane in range(s.width):
            if s.closing[lane]:
                longest = 0.0
                total = 0.0
                for entry in range(lane, s.n_closing * s.width, s.width):
                    step = s.closing_step[entry]
                    total += step
                    longest = max(longest, abs(step))
                    s.work[row, first + entry] += step
                good = longest <= FARTHEST and total == total
                if longest <= CLOSED or iteration >= ITERATIONS or good == 0:
                    member = s.member[lane]
                    s.closing[lane] = 0
                    s.closing_steps[member] += iteration
                    s.closing_most[member] = max(s.closing_most[member], iteration)
                    if good == 0 or not longest <= CLOSED:
                        for entry in range(lane, s.n_closing * s.width, s.width):
                            s.work[row, first + entry] = (longest - longest) / (longest - longest)
                else:
                    waiting += 1
