"""Calls of compiled code from Python: in chunks, so that signals are seen, on one thread or several."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np

#: Usual stay in compiled code [s]: long beside Python's part, short beside the 0.1 an interruption may take.
CHUNK_SECONDS = 0.01

#: Work that is not worth the start of threads [s].
THREAD_SECONDS = 5e-4

#: Rows of the first chunk, by which the others are sized.
FIRST_ROWS = 256


def pointers(arrays: list[np.ndarray]) -> ctypes.Array:
    """Their addresses; null where there is nothing."""
    addresses = [array.__array_interface__["data"][0] if array.size else None for array in arrays]
    return (ctypes.c_void_p * max(1, len(arrays)))(*addresses)


class Pace:
    """Seconds per row, measured; gives the rows of the next chunk."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def rows(self) -> int:
        """Rows that take about CHUNK_SECONDS."""
        return FIRST_ROWS if self.seconds == 0.0 else max(1, int(CHUNK_SECONDS / self.seconds))

    def measured(self, rows: int, seconds: float) -> None:
        """Remember how long rows took; a pause of the process is forgotten by the next chunk."""
        self.seconds = max(seconds / rows, 1e-10)


def run(
    rows: Callable[[int, int, int, int], None],
    arrays: list[np.ndarray],
    strides: list[int],
    count: int,
    width: int,
    threads: int,
    pace: Pace,
) -> None:
    """Evaluate `count` >= `width` rows; arrays and strides are inputs, then outputs (see `entries`)."""
    addresses = pointers(arrays)
    steps = (ctypes.c_int64 * max(1, len(strides)))(*strides)
    place, step_place = ctypes.addressof(addresses), ctypes.addressof(steps)

    def work(first: int, number: int) -> None:
        begin = time.perf_counter()
        rows(place, step_place, first, number)
        pace.measured(number, time.perf_counter() - begin)

    if threads <= 1 or count * pace.seconds < THREAD_SECONDS:
        for first, number in chunks(count, width, pace):
            work(first, number)
        return
    _run_threads(work, chunks(count, width, pace, threads), threads)


def chunks(count: int, width: int, pace: Pace, threads: int = 1) -> Iterator[tuple[int, int]]:
    """Consecutive (first, number), each of at least `width` rows, sized as the pace is known."""
    first = 0
    share = -(-count // (8 * threads)) if threads > 1 else count
    while first < count:
        number = max(width, min(share, pace.rows()) // width * width)
        if count - first - number < width:
            number = count - first
        yield first, number
        first += number


def _run_threads(work: Callable[[int, int], None], parts: Iterator[tuple[int, int]], threads: int) -> None:
    """Workers take the next chunk until none is left; an interruption stops each after its chunk."""
    from concurrent.futures import ThreadPoolExecutor

    lock = threading.Lock()
    stop = threading.Event()

    def worker() -> None:
        while not stop.is_set():
            with lock:
                part = next(parts, None)
            if part is None:
                return
            work(*part)

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(worker) for _ in range(threads)]
        try:
            for future in futures:
                future.result()
        finally:
            stop.set()
