"""Chains of pins: how run time and compile time grow with their length."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from condyle.bench.evaluation import chained
from condyle.bench.states import random_states
from condyle.bench.timing import interleaved
from condyle.compiled.mechanism import Mechanism
from condyle.joints import Pin
from condyle.model import Body, Model
from condyle.spatial import Placement

QUANTITIES = {"aba": "forward_dynamics", "rnea": "inverse_dynamics"}
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
    """Per algorithm and length: seconds to trace and compile the scalar kernel (no cache), microseconds to run it."""
    found: dict[str, Any] = {name: {"time_us": [], "compile_s": [], "operations": []} for name in QUANTITIES}
    for n in lengths:
        for name, quantity in QUANTITIES.items():
            repeats = [_compiled(n, quantity) for _ in range(3 if n <= 100 else 1)]
            kernel, mechanism = repeats[-1][1:]
            states = random_states(mechanism, 32)
            inputs = [states.q, states.u, states.third, np.zeros((32, 0)), np.zeros((32, 0))]
            calls = max(32, 30000 // n)
            timing = interleaved({name: (chained(kernel, inputs, calls), calls)}, rounds)[name]
            found[name]["time_us"].append(timing.median * 1e6)
            found[name]["compile_s"].append(statistics.median(seconds for seconds, *_ in repeats))
            found[name]["operations"].append(kernel.operations)
    return found


def _compiled(pins: int, quantity: str) -> tuple[float, Any, Mechanism]:
    model = chain(pins)
    begin = time.perf_counter()
    mechanism = Mechanism(model)
    kernel = mechanism.kernel(quantity)
    kernel.address(1)
    return time.perf_counter() - begin, kernel, mechanism
