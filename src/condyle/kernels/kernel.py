"""Kernel: one function of arrays, compiled for one lane and for as many as the machine has, when they are needed."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from condyle.errors import InputError
from condyle.kernels import compile as compiler
from condyle.kernels.arrays import FLOAT, Ports, outputs, prepare
from condyle.kernels.batch import Pace, run
from condyle.kernels.single import Stage
from condyle.kernels.target import host


def build(trace: Callable[[], Any], key: bytes | None, name: str) -> Kernel:
    """The kernel of the SX function that `trace` returns.

    trace: called only when the cache holds nothing for the key.
    key: digest of everything the function depends on; None: not cached.
    name: what errors call the kernel.
    """
    return Kernel(trace, key, name)


class Kernel:
    """Callable on arrays with batch axes in front; `address` gives the machine code to compiled loops."""

    def __init__(self, trace: Callable[[], Any], key: bytes | None, name: str) -> None:
        self.name = name
        self._trace = trace
        self._key = key
        self._function: Any = None
        self._program: Any = None
        self._codes: dict[int, compiler.Code] = {}
        self._paces: dict[int, Pace] = {}
        self._stages: list[Stage] = []
        self._interpreted = os.environ.get("CONDYLE_BACKEND", "") == "casadi"
        self.inputs: Ports
        self.outputs: Ports
        self.operations: int
        self._describe()
        self._batch_width = self.lanes

    def _describe(self) -> None:
        from condyle.kernels.instructions import UnknownOperation, lower, port

        function = self.function
        if not self._interpreted:
            try:
                self._program = lower(function)
            except UnknownOperation as reason:
                warnings.warn(f"{self.name} runs on CasADi's interpreter: {reason}", RuntimeWarning, stacklevel=3)
                self._interpreted = True
        given = [port(function, k, False) for k in range(function.n_in())]
        made = [port(function, k, True) for k in range(function.n_out())]
        self.inputs = tuple((p.name, p.shape) for p in given)
        self.outputs = tuple((p.name, p.shape) for p in made)
        self.operations = self._program.operations if self._program else function.n_instructions()

    @property
    def function(self) -> Any:
        """The casadi.Function, traced when it is first asked for."""
        if self._function is None:
            self._function = self._trace()
        return self._function

    @property
    def lanes(self) -> int:
        """The preferred number of lanes on this machine."""
        return host().lanes

    def address(self, width: int) -> int:
        """Address of `void f(void** args, int64 blocks)`: inputs then outputs, each [block][element][lane].

        Valid as long as the process; null pointers are allowed for arguments of size zero. Outputs must not
        overlap inputs.
        """
        return self._code(width).address

    def _code(self, width: int) -> compiler.Code:
        code = self._codes.get(width)
        if code is None:
            with compiler.LOCK:
                code = self._codes.get(width) or self._compile(width)
                self._codes[width] = code
        return code

    def _compile(self, width: int) -> compiler.Code:
        if self._interpreted:
            from condyle.kernels.interpreter import Interpreter

            return Interpreter(self.function).code(width)
        from condyle.kernels.entries import module

        text = module(self._program, width, "condyle", host())
        return compiler.load(compiler.object_code(text, host()), width)

    def __call__(self, *values: Any, out: Any = None, threads: int = 1) -> Any:
        """Evaluate: arrays (..., shape) in the order of `inputs`, leading axes broadcast; None where the size is zero.

        out: arrays (a tuple when there are several outputs) that receive the results and are returned.
        threads: how many threads share a batch.
        """
        if out is None and len(values) == len(self.inputs):
            try:
                stage = self._stages.pop()
            except IndexError:
                stage = Stage(self.inputs, self.outputs, self._code(1).lanes)
            result = stage(values)
            self._stages.append(stage)
            if result is not None:
                return result
        return self._evaluate(values, out, threads)

    def _evaluate(self, values: tuple[Any, ...], out: Any, threads: int) -> Any:
        given = prepare(self.name, self.inputs, values)
        if not isinstance(threads, int) or threads < 1:
            raise InputError(f"{self.name}: threads is {threads!r}; allowed: 1, 2, ...")
        asked = outputs(self.name, self.outputs, given.shape, out)
        # Compiled code may write an output before it has read all inputs.
        made = [np.empty_like(a) if any(np.may_share_memory(a, b) for b in given.arrays) else a for a in asked]
        count = math.prod(given.shape)
        if count:
            width = self.lanes if count >= self.lanes else 1
            code = self._code(width)
            pace = self._paces.setdefault(width, Pace())
            run(code.rows, [*given.arrays, *made], given.strides, count, width, threads, pace)
        for array, result in zip(asked, made, strict=True):
            if array is not result:
                array[...] = result
        if out is not None:
            return out
        return asked[0] if len(asked) == 1 else tuple(asked)
