"""Every kind of function once or more, with an independent reference: a new kind adds its line here.

A reference takes the inputs as arrays; where it also takes `order` it gives that derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from numpy.polynomial import chebyshev
from scipy.interpolate import CubicSpline, RectBivariateSpline, make_interp_spline

import condyle.functions as f


@dataclass(frozen=True)
class Case:
    """A function, what it must equal, and the box in which it must."""

    name: str
    function: f.Function
    reference: Callable[..., Any]
    box: tuple[tuple[float, float], ...]


X = (-1.1, -0.45, 0.2, 0.35, 1.0, 1.9, 2.4)
Y = (0.3, -0.2, 0.5, 0.9, 0.1, -0.6, 0.4)
X12 = tuple(np.linspace(-2.0, 2.0, 12) + 0.1 * np.sin(5.0 * np.arange(12)))
Y12 = tuple(np.cos(2.0 * np.array(X12)))
LONG_X = tuple(np.cumsum(1.0 + 0.5 * np.sin(np.arange(90.0))) / 20.0)
LONG_Y = tuple(np.sin(np.array(LONG_X)))
U = (-1.0, -0.4, 0.1, 0.7, 1.3)
V = (0.0, 0.6, 1.0, 1.7)
Z = tuple(tuple(float(np.sin(2.0 * u) * np.cos(v) + u * v) for v in V) for u in U)
LONG_U = tuple(np.linspace(-1.0, 1.0, 17) + 0.02 * np.sin(7.0 * np.arange(17)))
LONG_Z = tuple(tuple(float(np.sin(3.0 * u + v)) for v in LONG_U) for u in LONG_U)
EXPONENTS = ((0, 0, 0), (1, 0, 0), (0, 2, 1), (3, 1, 0), (0, 0, 2), (2, 0, 2))
COEFFICIENTS = (0.5, -1.0, 2.0, 0.25, -0.75, 1.5)
WAVES = ((1, 0), (2, -1), (0, 3))
BOX = ((-1.0, 2.0), (0.0, 0.5), (1.0, 3.0))
CUBE = np.random.default_rng(3).uniform(-1.0, 1.0, (3, 2, 4))
HARMONICS, COSINES, SINES = (1, 2, 5), (0.4, -0.3, 0.2), (1.0, 0.5, -0.1)


def _end_cubic(x: np.ndarray, y: np.ndarray) -> float:
    """Third derivative of the cubic through four points."""
    return float(6.0 * np.polyfit(x - x[0], y, 3)[0])


def simm(x: Any, y: Any) -> Callable[..., Any]:
    """SIMM's spline as a B-spline with given third derivatives at the ends."""
    x, y = np.array(x), np.array(y)
    ends = ([(3, _end_cubic(x[:4], y[:4]))], [(3, _end_cubic(x[-4:], y[-4:]))])
    return make_interp_spline(x, y, 3, bc_type=ends)


def _quintic(x: Any, y: Any) -> Callable[..., Any]:
    return make_interp_spline(x, y, 5, bc_type=([(3, 0.0), (4, 0.0)], [(3, 0.0), (4, 0.0)]))


CLAMPS = (0.3, -0.6, 1.1, 0.8)  # slopes, then curvatures at both ends


