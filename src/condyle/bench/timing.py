"""Interleaved medians: every contender once per round, so that a slow moment meets them all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Timing:
    """Median and quartiles of the rounds, in seconds per evaluation."""

    median: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        return {"median": self.median, "quartile_25": self.low, "quartile_75": self.high}


def interleaved(
    contenders: Mapping[str, tuple[Callable[[], object], int]], rounds: int = 15
) -> dict[str, Timing]:
    """Time per evaluation of each contender, (what to run, how many evaluations); one round warms up."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for index in range(rounds + 1):
        for name, (run, evaluations) in contenders.items():
            start = time.perf_counter()
            run()
            elapsed = time.perf_counter() - start
            if index:
                seconds[name].append(elapsed / evaluations)
    return {
        name: Timing(float(np.median(values)), *(float(x) for x in np.percentile(values, (25, 75))))
        for name, values in seconds.items()
    }
