"""A batch through the kernel's public call: row-major arrays in and out, the packing into lanes included.

Results go to arrays that exist already (`out=`), as Pinocchio's go to its data; the figure with fresh arrays
is beside it.
"""

from __future__ import annotations

from condyle.bench.beside import beside_pinocchio
from condyle.bench.kernels import ABA, CRBA, RNEA, RNEA_DERIVATIVES, Algorithm, mechanism
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.states import random_states


def aba(sizes: Sizes) -> Row:
    """Forward dynamics."""
    return _batch("aba_batch", ABA, 25.0, sizes)


def rnea(sizes: Sizes) -> Row:
    """Inverse dynamics."""
    return _batch("rnea_batch", RNEA, 25.0, sizes)


def crba(sizes: Sizes) -> Row:
    """Mass matrix."""
    return _batch("crba_batch", CRBA, 4.0, sizes)


def rnea_derivatives(sizes: Sizes) -> Row:
    """Derivatives of inverse dynamics to q, u and udot."""
    return _batch("rnea_derivatives_batch", RNEA_DERIVATIVES, 4.0, sizes)


def _batch(name: str, algorithm: Algorithm, target: float, sizes: Sizes) -> Row:
    row = Row(name, "us per evaluation")
    kernel = algorithm.kernel()
    states = random_states(mechanism(), sizes.batch)
    arguments = [*algorithm.arguments(states), None, None]
    out = kernel(*arguments)
    outputs = out if isinstance(out, tuple) else (out,)
    written = sum(array.nbytes for array in outputs)

    def fill() -> None:
        for array in outputs:
            array.fill(0.0)

    contenders = {
        "condyle": (lambda: kernel(*arguments, out=out), sizes.batch),
        "condyle, fresh arrays": (lambda: kernel(*arguments), sizes.batch),
        "filling the output": (fill, sizes.batch),
    }
    some = states.first(sizes.states)
    found = beside_pinocchio(row, algorithm, some, contenders, target, sizes.rounds)
    row.figures |= {
        "batch": sizes.batch,
        "operations": kernel.operations,
        "fresh_arrays": found["condyle, fresh arrays"].median * 1e6,
        "write_bandwidth_gb_per_s": written / sizes.batch / found["filling the output"].median / 1e9,
        "fraction_of_write_bandwidth": found["filling the output"].median / found["condyle"].median,
    }
    return row
