"""Damped Newton (m = n) and Gauss-Newton (m > n) iterations, one member per lane, free lanes refilled."""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.lu import factor, solve
from condyle.solve.native.language import native
from condyle.solve.newton_state import JACOBIAN, RESIDUAL, NewtonState
from condyle.solve.qr import solve_least_squares
from condyle.solve.state import (
    BUDGET,
    FINISHED,
    IDLE,
    NOT_CONVERGED,
    OK,
    POINTER_BYTES,
    RUNNING,
    SINGULAR,
    STARTING,
)

LEAST_DAMPING = 1e-8
DECREASE = 1e-4  # of the decrease that the linear model promises (Armijo)


@native
def newton(s: NewtonState, rounds: int) -> int:
    """Up to `rounds` evaluations of all lanes; returns why it stopped. All state is in the struct."""
    for _ in range(rounds):
        if fetch(s) == 0:
            return FINISHED
        call(s.residual_kernel, s.pointers + POINTER_BYTES * RESIDUAL, 1)
        wanted = 0
        for lane in range(s.width):
            s.stepping[lane] = 0
            if s.phase[lane] != IDLE:
                judge(s, lane)
                wanted += s.stepping[lane]
        if wanted:
            call(s.jacobian_kernel, s.pointers + POINTER_BYTES * JACOBIAN, 1)
            for lane in range(s.width):
                if s.stepping[lane]:
                    step(s, lane)
    return BUDGET


@native
def fetch(s: NewtonState) -> int:
    """Give idle lanes the next members; returns the number of busy lanes."""
    busy = 0
    for lane in range(s.width):
        if s.phase[lane] == IDLE and s.queue_next < s.queue_stop:
            member = s.order[s.queue_next]
            s.queue_next += 1
            s.member[lane] = member
            s.phase[lane] = STARTING
            for entry in range(s.n):
                s.trial[entry * s.width + lane] = s.initial[member, entry]
            for entry in range(s.n_parameters):
                s.parameter_lanes[entry * s.width + lane] = s.parameters[member, entry]
        busy += s.phase[lane] != IDLE
    return busy


@native
def judge(s: NewtonState, lane: int) -> None:
    """Accept the trial if the residual has fallen enough, else halve the step; finish if that is all."""
    member = s.member[lane]
    merit = 0.0
    largest = 0.0
    for entry in range(lane, s.m * s.width, s.width):
        merit += s.residual[entry] * s.residual[entry]
        largest = max(largest, abs(s.residual[entry]))
    finite = merit < 1e300
    if s.phase[lane] == STARTING and not finite:
        finish(s, lane, SINGULAR)
    elif s.phase[lane] == STARTING or (
        finite and merit <= s.merit[lane] - 2.0 * DECREASE * s.damping[lane] * s.promise[lane]
    ):
        s.merit[lane] = merit
        s.norm[member] = largest
        for entry in range(s.n):
            s.accepted[lane, entry] = s.trial[entry * s.width + lane]
        if s.phase[lane] == RUNNING:
            s.iterations[member] += 1
        s.phase[lane] = RUNNING
        if largest <= s.tolerance:
            finish(s, lane, OK)
        elif s.iterations[member] >= s.max_iterations:
            finish(s, lane, NOT_CONVERGED)
        else:
            s.stepping[lane] = 1
    elif small_step(s, lane):
        # No decrease because there is none to be had: a least-squares minimum, or round-off of the root.
        finish(s, lane, OK if s.m > s.n else NOT_CONVERGED)
    elif s.damping[lane] < LEAST_DAMPING:
        finish(s, lane, NOT_CONVERGED)
    else:
        s.damping[lane] *= 0.5
        move(s, lane)


@native
def step(s: NewtonState, lane: int) -> None:
    """Solve J z = -r at the accepted state and try the whole of it."""
    for row in range(s.m):
        s.vector[lane, row] = 0.0 - s.residual[row * s.width + lane]
        for column in range(s.n):
            s.matrix[lane, row, column] = s.jacobian[(row * s.n + column) * s.width + lane]
    regular = 0
    if s.m == s.n:
        regular = factor(s.matrix, s.pivots, lane, s.n)
        if regular:
            solve(s.matrix, s.pivots, s.vector, lane, s.n)
    else:
        regular = solve_least_squares(s.matrix, s.vector, lane, s.m, s.n)
    if regular == 0:
        finish(s, lane, SINGULAR)
        return
    s.promise[lane] = 0.0  # |J z|^2 is what the linear model takes off |r|^2
    for row in range(s.m):
        total = 0.0
        for column in range(s.n):
            total += s.jacobian[(row * s.n + column) * s.width + lane] * s.vector[lane, column]
        s.promise[lane] += total * total
    s.damping[lane] = 1.0
    if s.m > s.n and small_step(s, lane):
        finish(s, lane, OK)
        return
    move(s, lane)


@native
def small_step(s: NewtonState, lane: int) -> int:
    """Whether the step is within its tolerance of nothing, entry by entry."""
    for entry in range(s.n):
        bound = s.step_tolerance * (1.0 + abs(s.accepted[lane, entry]))
        if not s.damping[lane] * abs(s.vector[lane, entry]) <= bound:
            return 0
    return 1


@native
def move(s: NewtonState, lane: int) -> None:
    """The next trial of a lane."""
    for entry in range(s.n):
        s.trial[entry * s.width + lane] = s.accepted[lane, entry] + s.damping[lane] * s.vector[lane, entry]


@native
def finish(s: NewtonState, lane: int, status: int) -> None:
    """Note how a member ended, and free its lane."""
    member = s.member[lane]
    s.status[member] = status
    if s.phase[lane] == RUNNING:
        for entry in range(s.n):
            s.solution[member, entry] = s.accepted[lane, entry]
    s.phase[lane] = IDLE
