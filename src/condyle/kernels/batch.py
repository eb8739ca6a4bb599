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


class Batches:
    """Runs one width of a kernel over rows of arrays; learns how many rows make a chunk."""

    def __init__(self, rows: Callable[[int, int, int, int, int], None], width: int, scratch: int) -> None:
        self.rows = rows
        self.width = width
        self.seconds = 0.0  # per row, as last measured
        self._elements = scratch
        self._scratch: list[tuple[np.ndarray, int]] = []

    def run(self, arrays: list[np.ndarray], strides: list[int], count: int, threads: int) -> None:
        """Evaluate `count` >= `width` rows; arrays and strides are inputs, then outputs (see `entries`)."""
        addresses = pointers(arrays)
        steps = (ctypes.c_int64 * max(1, len(strides)))(*strides)
        place, step_place = ctypes.addressof(addresses), ctypes.addressof(steps)

        def work(first: int, number: int) -> None:
            try:
                scratch = self._scratch.pop()
            except IndexError:
                scratch = self._new_scratch()
            begin = time.perf_counter()
            self.rows(place, step_place, first, number, scratch[1])
            self.seconds = max((time.perf_counter() - begin) / number, 1e-10)
            self._scratch.append(scratch)

        if threads <= 1 or count * self.seconds < THREAD_SECONDS:
            for first, number in self.chunks(count, count):
                work(first, number)
            return
        _run_threads(work, self.chunks(count, -(-count // (8 * threads))), threads)

    def chunks(self, count: int, most: int) -> Iterator[tuple[int, int]]:
        """Consecutive (first, number), number >= `width` and about `most` or what CHUNK_SECONDS allow."""
        first = 0
        while first < count:
            paced = int(CHUNK_SECONDS / self.seconds) if self.seconds else FIRST_ROWS
            number = max(self.width, min(most, paced) // self.width * self.width)
            if count - first - number < self.width:
                number = count - first
            yield first, number
            first += number

    def _new_scratch(self) -> tuple[np.ndarray, int]:
        array = np.empty(self._elements + 8)
        address = array.__array_interface__["data"][0]
        return array, address + -address % 64


def _run_threads(work: Callable[[int, int], None], parts: Iterator[tuple[int, int]], threads: int) -> None:
    """Workers take the next chunk until none is left; an interruption stops each after its chunk.

    The calling thread is one of them: if it slept instead, it would wake up on the core of the first worker
    and start the second some milliseconds late.
    """
    lock = threading.Lock()
    stop = threading.Event()
    failures: list[BaseException] = []

    def worker() -> None:
        while not stop.is_set():
            with lock:
                part = next(parts, None)
            if part is None:
                return
            work(*part)

    def other() -> None:
        try:
            worker()
        except BaseException as failure:
            failures.append(failure)
            stop.set()

    others = [threading.Thread(target=other) for _ in range(threads - 1)]
    for thread in others:
        thread.start()
    try:
        worker()
    finally:
        stop.set()
        for thread in others:
            thread.join()
    if failures:
        raise failures[0]
