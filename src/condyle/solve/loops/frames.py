"""Newton steps from frame to frame, each started from the last frame that succeeded; one member per lane."""

from __future__ import annotations

from condyle.kernels.by_address import call
from condyle.solve.frames_state import (
    CHANGE,
    MERIT,
    REGULARITY,
    RESIDUAL,
    SHORTENING,
    TRYING,
    FramesState,
)
from condyle.solve.native.language import native
from condyle.solve.state import BUDGET, FINISHED, IDLE, NOT_CONVERGED, OK, RUNNING, SINGULAR, STARTING
from condyle.status import Status

INFEASIBLE = int(Status.INFEASIBLE)
BAD_INPUT = int(Status.BAD_INPUT)
LEAST_SCALE = 1e-6
NEAR = 1e-6  # steps this short are taken even where round-off hides that they help
DEPENDENT = 1e-8  # regularity below which the equations count as singular


@native
def frames(s: FramesState, rounds: int) -> int:
    """Up to `rounds` kernel calls of all lanes; returns why it stopped. All state is in the struct."""
    for _ in range(rounds):
        if fetch(s) == 0:
            return FINISHED
        call(s.kernel, s.pointers, 1)
        for lane in range(s.width):
            if s.phase[lane] != IDLE:
                if s.asked[lane] == SHORTENING:
                    for entry in range(lane, s.n * s.width, s.width):
                        s.trial[entry] = s.following[entry]
                    s.asked[lane] = TRYING
                else:
                    judge(s, lane)
    return BUDGET


@native
def fetch(s: FramesState) -> int:
    """Give idle lanes the next members; returns the number of busy lanes."""
    busy = 0
    for lane in range(s.width):
        if s.phase[lane] == IDLE and s.queue_next < s.queue_stop:
            member = s.queue_next
            s.queue_next += 1
            s.member[lane] = member
            s.followed[lane] = 0
            for entry in range(s.n):
                s.origin[lane, entry] = s.start[member, 0, entry]
            for entry in range(s.n_parameters):
                s.parameter_lanes[entry * s.width + lane] = s.parameters[member, entry]
            begin(s, lane, 0)
        busy += s.phase[lane] != IDLE
    return busy


@native
def begin(s: FramesState, lane: int, first: int) -> None:
    """The next frame from `first` on that can be solved, from the last one that was."""
    member = s.member[lane]
    frame = first
    while frame < s.n_frames:
        if s.status[member, frame] != BAD_INPUT:
            break
        for entry in range(s.n):
            s.solution[member, frame, entry] = s.origin[lane, entry]
        frame += 1
    if frame == s.n_frames:
        s.phase[lane] = IDLE
        return
    s.frame[lane] = frame
    if s.followed[lane] == 0 and s.n_starts > 1:
        for entry in range(s.n):
            s.origin[lane, entry] = s.start[member, frame, entry]
    for entry in range(s.n):
        s.trial[entry * s.width + lane] = s.origin[lane, entry]
        s.best[lane, entry] = s.origin[lane, entry]
        s.accepted[lane, entry] = s.origin[lane, entry]
    for entry in range(s.n_targets):
        s.target_lanes[entry * s.width + lane] = s.targets[member, frame, entry]
    s.phase[lane] = STARTING
    s.asked[lane] = TRYING
    s.scale[lane] = 1.0
    s.count[lane] = 0
    s.lowest[lane] = 1e300
    s.best_residual[lane] = 1e300
    s.best_regularity[lane] = 0.0


@native
def judge(s: FramesState, lane: int) -> None:
    """Accept the trial where it is nearer, and step on; else shorten the step; finish if that is all.

    Nearer: the residuals are smaller, or the Newton step from there is. With weights of 1000 the residuals
    alone reject what a full step does to the joints in second order.
    """
    merit = s.measures[MERIT * s.width + lane]
    change = s.measures[CHANGE * s.width + lane]
    finite = merit < 1e300 and change < 1e300
    starting = s.phase[lane] == STARTING
    if starting and not finite:
        finish(s, lane, SINGULAR)
    elif starting or (
        finite and (s.moved[lane] <= NEAR or merit <= s.merit[lane] or change <= 0.75 * s.change[lane])
    ):
        accept(s, lane)
    elif s.scale[lane] < LEAST_SCALE:
        finish(s, lane, reason(s, lane))
    else:
        s.scale[lane] *= 0.5
        s.moved[lane] *= 0.5
        for entry in range(s.n):
            s.trial[entry * s.width + lane] = s.accepted[lane, entry]
        s.asked[lane] = SHORTENING


@native
def accept(s: FramesState, lane: int) -> None:
    """Keep the trial; its full step leads to the next one, or is the last."""
    change = s.measures[CHANGE * s.width + lane]
    s.count[lane] += s.phase[lane] == RUNNING
    s.phase[lane] = RUNNING
    s.merit[lane] = s.measures[MERIT * s.width + lane]
    if s.merit[lane] <= s.lowest[lane]:
        s.lowest[lane] = s.merit[lane]
        s.best_residual[lane] = s.measures[RESIDUAL * s.width + lane]
        s.best_regularity[lane] = s.measures[REGULARITY * s.width + lane]
        for entry in range(s.n):
            s.best[lane, entry] = s.trial[entry * s.width + lane]
    # After a shortened step, what the kernel gave leads less than the whole way: ask again for all of it.
    shortened = s.scale[lane] < 1.0
    s.scale[lane] = 1.0
    s.change[lane] = change
    s.moved[lane] = change
    for entry in range(s.n):
        s.accepted[lane, entry] = s.trial[entry * s.width + lane]
    if not change < 1e300:
        finish(s, lane, SINGULAR)
    elif change <= s.tolerance and not shortened:
        s.best_residual[lane] = s.measures[RESIDUAL * s.width + lane]
        s.best_regularity[lane] = s.measures[REGULARITY * s.width + lane]
        for entry in range(s.n):
            s.best[lane, entry] = s.following[entry * s.width + lane]
        if s.best_residual[lane] > s.allowed:
            finish(s, lane, INFEASIBLE)
        else:
            finish(s, lane, OK if s.best_regularity[lane] >= DEPENDENT else SINGULAR)
    elif s.count[lane] >= s.max_iterations:
        finish(s, lane, reason(s, lane))
    elif shortened:
        s.asked[lane] = SHORTENING
    else:
        for entry in range(lane, s.n * s.width, s.width):
            s.trial[entry] = s.following[entry]


@native
def reason(s: FramesState, lane: int) -> int:
    """Why a frame that found no end failed."""
    if s.best_residual[lane] > s.allowed:
        return INFEASIBLE
    return SINGULAR if s.best_regularity[lane] < DEPENDENT else NOT_CONVERGED


@native
def finish(s: FramesState, lane: int, status: int) -> None:
    """Note how a frame ended, and go on to the next."""
    member = s.member[lane]
    frame = s.frame[lane]
    s.status[member, frame] = status
    s.iterations[member, frame] = s.count[lane]
    s.residual[member, frame] = s.best_residual[lane]
    s.regularity[member, frame] = s.best_regularity[lane]
    if status == OK:
        s.followed[lane] = 1
    for entry in range(s.n):
        s.solution[member, frame, entry] = s.best[lane, entry]
        if status == OK:
            s.origin[lane, entry] = s.best[lane, entry]
    begin(s, lane, frame + 1)
