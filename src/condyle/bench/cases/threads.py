"""Forward dynamics of a large batch on one thread and on two."""

from __future__ import annotations

import os
import statistics
import time

from condyle.bench.kernels import ABA, mechanism
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.states import random_states
from condyle.bench.timing import interleaved

TARGET = 1.7


def threads(sizes: Sizes) -> Row:
    """Ratio = time of one thread / time of two."""
    row = Row("threads", "us per evaluation")
    kernel = ABA.kernel()
    arguments = [*ABA.arguments(random_states(mechanism(), sizes.threads_batch)), None, None]
    out = kernel(*arguments)
    used: list[float] = []

    def two_threads() -> None:
        processor, wall = time.process_time(), time.perf_counter()
        kernel(*arguments, out=out, threads=2)
        used.append((time.process_time() - processor) / (time.perf_counter() - wall))

    found = interleaved(
        {
            "one": (lambda: kernel(*arguments, out=out), sizes.threads_batch),
            "two": (two_threads, sizes.threads_batch),
        },
        sizes.rounds,
    )
    cores = statistics.median(used)
    one, two = found["one"].median * 1e6, found["two"].median * 1e6
    row.condyle = {"one": one, "two": two, "ratio": one / two}
    row.figures |= {"batch": sizes.threads_batch, "cores_used_by_two": cores}
    row.spread(found, 1e6)
    row.target = f"one / two >= {TARGET}"
    if (os.cpu_count() or 1) < 2:
        row.notes.append("this machine has one core")
    else:
        row.holds = one / two >= TARGET
        if cores < TARGET:
            row.notes.append(
                f"two threads got {cores:.1f} cores: others use this machine, the ratio says little"
            )
    return row
