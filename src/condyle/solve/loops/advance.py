"""What follows every trial, whatever the method: manifold, derivative, events, output, adoption."""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.loops.closing import close_accepted, close_projected
from condyle.solve.loops.crossings import detect
from condyle.solve.loops.first_step import first_steps
from condyle.solve.loops.manifold import normalise, project
from condyle.solve.loops.output import write_outputs
from condyle.solve.loops.sweeps import copy, copy_lane, fold
from condyle.solve.native.language import native
from condyle.solve.state import (
    AT_NEW,
    EVENT,
    G_NEW,
    G_OLD,
    IDLE,
    NEW,
    NOWHERE,
    OK,
    POINTER_BYTES,
    PROJECT_NEW,
    RESIDUAL,
    RUNNING,
    SCRATCH,
    SINGULAR,
    SPARE,
    STARTING,
    SUM,
    TIME,
    TIME_NEW,
    TOO_MANY_STEPS,
    K,
    State,
    Y,
)


@native
def advance(s: State) -> None:
    """Everything between one trial and the next."""
    starting = 0
    for lane in range(s.width):
        s.cut[lane] = NOWHERE
        s.extended[lane] = 0
        if s.failed[lane]:
            s.accepted[lane] = 0
        s.masked[lane] = s.accepted[lane] or s.phase[lane] == STARTING
        s.changed[lane] = s.phase[lane] == STARTING
        starting += s.phase[lane] == STARTING
    restore(s)
    differentiate(s)
    extras = 0
    if s.event_kernel:
        extras = detect(s)
    write_outputs(s, extras)
    adopt(s)
    retire(s)
    if starting:
        if s.fixed == 0 and s.step == 0.0:
            first_steps(s)
        for lane in range(s.width):
            if s.phase[lane] == STARTING:
                s.phase[lane] = RUNNING


@native
def restore(s: State) -> None:
    """Bring the trial state of the masked lanes (accepted or starting) onto the manifold."""
    normalise(s, NEW)
    close_accepted(s)
    if s.position_kernel:
        project(s, s.position_kernel, PROJECT_NEW, NEW, s.position_tolerance)
        close_projected(s)
        for lane in range(s.width):
            if s.masked[lane]:
                member = s.member[lane]
                s.position_residual[member] = max(s.position_residual[member], s.flow[RESIDUAL, lane])
    if s.velocity_kernel:
        project(s, s.velocity_kernel, PROJECT_NEW, NEW, s.velocity_tolerance)
        for lane in range(s.width):
            if s.masked[lane]:
                member = s.member[lane]
                s.velocity_residual[member] = max(s.velocity_residual[member], s.flow[RESIDUAL, lane])


@native
def differentiate(s: State) -> None:
    """work[K + next] = f at the trial state; a lane whose state or derivative is not finite fails.

    A method whose last stage is that derivative evaluates again only the lanes that start or were projected.
    (Normalising moves a state by less than the local error; its effect on that stage is smaller by a further
    factor of the step, and is let be.)
    """
    needed = 0
    for lane in range(s.width):
        if s.masked[lane] and (s.changed[lane] or s.fsal == 0):
            needed += 1
            s.evaluations[s.member[lane]] += 1
    if needed:
        call(s.rhs, s.pointers + POINTER_BYTES * AT_NEW, 1)
        if s.fsal:
            for lane in range(s.width):
                if s.changed[lane]:
                    copy_lane(s, SPARE, K + s.next, lane)
    rate = K + s.next
    for entry in range(s.size):
        s.work[SCRATCH, entry] = (s.work[NEW, entry] + s.work[rate, entry]) * 0.0
    fold(s, SCRATCH, SUM)
    for lane in range(s.width):
        if s.masked[lane] and s.failed[lane] == OK and s.flow[SUM, lane] != 0.0:
            s.failed[lane] = SINGULAR
        if s.failed[lane]:
            s.accepted[lane] = 0


@native
def adopt(s: State) -> None:
    """Make the trial state the state of the lanes that accepted or start."""
    adopting = 0
    for lane in range(s.width):
        adopting += s.accepted[lane] or s.phase[lane] == STARTING
    if adopting == s.width:
        copy(s, NEW, Y)
        copy(s, K + s.next, K + s.first)
        for entry in range(s.n_events * s.width):
            s.values[G_OLD, entry] = s.values[G_NEW, entry]
        for lane in range(s.width):
            s.flow[TIME, lane] = s.flow[TIME_NEW, lane]
    elif adopting:
        for lane in range(s.width):
            if s.accepted[lane] or s.phase[lane] == STARTING:
                copy_lane(s, NEW, Y, lane)
                copy_lane(s, K + s.next, K + s.first, lane)
                for entry in range(lane, s.n_events * s.width, s.width):
                    s.values[G_OLD, entry] = s.values[G_NEW, entry]
                s.flow[TIME, lane] = s.flow[TIME_NEW, lane]


@native
def retire(s: State) -> None:
    """Count the steps; note how members that are done or failed ended, and free their lanes."""
    for lane in range(s.width):
        if s.phase[lane] != IDLE:
            member = s.member[lane]
            status = s.failed[lane]
            done = status != OK
            if s.accepted[lane]:
                s.steps[member] += 1
                if done == 0:
                    if s.cut[lane] <= 1.0:
                        done = 1
                        status = EVENT
                    elif s.landing[lane]:
                        done = 1
                    elif s.steps[member] + s.rejections[member] >= s.max_steps:
                        done = 1
                        status = TOO_MANY_STEPS
            if done:
                s.status[member] = status
                s.phase[lane] = IDLE
            if done and status != EVENT:  # an event has written its own time and state
                s.final_time[member] = s.flow[TIME, lane]
                for entry in range(s.n):
                    s.final[member, entry] = s.work[Y, entry * s.width + lane]
