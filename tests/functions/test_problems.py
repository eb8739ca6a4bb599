"""Bad numbers are named, all at once."""

from __future__ import annotations

import math
from math import inf, nan

import casadi as ca
import numpy as np
import pytest

import condyle.functions as f
from condyle.errors import InputError

SYMBOL, MIXED = ca.SX.sym("s"), ca.MX.sym("m")
UNKNOWN, KNOWN = ca.SX.sym("unknown"), ca.SX.sym("known")
SOLVER = ca.rootfinder("root", "newton", {"x": UNKNOWN, "p": KNOWN, "g": UNKNOWN**2 - KNOWN})
BAD = [
    (f.Constant(nan), ["value must be a finite number, found nan"]),
    (f.Linear(inf, nan), ["slope", "offset"]),
    (f.Polynomial(()), ["at least one is needed"]),
    (f.Polynomial((1.0, inf)), ["coefficients[1] must be a finite number, found inf"]),
    (f.MultivariatePolynomial(((1, 0), (0, -1)), (1.0, nan)), ["exponents[1] = (0, -1)", "coefficients[1]"]),
    (f.MultivariatePolynomial(((1, 0), (0.5, 1)), (1.0, 2.0)), ["exponents[1] = (0.5, 1)"]),
    (f.MultivariatePolynomial(((1, 0), (0,)), (1.0,)), ["one row per coefficient", "exponents[1] has 1"]),
    (f.MultivariatePolynomial(((1, 0), (1, 0)), (1.0, 2.0)), ["repeats exponents[0]"]),
    (f.MultivariatePolynomial((), ()), ["a row per term"]),
    (f.NaturalCubicSpline((0.0,), (1.0,)), ["1 point given, at least 2 are needed"]),
    (f.NaturalCubicSpline((0, 1, 2), (1, 2)), ["x has 3 entries and y has 2"]),
    (f.SIMMSpline((0, 2, 1, 1), (1, nan, 2, 3)), ["x[2] = 1.0 follows 2.0", "x[3] = 1.0", "y[1]"]),
    (f.SIMMSpline((0, 1), ("a", 2)), ["y[0] must be a finite number, found 'a'"]),
    (f.SIMMSpline(None, (1, 2)), ["x must be a sequence of numbers, found None"]),
    (f.SIMMSpline((0, 1), (1, 2), extrapolation="liner"), ["'liner'; did you mean 'linear'?"]),
    (f.QuinticSpline((0, 1), (1, 2)), ["at least 3 are needed"]),
    (f.ClampedCubicSpline((0, 1), (1, 2), end_slope=inf), ["end_slope"]),
    (f.PiecewiseLinear((0, 1), (1, 2)), ["accept_kinks=True"]),
    (f.PiecewiseLinear((0, 1), (1, 2), "quadratic", True), ["unknown extrapolation 'quadratic'"]),
    (f.TensorSpline((0, 1), (0, 1), ((1, 2),)), ["z has 1 rows and x 2 entries"]),
    (
        f.TensorSpline((0, 1), (0, 0, 2), ((1, 2, 3), (1, 2))),
        ["y[1] = 0.0 follows 0.0", "z[1] has 2 entries"],
    ),
    (f.TensorSpline((0, 1), (0,), ((1,), (nan,)), ends="clamped"), ["at least 2", "z[1][0]", "'clamped'"]),
    (f.PeriodicCubicSpline((0, 1, 7), (1, 2, 3)), ["less than the period", "do not repeat a point"]),
    (f.PeriodicCubicSpline((0, 1), (1, 2), nan), ["at least 3 are needed", "period"]),
    (f.CubicStep(nan, 1.0), ["height"]),
    (f.CubicStep(1.0, 0.0), ["width must be positive"]),
    (f.Fourier(0.0, (1,), (1.0,)), ["period must be positive"]),
    (
        f.Fourier(1.0, (0, 2, 2, 1.5), (1.0,)),
        ["harmonics[0]", "harmonics[2] = 2 is there", "[3]", "1 entries"],
    ),
    (f.Fourier(1.0, (1,), (1.0,), slope=nan), ["slope"]),
    (
        f.MultivariateFourier((1.0, -2.0), ((1, 0), (0, 0), (-1, 0), (1,)), (1.0,), slopes=(1.0,)),
        [
            "periods[1] must be positive",
            "harmonics[1] = (0, 0) is the mean",
            "harmonics[2] = (-1, 0), or its negative",
            "harmonics[3] = (1,) must be 2 whole",
            "cosines has 1 entries and harmonics 4",
            "slopes has 1 entries and periods 2",
        ],
    ),
    (f.Chebyshev((), ()), ["intervals must be pairs"]),
    (f.Chebyshev(((0, 1, 2),), (1.0, nan)), ["intervals[0] must be two", "coefficients[1]"]),
    (
        f.Chebyshev(((1, 0), (0, 1)), (1.0,), (1,)),
        ["intervals[0] must strictly", "counts must be 2 positive"],
    ),
    (
        f.Chebyshev(((0, 1), (0, 1)), (1.0,), (2, 0)),
        ["counts must be 2 positive whole numbers, found (2, 0)"],
    ),
    (f.Chebyshev(((0, 1),), (1.0, 2.0), (3,)), ["coefficients has 2 entries, counts (3,)"]),
    (f.Scaled(f.SIMMSpline((0,), (1,)), nan), ["factor", "function: 1 point given"]),
    (
        f.Composed(f.Expression(lambda a, b: a * b, 2), f.Constant(nan)),
        ["outer: must take one", "inner: value"],
    ),
    (f.Expression("sin(x)"), ["found 'sin(x)'", "a file cannot hold"]),
    (f.Expression(lambda x: math.sin(x)), ["use casadi.sin, not math.sin"]),
    (f.Expression(lambda x, y: x + y), ["cannot be traced with 1"]),
    (f.Expression(lambda x: 1 / 0), ["division by zero"]),
    (f.Expression(lambda x: SYMBOL * x), ["are free"]),
    (f.Expression(lambda x: ca.vertcat(x, x)), ["one scalar"]),
    (
        f.Expression(ca.Function("two", [SYMBOL, KNOWN], [SYMBOL * KNOWN])),
        ["takes 2 arguments; 1 were announced"],
    ),
    (f.Expression(ca.Function("root", [MIXED], [SOLVER(1.0, MIXED)])), ["a solver or table"]),
    (f.Expression(lambda x, p: x * p, 1, (nan,)), ["parameters[0]"]),
]
NAMES = [f"{type(function).__name__} {k}" for k, (function, _) in enumerate(BAD)]


