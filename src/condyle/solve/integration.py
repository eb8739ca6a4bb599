"""`integrate`: one or many members through compiled loops, interruptible, on one or several threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from condyle.errors import InputError
from condyle.solve import state as rows
from condyle.solve.dormand_prince54 import DormandPrince54
from condyle.solve.interruption import CHUNK_SECONDS, interrupts_deferred, next_rounds
from condyle.solve.memory import Lanes
from condyle.solve.methods import Method, checked_method
from condyle.solve.problem import Problem, prepare
from condyle.solve.sundials import CVODES, run_cvodes
from condyle.solve.system import Event, System
from condyle.solve.trajectories import Occurrences, Trajectories


def integrate(
    system: System,
    y0: Any,
    times: Any,
    *,
    method: Method = DormandPrince54(),  # noqa: B008 (frozen)
    rtol: float = 1e-6,
    atol: Any = 1e-9,
    step: float | None = None,
    max_step: float | None = None,
    p: Any = None,
    constraint_tolerance: float | tuple[float, float] = 1e-8,
    max_steps: int | None = None,
    events: Sequence[Event] | None = None,
    threads: int = 1,
    lanes: int | None = None,
    keep_interrupted: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Trajectories:
    """Solve y' = f(y, t, p) for one or many members and return their states at `times`.

    y0 (..., n) and p (..., np) broadcast over their leading axes; each member has its own steps. times (nt,)
    increase; the first is the start, the last the end, on which the last step lands.
    method: one of `condyle.solve.METHODS`. rtol, atol (a number or (n,)): an error of RMS 1 in units of
    atol + rtol * max(|y|, |y_new|) is accepted. step: the step of a fixed-step method (the last one is
    shorter if need be), the first step of others (default: chosen). max_step: the longest.
    constraint_tolerance: residual to which states are projected, or two (positions, velocities); infinite:
    they are left where they are, and their residual is noted only.
    max_steps: accepted and rejected steps of a member before it stops with TOO_MANY_STEPS.
    events: one `Event` per event function of the system (default: report all crossings).
    threads: members are shared out among them. lanes: members advanced at once in one compiled loop (default:
    1 for a single member, else the kernel's preferred width); the result does not depend on it.
    keep_interrupted: on Ctrl-C return what there is, unfinished members as INTERRUPTED, instead of raising.
    progress: called with the finished fraction, about 100 times a second, in this thread.

    A member that fails keeps its status and its last good state, and never stops the others.
    """
    if threads < 1 or (lanes is not None and lanes < 1):
        raise InputError(f"threads ({threads}) and lanes ({lanes}) must be at least 1")
    method = checked_method(method)
    problem = prepare(
        system, y0, times, method, rtol, atol, step, max_step, p, constraint_tolerance, max_steps, events
    )
    if isinstance(method, CVODES):
        run_cvodes(problem)
        return _collect(problem, [])
    count = len(problem.order)
    if lanes is None:
        lanes = 1 if count == 1 else system.rhs.lanes
    queue = _Queue(count, lanes, threads)
    threads = max(1, min(threads, -(-count // lanes)))
    memories = [Lanes(problem, lanes) for _ in range(threads)]
    stop = threading.Event()
    try:
        if threads == 1:
            with interrupts_deferred(system.rhs.interpreted) as release:

                def between() -> None:
                    release()
                    _report(progress, problem, memories)

                _work(memories[0], queue, stop, between)
        else:
            _work_in_threads(memories, queue, stop, lambda: _report(progress, problem, memories))
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        for memory in memories:
            _keep_unfinished(memory)
    return _collect(problem, memories)


class _Queue:
    """Hands out ranges of members, smaller ones towards the end, so that threads finish together. Final."""

    def __init__(self, count: int, lanes: int, threads: int) -> None:
        self.count, self.lanes, self.threads = count, lanes, threads
        self.next = 0
        self.lock = threading.Lock()

    def take(self) -> tuple[int, int]:
        with self.lock:
            left = self.count - self.next
            size = left if self.threads == 1 else min(left, max(self.lanes, left // (2 * self.threads)))
            start, self.next = self.next, self.next + size
            return start, start + size


def _work(memory: Lanes, queue: _Queue, stop: threading.Event, between: Callable[[], None]) -> None:
    state = memory.state
    rounds = 1
    while not stop.is_set():
        if state.more and state.queue_next == state.queue_stop:
            state.queue_next, state.queue_stop = queue.take()
            state.more = state.queue_stop < queue.count
        begin = time.perf_counter()
        reason = memory.run(rounds)
        elapsed = time.perf_counter() - begin
        if reason == rows.FINISHED and not state.more:
            break
        if reason == rows.BUDGET:
            rounds = next_rounds(rounds, elapsed)
        between()


def _work_in_threads(
    memories: list[Lanes], queue: _Queue, stop: threading.Event, between: Callable[[], None]
) -> None:
    with ThreadPoolExecutor(len(memories)) as pool:
        futures = [pool.submit(_work, memory, queue, stop, lambda: None) for memory in memories]
        try:
            while True:
                done, waiting = wait(futures, CHUNK_SECONDS, FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if not waiting:
                    break
                between()
        finally:
            stop.set()


def _report(progress: Callable[[float], None] | None, problem: Problem, memories: list[Lanes]) -> None:
    if progress is None:
        return
    start, end = problem.times[0], problem.times[-1]
    done = float(np.count_nonzero(problem.outcome["status"] != rows.UNFINISHED))
    for memory in memories:
        busy = memory.state.phase == rows.RUNNING
        done += float(((memory.state.flow[rows.TIME] - start) / (end - start))[busy].sum())
    progress(min(1.0, done / max(1, len(problem.initial))))


def _keep_unfinished(memory: Lanes) -> None:
    problem, state = memory.problem, memory.state
    columns = state.work[rows.Y].reshape(-1, state.width)
    for lane in np.flatnonzero(state.phase == rows.RUNNING):
        member = state.member[lane]
        problem.outcome["final_time"][member] = state.flow[rows.TIME, lane]
        problem.final[member] = columns[:, lane]


def _collect(problem: Problem, memories: list[Lanes]) -> Trajectories:
    shape = problem.shape
    none = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros((0, problem.system.n_state)))
    parts = [part for memory in memories for part in memory.log] or [none]
    member, index, time_, states = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((time_, member))
    return Trajectories(
        times=problem.times,
        states=problem.states.reshape(*shape, *problem.states.shape[1:]),
        final_state=problem.final.reshape(*shape, problem.system.n_state),
        events=Occurrences(member[order], index[order], time_[order], states[order]),
        **{name: values.reshape(shape) for name, values in problem.outcome.items()},
    )
