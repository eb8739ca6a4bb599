"""Equations that are solved frame after frame, for many members at once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from condyle.solve.frames_state import MEASURES, FramesState
from condyle.solve.interruption import interrupts_deferred, next_rounds
from condyle.solve.memory import aligned, blank
from condyle.solve.state import FINISHED, POINTERS
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.kernels import Kernel


@final
@dataclass(frozen=True, eq=False)
class FrameSolutions:
    """x (members, frames, n): the solution, or the best state of a frame that failed.

    residual, regularity (members, frames): the kernel's measures there; status: OK, INFEASIBLE (residuals
    that must vanish do not), SINGULAR, NOT_CONVERGED, BAD_INPUT; iterations: accepted steps.
    """

    x: np.ndarray
    residual: np.ndarray
    regularity: np.ndarray
    status: np.ndarray
    iterations: np.ndarray


def follow_frames(
    kernel: Kernel,
    start: np.ndarray,
    targets: np.ndarray,
    parameters: np.ndarray,
    *,
    tolerance: float = 1e-10,
    allowed: float = 1e-6,
    max_iterations: int = 50,
    lanes: int | None = None,
) -> FrameSolutions:
    """Newton steps until the largest change is within `tolerance`, in each frame from the last good one.

    kernel: (x (n), targets, scale (1), parameters) -> (x after `scale` times the step, measures
    (`condyle.solve.frames_state`)). start (members, n), or (members, frames, n), of which those of the first
    frames serve until one has succeeded; targets (members, frames, nt), parameters (members, np). Steps are
    halved while neither the weighted residual nor the step itself becomes smaller: the residual alone would
    reject good steps where weights differ much. A frame with targets that are not finite is BAD_INPUT; a
    frame that fails keeps none of the others from being solved.
    """
    members, n_frames, n_targets = targets.shape
    n = start.shape[-1]
    s = blank(FramesState)
    s.start = np.array(start if np.ndim(start) == 3 else start[:, None], float, order="C")
    s.targets = np.array(targets, float, order="C")
    s.parameters = np.array(parameters, float, order="C")
    s.n, s.n_targets, s.n_parameters, s.n_frames = n, n_targets, s.parameters.shape[1], n_frames
    s.queue_stop, s.n_starts = members, s.start.shape[1]
    width = s.width = lanes or (1 if members == 1 else kernel.lanes)
    s.kernel = kernel.address(width)
    s.tolerance, s.allowed, s.max_iterations = float(tolerance), float(allowed), int(max_iterations)
    s.solution = np.full((members, n_frames, n), np.nan)
    s.residual, s.regularity = np.full((2, members, n_frames), np.nan)
    known = np.isfinite(s.start).all((1, 2)) & np.isfinite(s.parameters).all(-1)
    usable = np.isfinite(s.targets).all(-1) & np.reshape(known, (-1, 1))
    s.status = np.where(usable, Status.INTERRUPTED, Status.BAD_INPUT).astype(np.int64)
    s.iterations = np.zeros((members, n_frames), np.int64)
    for name in ("member", "frame", "phase", "asked", "count", "followed"):
        setattr(s, name, np.zeros(width, np.int64))
    for name in ("change", "moved", "merit", "lowest", "best_residual", "best_regularity"):
        setattr(s, name, np.zeros(width))
    s.origin, s.accepted, s.best = (np.zeros((width, n)) for _ in range(3))
    s.trial, s.following, s.scale = aligned(n * width), aligned(n * width), aligned(width)
    s.target_lanes = aligned(max(1, n_targets * width))
    s.parameter_lanes = aligned(max(1, s.n_parameters * width))
    s.measures = aligned(MEASURES * width)
    s.trial[:] = np.repeat(s.start[0, 0], width)  # lanes that stay idle
    pointers = np.zeros(max(6, POINTERS), np.int64)
    inputs = s.trial, s.target_lanes, s.scale, s.parameter_lanes
    pointers[:6] = [array.ctypes.data for array in (*inputs, s.following, s.measures)]
    s.pointers = pointers.ctypes.data
    _run(s, kernel.interpreted)
    return FrameSolutions(s.solution, s.residual, s.regularity, s.status, s.iterations)


def _run(s: FramesState, interpreted: bool) -> None:
    from condyle.solve.loops.frames import frames
    from condyle.solve.native.build import compiled

    loop = compiled(frames)
    rounds = 1
    with interrupts_deferred(interpreted) as release:
        while True:
            begin = time.perf_counter()
            if loop(s, rounds) == FINISHED:
                return
            rounds = next_rounds(rounds, time.perf_counter() - begin)
            release()
