"""Time to the first accelerations in a new process, imports excluded: nothing cached, and from the cache."""

from __future__ import annotations

import tempfile

import numpy as np

from condyle.bench.child import ask
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.timing import Timing


def cold(sizes: Sizes) -> Row:
    """An empty cache folder: trace, lower, compile for one lane, call."""
    row = Row("compile_cold", "s")
    seconds = []
    for _ in range(sizes.process_rounds):
        with tempfile.TemporaryDirectory() as folder:
            seconds.append(ask("first_call", cache=folder)["seconds"])
    return _noted(row, seconds, 2.0)


def cached(sizes: Sizes) -> Row:
    """The same once more with the cache that the first process left."""
    row = Row("compile_cached", "s")
    with tempfile.TemporaryDirectory() as folder:
        ask("first_call", cache=folder)
        seconds = [ask("first_call", cache=folder)["seconds"] for _ in range(sizes.process_rounds)]
    return _noted(row, seconds, 0.05)


def _noted(row: Row, seconds: list[float], limit: float) -> Row:
    low, row.condyle, high = (float(value) for value in np.percentile(seconds, (25, 50, 75)))
    row.spread({"condyle": Timing(row.condyle, low, high)}, 1.0)
    row.at_most(row.condyle, limit)
    return row
