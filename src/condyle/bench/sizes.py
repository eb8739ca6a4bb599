"""How much is measured: the full benchmark, or a fraction of it for tests."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Rounds of interleaved repetitions, and what one repetition is."""

    rounds: int = 31
    process_rounds: int = 9  # repetitions that need a new process
    batch: int = 4096
    threads_batch: int = 65536
    states: int = 256  # different states of the loops and of the peers' calls
    steps: int = 2000  # RK4
    members: int = 32
    chains: tuple[int, ...] = (30, 60, 100, 200, 300)
    chain_rounds: int = 31
    four_bars: tuple[int, ...] = (2, 10, 50, 200)
    motions: int = 4  # of a mechanism, in one repetition
    frames: int = 400  # of the human's motion
    human: tuple[str, str] = ("arms legs", "rl")  # its parts and sides
    memory_cache: str = "off"  # cache folder of the process whose memory is measured


FULL = Sizes()
