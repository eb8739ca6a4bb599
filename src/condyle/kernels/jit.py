"""Compiled loops around kernels: `loop` compiles a function on its first call, `call` calls a kernel by address.

    from condyle.kernels.jit import call, loop

    @loop
    def euler(address, y, rate, step, count): ...

A module with loops imports without numba. Each loop is an object that numba sees as the dispatcher it becomes, so a
loop may call other loops, of its own or of another module, by their plain (global) names, and `call` likewise;
what is reached compiles when it is needed. From Python a loop is called like the function it was.

Loops are compiled with nogil, without fast-math, and with NumPy's division by zero. Machine code is kept in
Condyle's cache; where there is none, each process compiles anew. The key covers the loop's source file, those of
the loops that it calls, and the constants that it reads, so that no edit meets old code. Threads may make the
first call at once: one compiles, the others wait.

Pointers: `args = np.empty(3, np.uintp); args[0] = x.ctypes.data; call(address, args.ctypes.data, blocks)`. Numba
frees an array that it made after the last line that names it, and does not know of pointers: end with `keep(x)`
when nothing after the call uses `x`. An array that came in as an argument lives until the loop returns.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import inspect
import sys
import threading
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False, "boundscheck": False}

_lock = threading.RLock()


def loop(function: F) -> F:
    """Decorator: the same function, compiled by numba on its first call (see the module's text)."""
    return _Loop(function)  # type: ignore[return-value]


class _Loop:
    """A function that becomes a numba dispatcher when it is first called, or compiled into another loop."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._dispatcher: Any = None
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        return (self._dispatcher or self.dispatcher)(*args)

    def __reduce__(self) -> str:
        return self.function.__qualname__

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher; made without compiling."""
        with _lock:
            if self._dispatcher is None:
                import numba

                dispatcher = numba.njit(**OPTIONS)(self.function)
                if hasattr(dispatcher, "_cache"):  # absent under NUMBA_DISABLE_JIT
                    from condyle.kernels.loop_cache import LoopCache

                    dispatcher._cache = LoopCache(self._name, stamp(self))
                self._dispatcher = dispatcher
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        # Numba asks any global that it does not know for its type by this name.
        return self.dispatcher._numba_type_

    @property
    def _name(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"


class _Call:
    """`call(address, args_address, blocks)`: run the kernel at `address`, inside loops and from Python.

    The kernel is `void f(void** args, int64 blocks)`. The address is a run-time value (pass a Python int): one
    compiled loop serves every kernel. In a loop the call costs that of a C function pointer, without the GIL.
    """

    def __call__(self, address: int, args_address: int, blocks: int) -> None:
        _PROTOTYPE(int(address))(int(args_address), int(blocks))

    @property
    def _numba_type_(self) -> Any:
        from condyle.kernels.intrinsics import call_type

        return call_type()


_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)

call = _Call()


@loop
def keep(array):
    """Keep `array` alive up to this line of a loop, although only its address was used."""
    return array.size


def stamp(start: _Loop) -> bytes:
    """Digest of everything but the argument types that shapes the machine code of a loop.

    Files are hashed by content, those of the loops that it reaches through its global names included, and so are
    the numbers, tuples and arrays that it reads, which numba freezes into the code.
    """
    files: set[str] = set()
    constants: dict[str, bytes] = {}
    seen: set[int] = set()
    waiting = [start.function]
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        files.add(inspect.getfile(function))
        for name, value in _globals_read(function):
            if isinstance(value, _Loop):
                waiting.append(value.function)
            elif isinstance(value, ModuleType):
                package = value.__name__.partition(".")[0]
                if package == __name__.partition(".")[0] and value.__file__:
                    files.add(value.__file__)
            elif not callable(value):
                constants[f"{function.__module__}.{name}"] = _bytes(value)
    digest = hashlib.sha256(repr(sorted(OPTIONS.items())).encode())
    for part in sorted(_file_digest(path) for path in files | {__file__}):
        digest.update(part)
    for name in sorted(constants):
        digest.update(name.encode() + hashlib.sha256(constants[name]).digest())
    return digest.digest()


def _globals_read(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    assert isinstance(function, FunctionType)
    names: set[str] = set()
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [item for item in code.co_consts if isinstance(item, CodeType)]
    found = [(name, function.__globals__[name]) for name in sorted(names) if name in function.__globals__]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        found.append((name, cell.cell_contents))
    return found


def _bytes(value: Any) -> bytes:
    array = sys.modules["numpy"].ndarray if "numpy" in sys.modules else ()
    if isinstance(value, array):
        return repr((value.shape, value.dtype)).encode() + value.tobytes()
    return repr(value).encode()


@functools.cache
def _file_digest(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()
    except OSError:  # a zipped or interactive source: its code objects are not covered, so nothing is shared
        return hashlib.sha256(f"{path} {id(_lock)}".encode()).digest()
