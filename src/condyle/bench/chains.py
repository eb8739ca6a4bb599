"""Chains of pins: how run time and compile time grow with their length.

Both are this process's processor time: what else the machine does would otherwise show as growth.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from condyle.bench.evaluation import chained
from condyle.bench.states import random_states
from condyle.compiled.mechanism import Mechanism
from condyle.joints import Pin
from condyle.kernels import Kernel
from condyle.model import Body, Model
from condyle.spatial import Placement

QUANTITIES = {"aba": "forward_dynamics", "rnea": "inverse_dynamics"}
COMPILATIONS = 3
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def chain(pins: int) -> Model:
    """Rods of 0.1 m hung one on the other by pins about x, y, z in turn."""
    bodies = [Body(f"b{k}", 1.0, (0.0, -0.05, 0.0), (0.01, 0.002, 0.01, 0.0, 0.0, 0.0)) for k in range(pins)]
    joints = [
        Pin(
            f"j{k}",
            f"b{k - 1}" if k else "ground",
            f"b{k}",
            Placement((0.0, -0.1, 0.0)) if k else Placement(),
            axis=AXES[k % 3],
        )
        for k in range(pins)
    ]
    return Model(f"chain_{pins}", tuple(bodies), tuple(joints))


def measure(lengths: Sequence[int], rounds: int) -> dict[str, Any]:
    """Per algorithm and length: seconds to trace and compile the scalar kernel, microseconds to run it.

    The lengths take turns, so that a slow moment of the machine meets them all. Growth is read from the best
    times: the longest chains fill the second-level cache, and whatever else uses it slows them more than the
    short ones.
    """
    compiling: dict[Any, list[float]] = {(name, n): [] for name in QUANTITIES for n in lengths}
    runs: dict[Any, tuple[Callable[[], object], int, Kernel]] = {}
    for _ in range(COMPILATIONS):
        for name, n in compiling:
            elapsed, kernel, mechanism = _compiled(n, QUANTITIES[name])
            compiling[name, n].append(elapsed)
            runs[name, n] = (*_run(kernel, mechanism, n), kernel)
    running: dict[Any, list[float]] = {key: [] for key in runs}
    for _ in range(3 * rounds):
        for key, (run, calls, _kernel) in runs.items():
            begin = time.process_time()
            run()
            running[key].append((time.process_time() - begin) / calls)
    return {
        name: {
            "time_us": [min(running[name, n]) * 1e6 for n in lengths],
            "compile_s": [min(compiling[name, n]) for n in lengths],
            "median_time_us": [statistics.median(running[name, n]) * 1e6 for n in lengths],
            "median_compile_s": [statistics.median(compiling[name, n]) for n in lengths],
            "operations": [runs[name, n][2].operations for n in lengths],
        }
        for name in QUANTITIES
    }


def _run(kernel: Kernel, mechanism: Mechanism, pins: int) -> tuple[Callable[[], object], int]:
    states = random_states(mechanism, 32)
    inputs = [states.q, states.u, states.third, np.zeros((32, 0)), np.zeros((32, 0))]
    calls = max(32, 10000 // pins)
    run = chained(kernel, inputs, calls)
    run()
    return run, calls


def _compiled(pins: int, quantity: str) -> tuple[float, Kernel, Mechanism]:
    model = chain(pins)
    begin = time.process_time()
    mechanism = Mechanism(model)
    kernel = mechanism.kernel(quantity)
    kernel.address(1)
    return time.process_time() - begin, kernel, mechanism
