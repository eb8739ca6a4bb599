"""Run time and compile time of chains of pins, and how they grow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from condyle.bench.child import ask
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes

LIMIT = 1.15


def chain_scaling(sizes: Sizes) -> Row:
    """Slopes of the logarithms, the larger of ABA's and RNEA's; both series are beside."""
    row = Row("chain_scaling", "us per evaluation, s to compile")
    found = ask("chains", ",".join(map(str, sizes.chains)), str(sizes.chain_rounds), cache="off")
    for series in found.values():
        series["exponent_time"] = exponent(sizes.chains, series["time_us"])
        series["exponent_compile"] = exponent(sizes.chains, series["compile_s"])
    row.condyle = {
        "n": list(sizes.chains),
        "time_us": found["aba"]["time_us"],
        "compile_s": found["aba"]["compile_s"],
        "exponent_time": max(series["exponent_time"] for series in found.values()),
        "exponent_compile": max(series["exponent_compile"] for series in found.values()),
    }
    row.figures |= found
    row.target = f"both exponents <= {LIMIT}"
    row.holds = max(row.condyle["exponent_time"], row.condyle["exponent_compile"]) <= LIMIT
    return row


def exponent(n: Sequence[int], values: Sequence[float]) -> float:
    """Slope of log(values) over log(n)."""
    return float(np.polyfit(np.log(n), np.log(values), 1)[0])
