"""What a compiled loop was made from, as one digest, so that the cache never meets an edit with old code.

Taken from the code objects in memory, not from files: an edit of the file after the import cannot mislead it,
a changed comment costs nothing, and a zipped or interactive source works.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


def stamp(start: FunctionType) -> bytes:
    """Digest of `start`, of all loops that it reaches by name, and of the constants that they read."""
    parts: set[bytes] = set()
    seen: set[FunctionType] = set()
    waiting = [start]
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        name = f"{function.__module__}.{function.__qualname__}"
        defaults = (function.__defaults__, function.__kwdefaults__)
        parts.add(repr((name, defaults, list(_code(function.__code__)))).encode())
        for label, value in _names_read(function):
            parts.add(f"{name} {label} ".encode() + _frozen(value, waiting))
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in sorted(parts))).digest()


def _code(code: CodeType) -> Iterator[tuple[Any, ...]]:
    """What shapes the behaviour of a code object, and of those inside it; no line numbers, no file names."""
    constants = []
    for item in code.co_consts:
        if isinstance(item, CodeType):
            yield from _code(item)
        else:
            constants.append(repr(sorted(item, key=repr) if isinstance(item, frozenset) else item))
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    yield code.co_code, constants, names, code.co_argcount, code.co_flags, code.co_exceptiontable


def _names_read(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Values of the global and closure names, and of `module.name` for modules among them."""
    names = sorted({name for part in _code(function.__code__) for name in part[2][0]})
    for name in names:
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        if isinstance(value, ModuleType):
            inside = [inner for inner in names if hasattr(value, inner)]
            yield from ((f"{name}.{inner}", getattr(value, inner)) for inner in inside)
        else:
            yield name, value
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _frozen(value: Any, waiting: list[FunctionType]) -> bytes:
    """The bytes of a constant, which numba writes into the code; a function is put on the waiting list."""
    inner = getattr(value, "__wrapped__", None) or getattr(value, "py_func", None)  # a loop, or numba's own
    if isinstance(inner, FunctionType):
        waiting.append(inner)
        return b""
    if isinstance(value, np.ndarray):
        return repr((value.shape, value.dtype, value.strides)).encode() + value.tobytes()
    if isinstance(value, tuple):
        return b"(" + b",".join(hashlib.sha256(_frozen(item, waiting)).digest() for item in value)
    if isinstance(value, enum.EnumMeta):
        return repr(list(value)).encode()
    if callable(value) or isinstance(value, ModuleType):  # NumPy, numba, types: their versions are in the key
        return b""
    return repr(value).encode()
