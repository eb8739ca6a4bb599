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
    ClampedCubicSpline,
    ClampedQuinticSpline,
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
class Samples:
    """Values (*points) of one dependent over a box, less its steady gain: `rates` (m) times q.

    ends: derivatives of first and second order (rows) at the lower and the upper end of one independent.
    """

    box: Box
    sizes: Sequence[int]
    values: np.ndarray
    rates: np.ndarray
    ends: np.ndarray


@dataclass(frozen=True)
class Form:
    """A kind of fit. `size`, one whole number per independent, is what its class says in `unit`.

    abscissae: ((lower, upper), size) -> where to sample. `clamped`: it takes the derivatives at the ends.
    """

    unit: str
    smallest: int
    largest: int
    inputs: int
    abscissae: Callable[[tuple[float, float], int], np.ndarray]
    fit: Callable[[Samples], Function]
    periodic: bool = False
    clamped: bool = False


def _even(limits: tuple[float, float], size: int) -> np.ndarray:
    return np.linspace(*limits, size)


def _spline(kind: Callable[..., Function], **of_surface: str) -> Callable[..., Function]:
    def fit(samples: Samples) -> Function:
        axes = [_even(limits, size) for limits, size in zip(samples.box, samples.sizes, strict=True)]
        if len(axes) == 1:
            return kind(axes[0], samples.values)
        return TensorSpline(leaves(axes[0]), leaves(axes[1]), leaves(samples.values), **of_surface)

    return fit


def _clamped_cubic(samples: Samples) -> Function:
    x, slopes = _even(samples.box[0], samples.sizes[0]), leaves(samples.ends[0])
    return ClampedCubicSpline(leaves(x), leaves(samples.values), start_slope=slopes[0], end_slope=slopes[1])


def _clamped_quintic(samples: Samples) -> Function:
    x = _even(samples.box[0], samples.sizes[0])
    (slope, other_slope), (curvature, other_curvature) = leaves(samples.ends)
    return ClampedQuinticSpline(
        leaves(x), leaves(samples.values), "quadratic", slope, other_slope, curvature, other_curvature
    )


def _chebyshev_points(limits: tuple[float, float], size: int) -> np.ndarray:
    return 0.5 * (limits[0] + limits[1]) + 0.5 * (limits[1] - limits[0]) * _roots(size)


def _roots(size: int) -> np.ndarray:
    """Roots of T_size, increasing."""
    return -np.cos(pi * (np.arange(size) + 0.5) / size)


def _chebyshev(samples: Samples) -> Function:
    values, sizes = samples.values, samples.sizes
    for axis, size in enumerate(sizes):
        # The polynomials are orthogonal over the roots.
        weights = chebvander(_roots(size), size - 1) * (2.0 / size)
        weights[:, 0] *= 0.5
        values = np.moveaxis(np.tensordot(weights, values, ([0], [axis])), 0, axis)
    return Chebyshev(tuple(samples.box), leaves(values.ravel()), tuple(sizes))


def _fourier_points(limits: tuple[float, float], size: int) -> np.ndarray:
    """One period, its end left out, twice as densely as `size` harmonics need."""
    count = 4 * size + 2
    return limits[0] + (limits[1] - limits[0]) * np.arange(count) / count


def _fourier(samples: Samples) -> Function:
    box, sizes, values, rates = samples.box, samples.sizes, samples.values, samples.rates
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
        harmonics = tuple(row[0] for row in rows)
        return Fourier(periods[0], harmonics, tuple(cosines), tuple(sines), mean, float(rates[0]))
    slopes = leaves(rates) if rates.any() else ()
    return MultivariateFourier(tuple(periods), tuple(rows), tuple(cosines), tuple(sines), mean, slopes)


#: By the word that `sample` takes.
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "cubic": Form("points", 5, 4097, 2, _even, _spline(NotAKnotCubicSpline, ends="not-a-knot")),
        "natural cubic": Form("points", 5, 4097, 2, _even, _spline(NaturalCubicSpline, ends="natural")),
        "clamped cubic": Form("points", 5, 4097, 1, _even, _clamped_cubic, clamped=True),
        "quintic": Form("points", 7, 4097, 1, _even, _spline(QuinticSpline)),
        "clamped quintic": Form("points", 5, 4097, 1, _even, _clamped_quintic, clamped=True),
        "chebyshev": Form("polynomials", 4, 128, 6, _chebyshev_points, _chebyshev),
        "fourier": Form("harmonics", 2, 128, 6, _fourier_points, _fourier, periodic=True),
    }
)
