"""A kernel evaluated many times in a compiled loop on varying states: no Python in it, nothing hoisted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from condyle.kernels import Kernel
from condyle.kernels.by_address import call
from condyle.solve.native.build import compiled
from condyle.solve.native.language import Floats1, Ints1, native


class Chain:
    """What the loop works on: the current inputs stand before the rows of each input's table."""

    kernel: int
    pointers: int
    inputs: int
    outputs: int
    rows: int
    tables: Floats1
    places: Ints1
    sizes: Ints1
    result: Floats1


@native
def chain(s: Chain, count: int) -> int:
    """Evaluate one state after the other; each is read from the tables and depends on the results before it.

    The dependence (a change far below round-off) is what a simulation has: no evaluation can begin before the
    last ended. The inputs take turns with the elements of the first result, so that it is waited for as
    a whole (of a matrix, as many elements as there are inputs).
    """
    waited = 0
    for k in range(count):
        row = k % s.rows
        for i in range(s.inputs):
            size = s.sizes[i]
            place = s.places[i]
            for j in range(size):
                change = s.result[waited] * 1e-40
                s.tables[place + j] = s.tables[place + (row + 1) * size + j] + change
                waited = waited + 1
                if waited == s.outputs:
                    waited = 0
        call(s.kernel, s.pointers, 1)
    return 0


def chained(kernel: Kernel, inputs: list[np.ndarray], count: int) -> Callable[[], object]:
    """What to time: `count` scalar evaluations over the rows of `inputs`, (rows, n) each, one by one."""
    rows = len(inputs[0])
    sizes = np.array([array.shape[1] for array in inputs], dtype=np.int64)
    places = np.concatenate([[0], np.cumsum(sizes * (rows + 1))[:-1]]).astype(np.int64)
    tables = np.concatenate([np.concatenate([array[0], array.ravel()]) for array in inputs])
    results = [np.zeros(max(1, int(np.prod(shape)))) for _, shape in kernel.outputs]
    pointers = np.array(
        [tables.ctypes.data + 8 * int(place) for place in places]
        + [result.ctypes.data for result in results],
        dtype=np.int64,
    )
    state = Chain()
    state.kernel, state.pointers = kernel.address(1), pointers.ctypes.data
    state.inputs, state.outputs, state.rows = len(sizes), len(results[0]), rows
    state.tables, state.places, state.sizes, state.result = tables, places, sizes, results[0]
    run_chain = compiled(chain)
    _keep = (pointers, results)

    def run() -> object:
        run_chain(state, count)
        return _keep

    return run


def independent(kernel: Kernel, inputs: list[np.ndarray], width: int, repeats: int) -> Callable[[], object]:
    """What to time: `repeats` passes over all rows by the kernel's own loop over blocks of `width` lanes."""
    import ctypes

    rows = len(inputs[0])
    blocks = rows // width
    laid = [
        np.ascontiguousarray(array[: blocks * width].reshape(blocks, width, -1).transpose(0, 2, 1))
        for array in inputs
    ]
    results = [np.zeros((blocks, max(1, int(np.prod(shape))), width)) for _, shape in kernel.outputs]
    pointers = (ctypes.c_void_p * (len(laid) + len(results)))(
        *[array.ctypes.data for array in laid + results]
    )
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(kernel.address(width))
    _keep = (laid, results)

    def run() -> object:
        for _ in range(repeats):
            function(ctypes.addressof(pointers), blocks)
        return _keep

    return run
