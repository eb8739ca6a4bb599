"""Contenders timed in turn, each once per round, so that a slow moment of the machine meets them all."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

#: Processor time of this thread, so that other programs do not count; Windows counts it in ticks of 16 ms.
clock = time.perf_counter if sys.platform == "win32" else time.thread_time


@dataclass(frozen=True)
class Rounds:
    """Seconds per evaluation of every contender, one entry per round."""

    seconds: Mapping[str, np.ndarray]

    def ratio(self, over: str, under: str) -> float:
        """Median of the ratios within the rounds."""
        return float(np.median(self.seconds[over] / self.seconds[under]))

    def ratios(self, pairs: Mapping[str, tuple[str, str]]) -> dict[str, float]:
        """`ratio` of each (over, under)."""
        return {name: self.ratio(*pair) for name, pair in pairs.items()}

    def spreads(self, pairs: Mapping[str, tuple[str, str]]) -> dict[str, np.ndarray]:
        """Quartiles (2) of the ratios within the rounds."""
        found = {name: self.seconds[over] / self.seconds[under] for name, (over, under) in pairs.items()}
        return {name: np.percentile(values, (25, 75)) for name, values in found.items()}

    def times(self) -> dict[str, dict[str, float]]:
        """Median and quartiles of the seconds per evaluation."""
        found = {name: np.percentile(values, (50, 25, 75)) for name, values in self.seconds.items()}
        return {
            name: {"median": float(median), "quartile_25": float(low), "quartile_75": float(high)}
            for name, (median, low, high) in found.items()
        }


def in_turn(contenders: Mapping[str, tuple[Callable[[], object], int]], rounds: int) -> Rounds:
    """Time each contender, (what to run, how many evaluations that is), `rounds` times after one that warms
    up.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for index in range(rounds + 1):
        for name, (run, evaluations) in contenders.items():
            start = clock()
            run()
            elapsed = clock() - start
            if index:
                seconds[name].append(elapsed / evaluations)
    return Rounds({name: np.array(values) for name, values in seconds.items()})
