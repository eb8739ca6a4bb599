"""Every kernel of the benchmark in one process."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from condyle.bench.cases.rk4 import stepper
from condyle.bench.chains import QUANTITIES, chain
from condyle.bench.kernels import ALGORITHMS, mechanism
from condyle.bench.states import random_states
from condyle.compiled.mechanism import Mechanism


def compiled_and_called(chains: Sequence[int]) -> None:
    """Compile each for one lane and for all, and call it; batches are small, being the caller's."""
    states = random_states(mechanism(), 64)
    for algorithm in ALGORITHMS:
        kernel = algorithm.kernel()
        kernel.address(1)
        kernel(*algorithm.arguments(states), None, None)
    advance = stepper()
    start = np.hstack([states.q, states.u])
    advance(start[:1], 2)
    advance(start, 2)
    for pins in chains:
        one = Mechanism(chain(pins))
        q, u = one.default_state()
        for quantity in QUANTITIES.values():
            one.kernel(quantity)(q, u, u, None, None)
