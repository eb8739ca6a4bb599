"""Peak resident memory of a process that compiles and calls every kernel of the benchmark, nothing cached."""

from __future__ import annotations

from condyle.bench.child import ask
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes

LIMIT = 400.0


def memory(sizes: Sizes) -> Row:
    """Peak of the whole process: Python, NumPy, CasADi, LLVM included."""
    row = Row("memory_mb", "MB")
    found = ask("memory", ",".join(map(str, sizes.chains)), cache=sizes.memory_cache)
    row.condyle = found["peak"]
    row.figures["after_imports"] = found["before"]
    row.at_most(row.condyle, LIMIT)
    return row
