"""One state at a time inside a compiled loop, scalar.

The figure is that of a chain, in which each evaluation waits for the one before, as in a simulation. With
independent states, whose evaluations the processor may overlap, as those of a peer called again and again, it
is `independent`.
"""

from __future__ import annotations

import numpy as np

from condyle.bench.beside import beside_pinocchio
from condyle.bench.evaluation import chained, independent
from condyle.bench.kernels import ABA, CRBA, RNEA, Algorithm, mechanism
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.states import random_states


def aba(sizes: Sizes) -> Row:
    """Forward dynamics."""
    return _loop("aba_loop", ABA, 4.0, sizes)


def rnea(sizes: Sizes) -> Row:
    """Inverse dynamics."""
    return _loop("rnea_loop", RNEA, 4.0, sizes)


def crba(sizes: Sizes) -> Row:
    """Mass matrix."""
    return _loop("crba_loop", CRBA, 2.0, sizes)


def _loop(name: str, algorithm: Algorithm, target: float, sizes: Sizes) -> Row:
    row = Row(name, "us per evaluation")
    kernel = algorithm.kernel()
    states = random_states(mechanism(), sizes.states)
    inputs = [*algorithm.arguments(states), np.zeros((len(states), 0)), np.zeros((len(states), 0))]
    contenders = {
        "condyle": (chained(kernel, inputs, len(states)), len(states)),
        "condyle, independent states": (independent(kernel, inputs, 1, 1), len(states)),
    }
    found = beside_pinocchio(row, algorithm, states, contenders, target, sizes.rounds)
    alone = found["condyle, independent states"].median * 1e6
    row.figures |= {"operations": kernel.operations, "independent": alone}
    if "pinocchio" in row.peers:
        row.figures["ratio_independent"] = row.peers["pinocchio"] / alone
    return row
