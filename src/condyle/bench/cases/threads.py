"""Forward dynamics of a large batch on one thread and on two."""

from __future__ import annotations

import os

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
    found = interleaved(
        {
            "one": (lambda: kernel(*arguments, out=out), sizes.threads_batch),
            "two": (lambda: kernel(*arguments, out=out, threads=2), sizes.threads_batch),
        },
        sizes.rounds,
    )
    one, two = found["one"].median * 1e6, found["two"].median * 1e6
    row.condyle = {"one": one, "two": two, "ratio": one / two}
    row.figures["batch"] = sizes.threads_batch
    row.spread(found, 1e6)
    row.target = f"one / two >= {TARGET}"
    if (os.cpu_count() or 1) < 2:
        row.notes.append("this machine has one core")
    else:
        row.holds = one / two >= TARGET
    return row
