"""Compiled loops around kernels: `loop` compiles on the first call, `call` calls a kernel by its address.

    from condyle.kernels.jit import call, loop

    @loop
    def euler(address, y, rate, step, count): ...

A module with loops imports without numba. Each loop is an object that numba sees as the dispatcher that it
becomes, so a loop may call other loops, of its own or another module, by their plain global names, and `call`
likewise; what is reached compiles when it is needed. From Python a loop is called like the function it was.

Loops are compiled with nogil, without fast-math, and with NumPy's division by zero. The machine code is kept
in Condyle's cache; where there is none, each process compiles anew. Its key covers the code of the loop and
of the loops that it calls and the constants that they read, so no edit meets old code. Several threads may
make the first call at once: one compiles, the others wait. Argument types decide what is compiled, so always
pass the same: addresses and counts as Python int, arrays C-contiguous and writable, None nowhere. Index
element by element: of the 3.6 s that a 50-line integrator took to compile, one assignment to a slice and one
row taken as an array were 2.6 s.

Pointers: `args = np.empty(3, np.uintp); args[0] = x.ctypes.data; call(address, args.ctypes.data, blocks)`.
Numba frees an array that a loop made after the last line that names it, and sees nothing in an address: end
with `keep(x)` where no line after the call uses `x`. An argument of the loop lives until it returns. Row s of
`k` (C order, n columns) stands at `k.ctypes.data + 8 * n * s`.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False, "boundscheck": False}

_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
_lock = threading.RLock()


def loop(function: Function) -> Function:
    """Decorator: the same function, compiled by numba on its first call (see the text of the module)."""
    return cast(Function, Loop(cast(FunctionType, function)))


class Loop:
    """A function that becomes a numba dispatcher when it is first called, or compiled into another loop."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._dispatcher: Any = None
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return (self._dispatcher or self.dispatcher)(*args, **named)

    def __reduce__(self) -> str:
        return self._function.__qualname__

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher; asking for it imports numba and compiles nothing."""
        with _lock:
            if self._dispatcher is None:
                self._dispatcher = _dispatcher(self._function)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        # Numba asks a global that it does not know for its type by this name.
        return self.dispatcher._numba_type_


class Call:
    """The type of `call`."""

    def __call__(self, address: int, args_address: int, blocks: int) -> None:
        """Run the kernel `void f(void** args, int64 blocks)` that stands at `address`.

        The address is a run-time value, so one compiled loop serves every kernel. Inside a loop this costs
        what a C function pointer costs; from Python, where ctypes makes the call, microseconds.
        """
        _PROTOTYPE(int(address))(int(args_address), int(blocks))

    @property
    def _numba_type_(self) -> Any:
        from condyle.kernels.intrinsics import call_type

        return call_type()


call = Call()


@loop
def keep(array: np.ndarray) -> int:
    """Keep `array` alive up to this line of a loop that used its address only."""
    return array.size


def _dispatcher(function: FunctionType) -> Any:
    import numba

    dispatcher: Any = numba.njit(**OPTIONS)(function)
    if hasattr(dispatcher, "_cache"):  # not so under NUMBA_DISABLE_JIT, where it is the plain function
        from condyle.kernels.loop_cache import LoopCache
        from condyle.kernels.loop_stamp import stamp

        name = f"{function.__module__}.{function.__qualname__}"
        dispatcher._cache = LoopCache(name, stamp(function) + repr(OPTIONS).encode())
    return dispatcher
