"""What follows outside the data is what the field says."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

from condyle.functions import (
    ClampedCubicSpline,
    ClampedQuinticSpline,
    NaturalCubicSpline,
    NotAKnotCubicSpline,
    PiecewiseLinear,
    QuinticSpline,
    SIMMSpline,
    TensorSpline,
)

from .cases import LONG_X, LONG_Y, X12, Y12, U, V, X, Y, Z
from .evaluate import numeric

KEPT = {"constant": 0, "linear": 1, "quadratic": 2}
KINDS = [NaturalCubicSpline, ClampedCubicSpline, NotAKnotCubicSpline, SIMMSpline, QuinticSpline]
KINDS += [ClampedQuinticSpline]
POINTS = [(X, Y), (X12, Y12), (LONG_X, LONG_Y)]


@pytest.mark.parametrize("word", KEPT)
@pytest.mark.parametrize("points", POINTS, ids=["odd", "even", "long"])
@pytest.mark.parametrize("kind", KINDS)
def test_taylor_polynomial_of_the_end(kind, points, word) -> None:
    """Value, slope and curvature outside are those of the kept Taylor polynomial, on both sides."""
    spline = kind(*points, extrapolation=word)
    derivatives = [numeric(spline, (order,)) for order in range(3)]
    for end, distance in ((points[0][0], -0.7), (points[0][-1], 0.9)):
        taylor = [float(derivatives[k](end)[0]) / factorial(k) for k in range(KEPT[word] + 1)]
        polynomial = np.polynomial.Polynomial(taylor)
        for order in range(3):
            expected = polynomial.deriv(order)(distance) if order else polynomial(distance)
            np.testing.assert_allclose(derivatives[order](end + distance), expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("points", POINTS, ids=["odd", "even", "long"])
@pytest.mark.parametrize("kind", [*KINDS, PiecewiseLinear])
def test_continue_is_the_end_piece(kind, points) -> None:
    """The polynomial of the end piece, fitted inside, goes on outside."""
    spline = kind(*points, extrapolation="continue")
    value = numeric(spline, (0,))
    for first, second, outside in ((0, 1, -0.01), (-1, -2, 0.01)):
        start, end = points[0][first], points[0][second]
        inside = np.linspace(start, end, 6)
        fitted = np.polynomial.Polynomial.fit(inside, value(inside), 5 if "Quintic" in kind.__name__ else 3)
        np.testing.assert_allclose(value(start + outside), fitted(start + outside), rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("word", ["constant", "linear"])
def test_piecewise_linear(word) -> None:
    """The end value, or the end slope."""
    value = numeric(PiecewiseLinear(X, Y, extrapolation=word, accept_kinks=True), (0,))
    slopes = [(Y[1] - Y[0]) / (X[1] - X[0]), (Y[-1] - Y[-2]) / (X[-1] - X[-2])]
    expected = [Y[0] - 0.5 * slopes[0] * KEPT[word], Y[-1] + 0.5 * slopes[1] * KEPT[word]]
    np.testing.assert_allclose(value([X[0] - 0.5, X[-1] + 0.5]), expected, rtol=1e-14)


@pytest.mark.parametrize("kind", [*KINDS, PiecewiseLinear])
def test_nan_refuses_only_the_outside(kind) -> None:
    """NaN outside in the value and its derivatives, numbers inside and at the ends."""
    spline = kind(X, Y, extrapolation="nan")
    for order in range(1 if kind is PiecewiseLinear else 3):
        derivative = numeric(spline, (order,))
        assert np.isnan(derivative([X[0] - 1e-9, X[-1] + 1e-9, -50.0, 50.0])).all()
        np.testing.assert_array_equal(derivative(X), numeric(kind(X, Y), (order,))(X))


@pytest.mark.parametrize("ends", ["natural", "not-a-knot"])
def test_surface_is_linear_outside(ends) -> None:
    """Beyond a border the surface goes on with its slope there; beyond a corner, bilinear."""
    surface = TensorSpline(U, V, Z, ends=ends)
    value, in_u, in_v, mixed = (numeric(surface, order) for order in ((0, 0), (1, 0), (0, 1), (1, 1)))
    a, b, du, dv = U[-1], V[0], 0.4, -0.3
    np.testing.assert_allclose(value(a + du, 0.8), value(a, 0.8) + du * in_u(a, 0.8), rtol=1e-12)
    corner = value(a, b) + du * in_u(a, b) + dv * in_v(a, b) + du * dv * mixed(a, b)
    np.testing.assert_allclose(value(a + du, b + dv), corner, rtol=1e-12)


def test_natural_spline_is_smooth_at_its_ends() -> None:
    """Natural, not-a-knot and quintic splines are C2 at the ends by default; SIMM's is C1."""
    for kind in (NaturalCubicSpline, NotAKnotCubicSpline, QuinticSpline, SIMMSpline):
        curvature = numeric(kind(X, Y), (2,))
        jumps = [curvature(np.nextafter(x, -9.0)) - curvature(np.nextafter(x, 9.0)) for x in (X[0], X[-1])]
        assert (np.abs(jumps).max() > 1.0) == (kind is SIMMSpline)
