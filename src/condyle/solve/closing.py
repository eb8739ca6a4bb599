"""Unknowns that follow from given coordinates, for many members at once, by paths from a known solution."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from condyle.solve.closing_state import ClosingState
from condyle.solve.interruption import interrupts_deferred, next_rounds
from condyle.solve.memory import aligned, blank
from condyle.solve.state import FINISHED
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.kernels import Kernel


#: Evaluations before the first look at signals: a call for one state ends within them.
FIRST_ROUNDS = 64


@final
@dataclass(frozen=True, eq=False)
class Followed:
    """z (k, nz): the solutions, or where a member that failed got to; reached (k): part of the path, 1 at
    its end.

    status (k): OK, SINGULAR (the path leads through, or ends at, a singular pose), NOT_CONVERGED, BAD_INPUT;
    iterations (k): Newton steps in all; most (k): of one step of the path.
    """

    z: np.ndarray
    reached: np.ndarray
    status: np.ndarray
    iterations: np.ndarray
    most: np.ndarray


def follow(
    kernel: Kernel,
    start: np.ndarray,
    initial: np.ndarray,
    goal: np.ndarray,
    p: np.ndarray,
    unit_groups: Sequence[int] = (),
    *,
    max_steps: int = 10_000,
    lanes: int | None = None,
) -> Followed:
    """Follow z from `initial` (k, nz) at the given coordinates `start` (k, nq) to those of `goal` (k, nq).

    kernel: (q (nq), p (np), (empty), z (nz)) -> Newton step of z (nz), and a number that changes where the
    path passes a singularity. `initial` need not be a solution. What a member gets does not depend on its
    neighbours.
    """
    from condyle.solve.loops.following import follow as loop

    count, nq = goal.shape
    nz = initial.shape[-1]
    width = lanes or (1 if count == 1 else kernel.lanes)
    state = blank(ClosingState)
    state.nq, state.nz, state.width, state.n_parameters = nq, nz, width, p.shape[-1]
    state.kernel = kernel.address(width)
    state.max_steps = max_steps
    state.start, state.goal = _rows(start, count), _rows(goal, count)
    state.initial, state.parameters = _rows(initial, count), _rows(p, count)
    state.units = np.array(list(unit_groups), np.int64)
    state.n_units = len(unit_groups)
    good = np.isfinite(state.start).all(-1) & np.isfinite(state.goal).all(-1)
    good &= np.isfinite(state.initial).all(-1) & np.isfinite(state.parameters).all(-1)
    for group in unit_groups:
        good &= (state.goal[:, group : group + 4] != 0).any(-1)
    state.order = np.flatnonzero(good)
    state.queue_stop = len(state.order)
    state.solution, state.reached = state.initial.copy(), np.zeros(count)
    state.status = np.where(good, Status.INTERRUPTED, Status.BAD_INPUT).astype(np.int64)
    for name in ("iterations", "most"):
        setattr(state, name, np.zeros(count, np.int64))
    for name in ("member", "phase", "tries", "corrections"):
        setattr(state, name, np.zeros(width, np.int64))
    for name in ("place", "place_before", "size", "side"):
        setattr(state, name, np.zeros(width))
    state.q, state.z, state.step = aligned(max(1, nq * width)), aligned(nz * width), aligned(nz * width)
    state.branch, state.parameter_lanes = aligned(width), aligned(max(1, p.shape[-1] * width))
    state.accepted, state.accepted_before = aligned(width, nz), aligned(width, nz)
    addresses = (state.q, state.parameter_lanes, None, state.z, state.step, state.branch)
    pointers = np.array([0 if array is None else array.ctypes.data for array in addresses], np.int64)
    state.pointers = pointers.ctypes.data
    _run(loop, state, kernel.interpreted)
    return Followed(state.solution, state.reached, state.status, state.iterations, state.most)


def _rows(values: np.ndarray, count: int) -> np.ndarray:
    """A row for each member."""
    return np.array(np.broadcast_to(values, (count, values.shape[-1])), dtype=float, order="C")


def _run(loop: Any, state: ClosingState, interpreted: bool) -> None:
    from condyle.solve.native.build import compiled

    run = compiled(loop)
    rounds = FIRST_ROUNDS
    with interrupts_deferred(interpreted) as release:
        while True:
            begin = time.perf_counter()
            if run(state, rounds) == FINISHED:
                return
            rounds = next_rounds(rounds, time.perf_counter() - begin)
            release()