def _natural_surface(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    along_v = CubicSpline(V, np.array(Z).T, bc_type="natural")
    rows = [
        CubicSpline(U, along_v(b), bc_type="natural")(a) for a, b in zip(u.ravel(), v.ravel(), strict=True)
    ]
    return np.array(rows).reshape(u.shape)


def _polynomial(*x: np.ndarray) -> np.ndarray:
    terms = [
        c * np.prod([a**k for a, k in zip(x, row, strict=True)], axis=0)
        for row, c in zip(EXPONENTS, COEFFICIENTS, strict=True)
    ]
    return np.sum(terms, axis=0)


def _fourier(x: np.ndarray) -> np.ndarray:
    phases = [2.0 * np.pi * k * x / 0.8 for k in HARMONICS]
    return 0.1 + sum(c * np.cos(p) + s * np.sin(p) for c, s, p in zip(COSINES, SINES, phases, strict=True))


def _waves(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A sum of real parts."""
    turn = 2j * np.pi
    total = sum(
        np.real(complex(c, -s) * np.exp(turn * (m * x / 2.0 + n * y / 3.0)))
        for (m, n), c, s in zip(WAVES, COSINES, SINES, strict=True)
    )
    return np.asarray(-0.2 + 0.5 * x - y + total)


def _chebyshev_surface(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """NumPy's, on intervals mapped by hand."""
    s, t = 2 * (x - U[0]) / (U[-1] - U[0]) - 1, 2 * (y - V[0]) / (V[-1] - V[0]) - 1
    return chebyshev.chebval2d(s, t, np.array(Z))


def _chebyshev_body(*x: np.ndarray) -> np.ndarray:
    t = [2 * (a - lower) / (upper - lower) - 1 for a, (lower, upper) in zip(x, BOX, strict=True)]
    return chebyshev.chebval3d(*t, CUBE)


def _step(x: np.ndarray) -> np.ndarray:
    t = np.clip((x - 0.4) / 1.5, 0.0, 1.0)
    return 2.0 * (3.0 * t**2 - 2.0 * t**3)


def _periodic(n: int, period: float) -> Callable[..., Any]:
    return CubicSpline((*X[:n], X[0] + period), (*Y[:n], Y[0]), bc_type="periodic")


def _swirl(a: Any, b: Any, p: Any) -> Any:
    return ca.exp(-p * a * a) * ca.sin(b)


WIDE = ((-3.0, 3.0),)
ENDS = ((X[0], X[-1]),)
CASES = (
    Case("constant", f.Constant(2.5), lambda x: np.full_like(x, 2.5), WIDE),
    Case("linear", f.Linear(2.0, -1.0), lambda x: 2.0 * x - 1.0, WIDE),
    Case(
        "polynomial",
        f.Polynomial((1.0, 0.0, -2.0, 0.5)),
        lambda x: np.polyval((0.5, -2.0, 0.0, 1.0), x),
        WIDE,
    ),
    Case("several inputs", f.MultivariatePolynomial(EXPONENTS, COEFFICIENTS), _polynomial, WIDE * 3),
    Case("natural", f.NaturalCubicSpline(X, Y), CubicSpline(X, Y, bc_type="natural"), ENDS),
    Case(
        "natural, two points",
        f.NaturalCubicSpline(X[:2], Y[:2]),
        lambda x: np.interp(x, X[:2], Y[:2]),
        (X[:2],),
    ),
    Case(
        "natural, long",
        f.NaturalCubicSpline(LONG_X, LONG_Y),
        CubicSpline(LONG_X, LONG_Y, bc_type="natural"),
        ((LONG_X[0], LONG_X[-1]),),
    ),
    Case(
        "clamped",
        f.ClampedCubicSpline(X, Y, start_slope=0.7, end_slope=-1.0),
        CubicSpline(X, Y, bc_type=((1, 0.7), (1, -1.0))),
        ENDS,
    ),
    *(
        Case(
            f"not a knot, {n}",
            f.NotAKnotCubicSpline(X[:n], Y[:n]),
            CubicSpline(X[:n], Y[:n]),
            ((X[0], X[n - 1]),),
        )
        for n in (2, 3, 4, 5, 7)
    ),
    Case("simm", f.SIMMSpline(X, Y), simm(X, Y), ENDS),
    Case("simm, even", f.SIMMSpline(X12, Y12), simm(X12, Y12), ((X12[0], X12[-1]),)),
    Case("simm, four", f.SIMMSpline(X[:4], Y[:4]), simm(X[:4], Y[:4]), ((X[0], X[3]),)),
    Case("quintic", f.QuinticSpline(X, Y), _quintic(X, Y), ENDS),
    Case("quintic, even", f.QuinticSpline(X12, Y12), _quintic(X12, Y12), ((X12[0], X12[-1]),)),
    *(
        Case(
            f"quintic, clamped, {len(x)}",
            f.ClampedQuinticSpline(x, y, "quadratic", *CLAMPS),
            make_interp_spline(x, y, 5, bc_type=([(1, 0.3), (2, 1.1)], [(1, -0.6), (2, 0.8)])),
            ((x[0], x[-1]),),
        )
        for x, y in ((X, Y), (X12, Y12), (X[:2], Y[:2]))
    ),
    Case("surface", f.TensorSpline(U, V, Z), _natural_surface, ((U[0], U[-1]), (V[0], V[-1]))),
    Case(
        "surface, not a knot",
        f.TensorSpline(U, V, Z, ends="not-a-knot", extrapolation="continue"),
        RectBivariateSpline(U, V, np.array(Z), s=0).ev,
        ((U[0], U[-1]), (V[0], V[-1])),
    ),
    Case(
        "surface, large",
        f.TensorSpline(LONG_U, LONG_U, LONG_Z, ends="not-a-knot"),
        RectBivariateSpline(LONG_U, LONG_U, np.array(LONG_Z), s=0).ev,
        ((LONG_U[0], LONG_U[-1]),) * 2,
    ),
    Case("fourier", f.Fourier(0.8, HARMONICS, COSINES, SINES, 0.1), _fourier, WIDE),
    Case(
        "fourier, gaining",
        f.Fourier(0.8, HARMONICS, COSINES, SINES, 0.1, slope=1.5),
        lambda x: _fourier(x) + 1.5 * x,
        WIDE,
    ),
    Case(
        "fourier, two inputs",
        f.MultivariateFourier((2.0, 3.0), WAVES, COSINES, SINES, -0.2, (0.5, -1.0)),
        _waves,
        WIDE * 2,
    ),
    Case("chebyshev", f.Chebyshev(ENDS, Y), chebyshev.Chebyshev(Y, ENDS[0]), ENDS),
    Case("chebyshev, constant", f.Chebyshev(ENDS, (0.7,)), lambda x: np.full_like(x, 0.7), ENDS),
    Case(
        "chebyshev, two inputs",
        f.Chebyshev((U[::4], V[::3]), np.ravel(Z), (5, 4)),
        _chebyshev_surface,
        (U[::4], V[::3]),
    ),
    Case("chebyshev, three inputs", f.Chebyshev(BOX, CUBE.ravel(), CUBE.shape), _chebyshev_body, BOX),
    *(
        Case(f"periodic, {n}", f.PeriodicCubicSpline(X[:n], Y[:n], period), _periodic(n, period), WIDE)
        for n, period in ((3, 1.7), (4, 2.5), (7, 4.0))
    ),
    Case("step", f.CubicStep(2.0, 1.5, 0.4), _step, WIDE),
    Case("piecewise linear", f.PiecewiseLinear(X, Y, accept_kinks=True), lambda x: np.interp(x, X, Y), ENDS),
    Case(
        "expression", f.Expression(_swirl, 2, (0.5,)), lambda a, b: np.exp(-0.5 * a * a) * np.sin(b), WIDE * 2
    ),
    Case("scaled", f.Scaled(f.SIMMSpline(X, Y), -3.0), lambda x: -3.0 * simm(X, Y)(x), ENDS),
    Case(
        "composed",
        f.Composed(f.Polynomial((0.0, 1.0, 2.0)), f.Fourier(0.8, HARMONICS, COSINES, SINES, 0.1)),
        lambda x: _fourier(x) + 2.0 * _fourier(x) ** 2,
        WIDE,
    ),
)
