"""Kernel: one function of arrays, compiled when it is needed for one lane or as many as the machine has."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from condyle.errors import InputError
from condyle.kernels.arrays import apart, outputs, prepare, streamed
from condyle.kernels.batch import Batches
from condyle.kernels.compile import LOCK, Code
from condyle.kernels.description import Ports
from condyle.kernels.single import Stage
from condyle.kernels.source import Source
from condyle.kernels.target import host


def build(trace: Callable[[], Any], key: bytes | None, name: str) -> Kernel:
    """The kernel of the SX function that `trace` returns.

    trace: called when the cache holds nothing for the key, or the casadi.Function itself is asked for.
    key: digest of everything the function depends on; None: not cached.
    name: what messages call the kernel.
    """
    return Kernel(Source(trace, key, name))


class Kernel:
    """Callable on arrays with batch axes in front; `address` gives the machine code to compiled loops."""

    def __init__(self, source: Source) -> None:
        description = source.description
        self.name: str = source.name
        self.inputs: Ports = description.inputs
        self.outputs: Ports = description.outputs
        self.operations: int = description.operations
        self._source = source
        self._codes: dict[int, Code] = {}
        self._batches: dict[int, Batches] = {}
        self._stages: list[Stage] = []

    @property
    def function(self) -> Any:
        """The casadi.Function, traced when it is first asked for."""
        return self._source.function

    @property
    def lanes(self) -> int:
        """The preferred number of lanes on this machine; 1 where CasADi's interpreter evaluates."""
        return 1 if self._source.interpreted else host().lanes

    @property
    def interpreted(self) -> bool:
        """Whether CasADi's interpreter evaluates, and not machine code of ours."""
        return self._source.interpreted

    def address(self, width: int) -> int:
        """Address of `void f(void** args, int64 blocks)`: inputs then outputs, each [block][element][lane].

        Valid as long as the process; thread-safe; a null pointer will do for an argument of size zero.
        Outputs must not overlap inputs.
        """
        return self.code(width).address

    def code(self, width: int) -> Code:
        """The machine code for 1, 2, 4, 8 or 16 lanes, loaded or compiled on the first call."""
        code = self._codes.get(width)
        if code is None:
            if width not in (1, 2, 4, 8, 16):
                raise InputError(f"{self.name}: {width!r} lanes; allowed: 1, 2, 4, 8, 16")
            with LOCK:
                code = self._codes[width] = self._codes.get(width) or self._source.code(width)
                if {1, self.lanes} <= self._codes.keys():
                    self._source.forget()
        return code

    def ir_digest(self, width: int) -> str:
        """Digest of the LLVM text for one width, from the graph: what the cache keeps beside the code."""
        return self._source.ir_digest(width)

    def __call__(self, *values: Any, out: Any = None, threads: int = 1) -> Any:
        """Evaluate arrays (..., shape) in the order of `inputs`; leading axes broadcast; None for size 0.

        out: arrays (a tuple when there are several outputs) that receive the results and are returned.
        threads: how many threads share a batch.
        """
        if out is None and threads == 1 and len(values) == len(self.inputs):
            # A stage serves one call at a time, whatever threads or signal handlers do.
            try:
                stage = self._stages.pop()
            except IndexError:
                stage = Stage(self.inputs, self.outputs)
            if stage.fill(values):
                result = stage.evaluate(self._codes.get(1) or self.code(1))
                self._stages.append(stage)
                return result
            self._stages.append(stage)
        return self._evaluate(values, out, threads)

    def _evaluate(self, values: tuple[Any, ...], out: Any, threads: int) -> Any:
        given = prepare(self.name, self.inputs, values)
        if not isinstance(threads, int) or threads < 1:
            raise InputError(f"{self.name}: threads is {threads!r}; allowed: 1, 2, ...")
        asked = outputs(self.name, self.outputs, given.shape, out)
        # Compiled code may write an output before it has read all inputs.
        made = asked if out is None else [apart(array, given.arrays) for array in asked]
        count = math.prod(given.shape)
        if count:
            width = self.lanes
            width = width if count >= width else 1
            batches = self._batches.get(width) or self._make_batches(width)
            strides = [*given.strides, *map(streamed, made)]
            batches.run([*given.arrays, *made], strides, count, threads)
        for array, result in zip(asked, made, strict=True):
            if array is not result:
                array[...] = result
        if out is not None:
            return out
        return asked[0] if len(asked) == 1 else tuple(asked)

    def _make_batches(self, width: int) -> Batches:
        sizes = (math.prod(shape) for _, shape in (*self.inputs, *self.outputs))
        scratch = width * sum(sizes) if width > 1 else 0
        return self._batches.setdefault(width, Batches(self.code(width).rows, width, scratch))

    def __reduce__(self) -> Any:
        return build, self._source.picklable()

    def __repr__(self) -> str:
        def listed(ports: Ports) -> str:
            return ", ".join(f"{name}{shape}" for name, shape in ports)

        return f"Kernel({self.name}: ({listed(self.inputs)}) -> ({listed(self.outputs)}))"
