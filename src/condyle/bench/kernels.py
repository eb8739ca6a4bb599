"""The kernels of the benchmark: the humanoid, and what each algorithm is called here and in Pinocchio."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from condyle.bench.agreement import agreement
from condyle.bench.humanoid import humanoid
from condyle.bench.peers.pinocchio import Pinocchio
from condyle.bench.states import States
from condyle.compiled.mechanism import Mechanism
from condyle.kernels import Kernel


@dataclass(frozen=True)
class Algorithm:
    """`quantity` is Condyle's name, `peer` Pinocchio's function; inputs are the first of (q, u, third)."""

    quantity: str
    peer: str
    inputs: int

    def kernel(self) -> Kernel:
        """Compiled."""
        return mechanism().kernel(self.quantity)

    def arguments(self, states: States) -> list[Any]:
        """What the kernel is called with: no parameters and no wrenches follow."""
        return [states.q, states.u, states.third][: self.inputs]

    def checked(self, states: States, peer: Pinocchio) -> float:
        """Largest relative difference between the outputs; an error above 1e-9."""
        ours = self.kernel()(*self.arguments(states), None, None)
        if self.quantity == "inverse_dynamics_derivatives":
            theirs = peer.derivatives(states)
            along = (ours[0] @ tangents(states.q), ours[1], ours[2])
            return max(
                agreement(f"d tau / d {name}", a, b)
                for name, a, b in zip(("q", "u", "udot"), along, theirs, strict=True)
            )
        return agreement(self.quantity, ours, getattr(peer, self.quantity)(states))


ABA = Algorithm("forward_dynamics", "aba", 3)
RNEA = Algorithm("inverse_dynamics", "rnea", 3)
CRBA = Algorithm("mass_matrix", "crba", 1)
RNEA_DERIVATIVES = Algorithm("inverse_dynamics_derivatives", "computeRNEADerivatives", 3)
ALGORITHMS = (ABA, RNEA, CRBA, RNEA_DERIVATIVES)


@cache
def mechanism() -> Mechanism:
    """The compiled humanoid."""
    return Mechanism(humanoid())


def tangents(q: np.ndarray) -> np.ndarray:
    """(rows, 35, 34): change of q per turn and displacement of the free body in P axes, and per pin."""
    e = q[:, :4]
    T = np.zeros((len(q), q.shape[1], q.shape[1] - 1))
    T[:, 4:, 3:] = np.eye(q.shape[1] - 4)
    # edot = 1/2 (0, w) e, w in P axes.
    w, x, y, z = e.T
    T[:, :4, :3] = 0.5 * np.stack([-x, -y, -z, w, z, -y, -z, w, x, y, -x, w], axis=-1).reshape(-1, 4, 3)
    return T