@pytest.mark.parametrize(("function", "words"), BAD, ids=NAMES)
def test_each_finding_is_a_sentence(function: f.Function, words: list[str]) -> None:
    """Every expected finding is there, and each says something else."""
    found = function.problems()
    for word in words:
        assert any(word in sentence for sentence in found), found
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(("function", "words"), BAD, ids=NAMES)
def test_a_bad_function_is_not_evaluated(function: f.Function, words: list[str]) -> None:
    """Numbers are refused with the same sentences."""
    with pytest.raises(InputError) as refused:
        function.evaluate(*[0.0] * function.inputs)
    assert all(word in str(refused.value) for word in words)


def test_promoted_numbers_are_not_judged() -> None:
    """A symbol may stand for any number, abscissae too."""
    spline = f.SIMMSpline((0.0, SYMBOL, 2.0), (SYMBOL, 1.0, 2.0))
    assert spline.problems() == []
    with pytest.raises(InputError, match="promoted"):
        spline.evaluate(0.5)


def test_evaluate_broadcasts_and_checks_its_arguments() -> None:
    """Arrays broadcast, empty ones stay empty, and wrong counts and orders are named."""
    surface = f.MultivariatePolynomial(((1, 2),), (3.0,))
    x, y = np.arange(3.0)[:, None], np.arange(4.0)
    np.testing.assert_array_equal(surface.evaluate(x, y), 3.0 * x * y**2)
    np.testing.assert_array_equal(surface.evaluate(x, y, order=(1, 1)), np.broadcast_to(6.0 * y, (3, 4)))
    assert surface.evaluate(np.empty((0, 2)), 1.0).shape == (0, 2)
    assert f.Linear(2.0).evaluate(3.0).shape == ()
    assert f.Linear(2.0).evaluate([1, 2], order=1).tolist() == [2.0, 2.0]
    for arguments, order, word in (
        ((x,), 0, "1 arrays given, 2 needed"),
        ((x, y), 1, "order must be 2 whole numbers"),
        ((x, y), (1, -1), "order must be"),
        ((x, np.arange(5.0)[:, None]), 0, "do not broadcast"),
    ):
        with pytest.raises(InputError, match=word):
            surface.evaluate(*arguments, order=order)


def test_lists_and_arrays_become_tuples() -> None:
    """Whatever sequence is given, equal descriptions are equal."""
    assert f.SIMMSpline([0, 1], np.array([1, 2])) == f.SIMMSpline((0.0, 1.0), (1.0, 2.0))
    assert f.TensorSpline([0, 1], [0, 1], np.eye(2)) == f.TensorSpline(
        (0.0, 1.0), (0.0, 1.0), ((1.0, 0.0), (0.0, 1.0))
    )
    assert f.MultivariatePolynomial(np.array([[1, 2]]), [1]) == f.MultivariatePolynomial(((1, 2),), (1.0,))


def test_expression_keeps_parameters_apart() -> None:
    """Equal formulas with different parameters differ."""

    def formula(x, p):
        return ca.sin(p * x)

    assert f.Expression(formula, 1, (2.0,)) == f.Expression(formula, 1, (2.0,))
    assert f.Expression(formula, 1, (2.0,)) != f.Expression(formula, 1, (3.0,))
