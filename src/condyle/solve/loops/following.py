"""Unknowns followed along a straight path of given coordinates, one member per lane, free lanes refilled.

Each step predicts along the secant and corrects by Newton's method. A step whose correction is long or slow,
or
that ends on another side of a singularity, is halved: so the assembly is the one that the path leads to.
"""

from __future__ import annotations

from math import sqrt

from condyle.kernels.by_address import call
from condyle.solve.closing_state import ClosingState
from condyle.solve.native.language import native
from condyle.solve.state import BUDGET, FINISHED, IDLE, NOT_CONVERGED, OK, RUNNING, SINGULAR, STARTING

CLOSED = 1e-9  # a correction this small is the last one: its error is of the order of its square
SLOW = 7  # corrections after which a step is halved
FARTHEST = 0.3  # corrections longer than this may be leaps
ATTEMPTS = 30  # corrections at the start of the path, which may be far from closed
COMPLETE = 1.0 - 1e-12  # round-off of the places
LEAST = 1e-6  # part of the path below which a step is not halved any more


@native
def follow(s: ClosingState, rounds: int) -> int:
    """Up to `rounds` evaluations of all lanes; returns why it stopped. All state is in the struct."""
    for _ in range(rounds):
        if fetch(s) == 0:
            return FINISHED
        call(s.kernel, s.pointers, 1)
        for lane in range(s.width):
            if s.phase[lane] != IDLE:
                correct(s, lane)
    return BUDGET


@native
def fetch(s: ClosingState) -> int:
    """Give idle lanes the next members; returns the number of busy lanes."""
    busy = 0
    for lane in range(s.width):
        if s.phase[lane] == IDLE and s.queue_next < s.queue_stop:
            member = s.order[s.queue_next]
            s.queue_next += 1
            s.member[lane] = member
            s.phase[lane] = STARTING
            s.tries[lane] = 0
            s.corrections[lane] = 0
            s.place[lane] = 0.0
            s.place_before[lane] = 0.0
            s.size[lane] = 0.0
            for entry in range(s.nz):
                s.z[entry * s.width + lane] = s.initial[member, entry]
            for entry in range(s.n_parameters):
                s.parameter_lanes[entry * s.width + lane] = s.parameters[member, entry]
            place_coordinates(s, lane)
        busy += s.phase[lane] != IDLE
    return busy


@native
def place_coordinates(s: ClosingState, lane: int) -> None:
    """The given coordinates at the end of the step, Euler parameters of unit length."""
    member = s.member[lane]
    at = s.place[lane] + s.size[lane]
    for entry in range(s.nq):
        first = s.start[member, entry]
        last = s.goal[member, entry]
        s.q[entry * s.width + lane] = last if at >= COMPLETE else first + at * (last - first)
    for group in range(s.n_units):
        square = 0.0
        for entry in range(s.units[group], s.units[group] + 4):
            square += s.q[entry * s.width + lane] * s.q[entry * s.width + lane]
        scale = 1.0 / sqrt(square)
        for entry in range(s.units[group], s.units[group] + 4):
            s.q[entry * s.width + lane] *= scale


@native
def correct(s: ClosingState, lane: int) -> None:
    """One Newton correction of a lane, and what follows from it."""
    member = s.member[lane]
    longest = 0.0
    relative = 0.0
    total = 0.0
    for entry in range(lane, s.nz * s.width, s.width):
        longest = max(longest, abs(s.step[entry]))
        relative = max(relative, abs(s.step[entry]) / (1.0 + abs(s.z[entry])))
        total += s.step[entry]
    s.corrections[lane] += 1
    s.iterations[member] += 1
    finite = total == total
    if s.phase[lane] == STARTING:
        # The start may not be closed: shortened steps find the nearest assembly.
        if finite == 0 or s.corrections[lane] > ATTEMPTS:
            finish(s, lane, NOT_CONVERGED if finite else SINGULAR)
            return
        move(s, lane, min(1.0, FARTHEST / max(longest, 1e-300)))
        if relative <= CLOSED:
            s.side[lane] = s.branch[lane]
            s.phase[lane] = RUNNING
            accept(s, lane)
        return
    if finite == 0 or longest > FARTHEST or s.corrections[lane] > SLOW or s.branch[lane] != s.side[lane]:
        s.size[lane] *= 0.5
        s.tries[lane] += 1
        if s.size[lane] < LEAST or s.tries[lane] > s.max_steps:
            finish(s, lane, NOT_CONVERGED if s.tries[lane] > s.max_steps else SINGULAR)
            return
        predict(s, lane)
        return
    move(s, lane, 1.0)
    if relative <= CLOSED:
        accept(s, lane)


@native
def move(s: ClosingState, lane: int, part: float) -> None:
    """Take a part of the correction."""
    for entry in range(lane, s.nz * s.width, s.width):
        s.z[entry] += part * s.step[entry]


@native
def accept(s: ClosingState, lane: int) -> None:
    """The step is done: note where the lane is, and take the next one."""
    member = s.member[lane]
    s.most[member] = max(s.most[member], s.corrections[lane])
    for entry in range(s.nz):
        s.accepted_before[lane, entry] = s.accepted[lane, entry]
        s.accepted[lane, entry] = s.z[entry * s.width + lane]
    before = s.place[lane]
    s.place[lane] = before + s.size[lane]
    s.place_before[lane] = before
    moved = 0.0
    for entry in range(s.nq):
        moved = max(moved, abs(s.goal[member, entry] - s.start[member, entry]))
    if s.place[lane] >= COMPLETE or moved == 0.0:
        s.place[lane] = 1.0
        finish(s, lane, OK)
        return
    s.tries[lane] += 1
    if s.tries[lane] > s.max_steps:
        finish(s, lane, NOT_CONVERGED)
        return
    if s.size[lane] == 0.0:
        s.size[lane] = 1.0
    elif s.corrections[lane] <= 4:
        s.size[lane] *= 2.0
    s.size[lane] = min(s.size[lane], 1.0 - s.place[lane])
    predict(s, lane)


@native
def predict(s: ClosingState, lane: int) -> None:
    """Unknowns and given coordinates at the end of the next step."""
    s.corrections[lane] = 0
    place_coordinates(s, lane)
    ratio = 0.0
    if s.place_before[lane] < s.place[lane]:
        ratio = s.size[lane] / (s.place[lane] - s.place_before[lane])
    for entry in range(s.nz):
        now = s.accepted[lane, entry]
        s.z[entry * s.width + lane] = now + ratio * (now - s.accepted_before[lane, entry])


@native
def finish(s: ClosingState, lane: int, status: int) -> None:
    """Note how a member ended, and free its lane."""
    member = s.member[lane]
    s.status[member] = status
    s.reached[member] = s.place[lane]
    if s.phase[lane] == RUNNING:
        for entry in range(s.nz):
            s.solution[member, entry] = s.accepted[lane, entry]
    s.phase[lane] = IDLE
