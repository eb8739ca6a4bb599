"""Compiled loops return to Python often enough for a signal to be seen; Ctrl-C is not lost in callbacks."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

CHUNK_SECONDS = 0.01


def next_rounds(rounds: int, elapsed: float) -> int:
    """How many rounds fill the next chunk, after `rounds` took `elapsed` seconds."""
    return max(1, int(rounds * min(8.0, CHUNK_SECONDS / max(elapsed, 1e-6))))


@contextmanager
def interrupts_deferred(needed: bool) -> Iterator[Callable[[], None]]:
    """Hold Ctrl-C back; the function that is handed out raises it. Where that is not needed, it does nothing.

    Needed where kernels are interpreted: an exception in a callback from machine code goes nowhere.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not needed or handler is None or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    caught: list[tuple[Any, ...]] = []
    signal.signal(signal.SIGINT, lambda *arguments: caught.append(arguments))

    def release() -> None:
        if caught and callable(handler):
            handler(*caught.pop())

    try:
        yield release
    finally:
        signal.signal(signal.SIGINT, handler)
        release()
