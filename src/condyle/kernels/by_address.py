"""A kernel called by its address: the one thing that compiled loops and kernels share."""

from __future__ import annotations

import ctypes

_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)


def call(address: int, args_address: int, blocks: int) -> None:
    """Run the kernel `void f(void** args, int64 blocks)` that stands at `address`.

    The address is a run-time value, so one compiled loop serves every kernel. Compiled into a loop this costs
    what a C function pointer costs; from Python, where ctypes makes the call, microseconds.
    """
    _PROTOTYPE(int(address))(int(args_address), int(blocks))
