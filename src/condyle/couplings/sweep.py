"""Solutions of a coupling over a box of its independents, all on the branch of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from condyle.couplings.base import Coupling
from condyle.errors import InputError

Box = Sequence[tuple[float, float]]

#: Steps of the walk along each independent, and how often one may be halved.
STEPS, HALVINGS = 32, 12
#: Largest correction of a predicted step, in multiples of the step itself: beyond it lies another branch.
LARGEST_CORRECTION = 0.5


class Sweep:
    """Values of `source` on the branch of `start`, (q (m), guess of s (n) or None).

    The box is walked once on a coarse grid, each step predicted by the gradient and halved where the
    correction is large; what is asked for later starts from the grid.
    """

    def __init__(self, source: Coupling, box: Box, start: tuple[np.ndarray, np.ndarray | None]) -> None:
        self.source, self.box = source, box
        q, guess = start
        self.axes = [np.linspace(low, high, STEPS + 1) for low, high in box]
        nearest = [int(np.abs(axis - value).argmin()) for axis, value in zip(self.axes, q, strict=True)]
        corner = np.array([axis[k] for axis, k in zip(self.axes, nearest, strict=True)])
        first = self.settled(q[None, :], None if guess is None else np.asarray(guess, float)[None, :])
        q_, s_ = q[None, :], self.walk(q[None, :], first, corner[None, :])
        q_, values = corner[None, :], s_
        for k, axis in enumerate(self.axes):
            q_, values = self._along(k, axis, nearest[k], q_, values)
        shape = tuple(len(axis) for axis in self.axes)
        # Axes were appended in order, the latest running first.
        self.grid = values.reshape(*shape, values.shape[-1])

    def _along(
        self, k: int, axis: np.ndarray, begin: int, q: np.ndarray, s: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Solutions (p len(axis), n) along axis k, from those (p, n) at its point `begin`."""
        places = np.repeat(q[:, None, :], len(axis), axis=1)
        places[:, :, k] = axis
        values = np.empty((len(q), len(axis), s.shape[1]))
        values[:, begin] = s
        for order in (range(begin, len(axis)), range(begin, -1, -1)):
            for here, there in pairwise(order):
                values[:, there] = self.walk(places[:, here], values[:, here], places[:, there])
        return places.reshape(-1, q.shape[1]), values.reshape(-1, s.shape[1])

    def walk(self, q: np.ndarray, s: np.ndarray, target: np.ndarray, halvings: int = 0) -> np.ndarray:
        """Solutions (p, n) at `target` (p, m) on the branches of s (p, n) at q (p, m)."""
        if np.array_equal(q, target):
            return s
        step = np.einsum("pnm,pm->pn", self.source.gradient(q, s), target - q)
        found = self.settled(target, s + step, may_fail=True)
        correction = np.abs(found - s - step).max(axis=1)
        if np.all(correction <= LARGEST_CORRECTION * np.abs(step).max(axis=1) + 1e-6):
            return found
        if halvings == HALVINGS:
            worst = self.named(q[np.argmax(np.nan_to_num(correction, nan=np.inf))])
            raise InputError(
                f"coupling {self.source.name!r}: the sweep cannot pass {worst}: a dead point, or no solution "
                "beyond; sample a smaller box"
            )
        middle = 0.5 * (q + target)
        return self.walk(middle, self.walk(q, s, middle, halvings + 1), target, halvings + 1)

    def at(self, q: np.ndarray) -> np.ndarray:
        """Solutions (k, n) at q (k, m)."""
        return self.settled(q, self.interpolated(q))

    def interpolated(self, q: np.ndarray) -> np.ndarray:
        """(k, n): linear between the points of the coarse grid."""
        values = self.grid
        cells, shares = [], []
        for k, axis in enumerate(self.axes):
            place = np.clip((q[:, k] - axis[0]) / (axis[-1] - axis[0]) * STEPS, 0.0, STEPS)
            cell = np.minimum(place.astype(int), STEPS - 1)
            cells.append(cell)
            shares.append(place - cell)
        found = np.zeros((len(q), values.shape[-1]))
        for corner in np.ndindex(*(2,) * len(self.axes)):
            weight = np.ones(len(q))
            for side, share in zip(corner, shares, strict=True):
                weight = weight * (share if side else 1.0 - share)
            index = tuple(cell + side for cell, side in zip(cells, corner, strict=True))
            found += weight[:, None] * values[index]
        return found

    def settled(self, q: np.ndarray, guess: np.ndarray | None, may_fail: bool = False) -> np.ndarray:
        """`source.settled`; an error names where there is no solution, unless NaN will do."""
        try:
            found = self.source.settled(q, guess)
        except InputError:
            if may_fail:
                return np.full((len(q), len(self.source.dependents)), np.nan)
            raise
        lost = ~np.isfinite(found).all(axis=1)
        if lost.any() and not may_fail:
            where = self.named(q[np.argmax(lost)])
            raise InputError(f"coupling {self.source.name!r} has no solution at {where}")
        return found

    def named(self, q: np.ndarray) -> str:
        """A place, for a person."""
        pairs = zip(self.source.independents, q, strict=True)
        return ", ".join(f"{name!r} = {value:.9g}" for name, value in pairs)
