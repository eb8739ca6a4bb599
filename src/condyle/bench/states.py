"""Random states of a mechanism, the same in every run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condyle.compiled.mechanism import Mechanism


@dataclass(frozen=True)
class States:
    """Rows of q (rows, nq), u (rows, nu), and forces or accelerations `third` (rows, nu)."""

    q: np.ndarray
    u: np.ndarray
    third: np.ndarray

    def __len__(self) -> int:
        return len(self.q)

    def first(self, rows: int) -> States:
        """The first rows."""
        return States(self.q[:rows], self.u[:rows], self.third[:rows])


def random_states(mechanism: Mechanism, rows: int, seed: int = 1) -> States:
    """Coordinates within 1 of zero, unit Euler parameters, speeds and forces of order 1."""
    draw = np.random.default_rng(seed)
    q = draw.uniform(-1.0, 1.0, (rows, len(mechanism.coordinates)))
    for start in mechanism.tree.unit_groups:
        q[:, start : start + 4] /= np.linalg.norm(q[:, start : start + 4], axis=1, keepdims=True)
    shape = (rows, len(mechanism.speeds))
    return States(q, draw.standard_normal(shape), draw.standard_normal(shape))
