"""The same two entry points on CasADi's interpreter, for where LLVM or an operation is missing."""

from __future__ import annotations

import ctypes
import math
import threading
from typing import Any

import numpy as np

from condyle.kernels.compile import Code
from condyle.kernels.instructions import port

_LANES = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)


def _view(address: int, shape: tuple[int, ...], strides: tuple[int, ...] | None = None) -> np.ndarray:
    """The doubles at an address, as an array."""
    if not address or not math.prod(shape):
        return np.zeros(shape)
    extent = (
        1 + sum((n - 1) * (s // 8) for n, s in zip(shape, strides, strict=True))
        if strides
        else math.prod(shape)
    )
    flat = np.frombuffer((ctypes.c_double * extent).from_address(address))
    return np.lib.stride_tricks.as_strided(flat, shape, strides) if strides else flat.reshape(shape)


class Interpreter:
    """Evaluates a casadi.Function row by row on memory given by address."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.inputs = [port(function, k, False) for k in range(function.n_in())]
        self.outputs = [port(function, k, True) for k in range(function.n_out())]
        self.given = [np.zeros(len(p.places)) for p in self.inputs]
        self.made = [np.zeros(len(p.places)) for p in self.outputs]
        self.lock = threading.Lock()  # the buffers below serve one call at a time
        self.buffer, self.evaluate = function.buffer()
        for k, array in enumerate(self.given):
            self.buffer.set_arg(k, memoryview(array))
        for k, array in enumerate(self.made):
            self.buffer.set_res(k, memoryview(array))

    def code(self, width: int) -> Code:
        """Entry points like those of compiled code."""

        def lanes(arguments: int, blocks: int) -> None:
            pointers = _pointers(arguments, len(self.inputs) + len(self.outputs))
            ports = [*self.inputs, *self.outputs]
            arrays = [_view(a, (blocks, p.size, width)) for a, p in zip(pointers, ports, strict=True)]
            for block in range(blocks):
                for lane in range(width):
                    self._row([array[block, :, lane] for array in arrays])

        def rows(arguments: int, strides: int, first: int, count: int, scratch: int) -> None:
            pointers = _pointers(arguments, len(self.inputs) + len(self.outputs))
            steps = list((ctypes.c_int64 * len(self.inputs)).from_address(strides)) if self.inputs else []
            steps += [p.size for p in self.outputs]
            arrays = [
                _view(a + 8 * step * first, (count, p.size), (8 * step, 8)) if a else np.zeros((count, 0))
                for a, p, step in zip(pointers, [*self.inputs, *self.outputs], steps, strict=True)
            ]
            for row in range(count):
                self._row([array[row] for array in arrays])

        callback = _LANES(lanes)
        return Code(ctypes.cast(callback, ctypes.c_void_p).value or 0, callback, rows)

    def _row(self, arrays: list[np.ndarray]) -> None:
        with self.lock:
            for array, given, one in zip(arrays, self.given, self.inputs, strict=False):
                if one.places:
                    given[:] = array[list(one.places)]
            self.evaluate()
            for array, made, one in zip(arrays[len(self.given) :], self.made, self.outputs, strict=True):
                array[:] = 0.0
                if one.places:
                    array[list(one.places)] = made


def _pointers(address: int, count: int) -> list[int]:
    return [pointer or 0 for pointer in (ctypes.c_void_p * count).from_address(address)]
