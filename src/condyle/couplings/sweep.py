"""Solutions of a coupling over a box of its independents, all on the branch of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from condyle.errors import InputError

Box = Sequence[tuple[float, float]]


class Source(Protocol):
    """What is asked of what is swept; every coupling answers, at q (k, m), with a guess of s (k, n)."""

    @property
    def name(self) -> str: ...

    @property
    def dependents(self) -> tuple[str, ...]: ...

    @property
    def independents(self) -> tuple[str, ...]: ...

    def problems(self) -> list[str]: ...

    def settled(self, q: np.ndarray, guess: Any) -> np.ndarray: ...

    def gradient(self, q: Any, guess: Any) -> np.ndarray: ...

    def hessian(self, q: Any, guess: Any) -> np.ndarray: ...


#: Steps of the walk along each independent, and how often one may be halved.
STEPS, HALVINGS = 32, 12
#: Largest difference between a step and the trapezoidal rule over its gradients, in multiples of the step.
LARGEST_GAP = 0.1


class Sweep:
    """Values of `source` on the branch of `start`, (q (m), guess of s (n) or None).

    The box is walked once on a coarse grid, each step predicted by the gradient, and halved where the
    gradients at its ends do not account for it; what is asked for later is walked to from the grid.
    """

    def __init__(self, source: Source, box: Box, start: tuple[np.ndarray, np.ndarray | None]) -> None:
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
        step = self._along_gradient(q, s, target - q)
        found = self.settled(target, s + step, may_fail=True)
        # What the slopes at both ends say of the way; on another branch the ends do not fit together.
        solved = np.isfinite(found).all(axis=1, keepdims=True)
        end = self._along_gradient(np.where(solved, target, q), np.where(solved, found, s), target - q)
        rule = 0.5 * (step + end)
        gap = np.abs(found - s - rule).max(axis=1)
        with np.errstate(invalid="ignore"):
            good = gap <= LARGEST_GAP * np.abs(rule).max(axis=1) + 1e-6
        if good.all():
            return found
        bad = ~good
        if halvings == HALVINGS:
            place = self.named(q[np.argmax(bad)])
            raise InputError(
                f"coupling {self.source.name!r}: the sweep cannot pass {place}: a dead point, or no solution "
                "beyond; sample a smaller box"
            )
        middle = 0.5 * (q[bad] + target[bad])
        half_way = self.walk(q[bad], s[bad], middle, halvings + 1)
        found[bad] = self.walk(middle, half_way, target[bad], halvings + 1)
        return found

    def _along_gradient(self, q: np.ndarray, s: np.ndarray, change: np.ndarray) -> np.ndarray:
        """(p, n): gradients (p, n, m) times changes of q."""
        return np.einsum("pnm,pm->pn", self.source.gradient(q, s), change)

    def at(self, q: np.ndarray) -> np.ndarray:
        """Solutions (k, n) at q (k, m) of the box, each from the nearest point of the coarse grid."""
        nearest = [np.abs(axis - q[:, [k]]).argmin(axis=1) for k, axis in enumerate(self.axes)]
        nodes = np.stack([axis[index] for axis, index in zip(self.axes, nearest, strict=True)], axis=1)
        return self.walk(nodes, self.grid[tuple(nearest)], q)

    def settled(self, q: np.ndarray, guess: np.ndarray | None, may_fail: bool = False) -> np.ndarray:
        """`source.settled`; an error names where there is no solution, unless NaN will do."""
        try:
            found = self.source.settled(q, guess)
        except InputError:
            if not may_fail:
                raise
            if len(q) == 1:
                return np.full((1, len(self.source.dependents)), np.nan)
            # One that fails must not spoil the others.
            half = len(q) // 2
            parts = [(q[:half], guess), (q[half:], guess)]
            if guess is not None:
                parts = [(q[:half], guess[:half]), (q[half:], guess[half:])]
            return np.concatenate([self.settled(*part, may_fail=True) for part in parts])
        lost = ~np.isfinite(found).all(axis=1)
        if lost.any() and not may_fail:
            where = self.named(q[np.argmax(lost)])
            raise InputError(f"coupling {self.source.name!r} has no solution at {where}")
        return found

    def named(self, q: np.ndarray) -> str:
        """A place, for a person."""
        pairs = zip(self.source.independents, q, strict=True)
        return ", ".join(f"{name!r} = {value:.9g}" for name, value in pairs)
