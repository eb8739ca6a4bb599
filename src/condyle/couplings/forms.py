"""Fits of samples over a box: where to sample, and the function through what was found there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import pi
from types import MappingProxyType

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from condyle.couplings.sweep import Box
from condyle.functions import (
    Chebyshev,
    Fourier,
    Function,
    MultivariateFourier,
    NaturalCubicSpline,
    NotAKnotCubicSpline,
    QuinticSpline,
    TensorSpline,
)
from condyle.functions.leaves import leaves

#: Fits have no more points than this, all coordinates together; splines, whose points are all in the code,
#: only if they are asked to.
MOST_POINTS, MOST_OF_A_TABLE = 20_000, 5_000


@dataclass(frozen=True)
class Form:
    """A kind of fit. `size`, one whole number per independent, is what its class says in `unit`.

    abscissae: ((lower, upper), size) -> where to sample; fit: (box, sizes, values (*points)) -> function.
    """

    unit: str
    smallest: int
    largest: int
    inputs: int
    abscissae: Callable[[tuple[float, float], int], np.ndarray]
    fit: Callable[[Box, Sequence[int], np.ndarray], Function]
    periodic: bool = False


def _even(limits: tuple[float, float], size: int) -> np.ndarray:
    return np.linspace(*limits, size)


def _spline(kind: Callable[..., Function], **of_surface: str) -> Callable[..., Function]:
    def fit(box: Box, sizes: Sequence[int], values: np.ndarray) -> Function:
        axes = [_even(limits, size) for limits, size in zip(box, sizes, strict=True)]
        if len(axes) == 1:
            return kind(axes[0], values)
        return TensorSpline(leaves(axes[0]), leaves(axes[1]), leaves(values), **of_surface)

    return fit


def _chebyshev_points(limits: tuple[float, float], size: int) -> np.ndarray:
    return 0.5 * (limits[0] + limits[1]) + 0.5 * (limits[1] - limits[0]) * _roots(size)


def _roots(size: int) -> np.ndarray:
    """Roots of T_size, increasing."""
    return -np.cos(pi * (np.arange(size) + 0.5) / size)


def _chebyshev(box: Box, sizes: Sequence[int], values: np.ndarray) -> Function:
    for axis, size in enumerate(sizes):
        # The polynomials are orthogonal over the roots.
        weights = chebvander(_roots(size), size - 1) * (2.0 / size)
        weights[:, 0] *= 0.5
        values = np.moveaxis(np.tensordot(weights, values, ([0], [axis])), 0, axis)
    return Chebyshev(tuple(box), leaves(values.ravel()), tuple(sizes))


def _fourier_points(limits: tuple[float, float], size: int) -> np.ndarray:
    """One period, its end left out, twice as densely as `size` harmonics need."""
    count = 4 * size + 2
    return limits[0] + (limits[1] - limits[0]) * np.arange(count) / count


def _fourier(box: Box, sizes: Sequence[int], values: np.ndarray) -> Function:
    spectrum = np.fft.fftn(values) / values.size
    periods = [upper - lower for lower, upper in box]
    noise = 2e-16 * float(np.abs(values).max())
    rows, cosines, sines = [], [], []
    for row in product(*(range(-size, size + 1) for size in sizes)):
        if next((number for number in row if number), -1) < 0:
            continue  # the mean, and the conjugate of another one
        # Samples begin at `lower`, the function's phase at 0.
        angle = sum(2 * pi * k * low / period for k, (low, _), period in zip(row, box, periods, strict=True))
        factor = 2.0 * complex(spectrum[row]) * np.exp(-1j * angle)
        if abs(factor) <= noise:
            continue
        rows.append(row)
        cosines.append(factor.real)
        sines.append(-factor.imag)
    mean = float(spectrum[(0,) * len(sizes)].real)
    if len(sizes) == 1:
        return Fourier(periods[0], tuple(row[0] for row in rows), tuple(cosines), tuple(sines), mean)
    return MultivariateFourier(tuple(periods), tuple(rows), tuple(cosines), tuple(sines), mean)


#: By the word that `sample` takes.
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "cubic": Form("points", 5, 4097, 2, _even, _spline(NotAKnotCubicSpline, ends="not-a-knot")),
        "natural cubic": Form("points", 5, 4097, 2, _even, _spline(NaturalCubicSpline, ends="natural")),
        "quintic": Form("points", 7, 4097, 1, _even, _spline(QuinticSpline)),
        "chebyshev": Form("polynomials", 4, 128, 6, _chebyshev_points, _chebyshev),
        "fourier": Form("harmonics", 2, 128, 6, _fourier_points, _fourier, periodic=True),
    }
)
