"""How far fits are from what they were fitted to: value, first and second derivatives, between points too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from condyle.couplings.forms import Form
from condyle.couplings.sweep import Box, Sweep
from condyle.functions import Function

#: Between two points of a fit it is checked at these fractions; at no more places than this altogether, with
#: one independent and with more.
FRACTIONS, MOST_CHECKS = (0.0, 0.21, 0.5, 0.79), (20_000, 5_000)
QUANTITIES = ("value", "first derivative", "second derivative")


@dataclass(frozen=True, eq=False)
class FitErrors:
    """Largest differences (n, 3) of every dependent's value, first and second derivatives, and where (3, m)
    the largest of each kind is.
    """

    sweep: Sweep
    errors: np.ndarray
    places: np.ndarray

    @property
    def largest(self) -> np.ndarray:
        """(3)."""
        return self.errors.max(axis=0)

    @property
    def rows(self) -> tuple[tuple[float, float, float], ...]:
        """One per dependent."""
        return tuple((float(row[0]), float(row[1]), float(row[2])) for row in self.errors)

    def within(self, tolerance: Sequence[float]) -> bool:
        """Whether all are; what is not a number is not."""
        return bool(np.all(self.largest <= tolerance))

    def misses(self, tolerance: Sequence[float]) -> list[str]:
        """Every bound that is missed, with figures."""
        found = []
        for order, quantity in enumerate(QUANTITIES):
            error, allowed = self.largest[order], tolerance[order]
            if not error <= allowed:
                owner = self.sweep.source.dependents[int(self.errors[:, order].argmax())]
                place = self.sweep.named(self.places[order])
                found.append(
                    f"{quantity} of {owner!r} is off by {error:.3g} at {place}, allowed {allowed:.3g}"
                )
        return found


def measured(sweep: Sweep, kind: Form, sizes: tuple[int, ...], functions: Sequence[Function]) -> FitErrors:
    """Errors of the functions, one per dependent."""
    places = grid(_checks(sweep.box, kind, sizes))
    m, source = places.shape[1], sweep.source
    exact = sweep.at(places)
    slopes, bends = source.gradient(places, exact), source.hessian(places, exact)
    inputs = list(places.T)
    differences = np.zeros((3, len(places), len(functions)))
    for k, function in enumerate(functions):
        for orders in product(range(3), repeat=m):
            if sum(orders) > 2:
                continue
            axes = [axis for axis, order in enumerate(orders) for _ in range(order)]
            wanted = (exact, slopes, bends)[len(axes)][(slice(None), k, *axes)]
            error = np.abs(function.evaluate(*inputs, order=orders) - wanted)
            differences[len(axes), :, k] = np.maximum(differences[len(axes), :, k], error)
    worst = differences.max(axis=2).argmax(axis=1)
    return FitErrors(sweep, differences.max(axis=1).T, places[worst])


def grid(axes: Sequence[np.ndarray]) -> np.ndarray:
    """(points, m), the last axis running first."""
    return np.stack([array.ravel() for array in np.meshgrid(*axes, indexing="ij")], axis=-1)


def _checks(box: Box, kind: Form, sizes: tuple[int, ...]) -> list[np.ndarray]:
    """Coordinates at which a fit is checked: at its points and between them."""
    found = []
    most = int(MOST_CHECKS[len(box) > 1] ** (1.0 / len(box)))
    for limits, size in zip(box, sizes, strict=True):
        own = kind.abscissae(limits, size)
        ends = np.unique(np.concatenate([[limits[0]], own, [limits[1]]]))
        between = [ends[:-1] + fraction * np.diff(ends) for fraction in FRACTIONS]
        places = np.append(np.stack(between, axis=1).ravel(), ends[-1])
        if len(places) > most:
            # The ends are where splines are worst: they stay, and what lies between is thinned.
            places = places[np.unique(np.round(np.linspace(0, len(places) - 1, most)).astype(int))]
        found.append(places)
    return found
