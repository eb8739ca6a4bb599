"""Fits of joint variables: within their stated errors, or refused with figures."""

from __future__ import annotations

from math import inf, pi

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.couplings import Explicit, Implicit, Sampled, sample
from condyle.errors import InputError, ModelError
from condyle.functions import Expression, Linear, NaturalCubicSpline, PiecewiseLinear
from condyle.joints import Pin

from .cases import body

WAVE = Explicit("wave", "b.angle", ("a.angle",), Expression(lambda x: ca.sin(2 * x) * ca.exp(0.3 * x), 1))
TURN = Explicit(
    "turn", "b.angle", ("a.angle",), Expression(lambda x: x + 0.3 * ca.sin(x) / (2 + ca.cos(x)), 1)
)
HILL = Explicit(
    "hill", "c.angle", ("a.angle", "b.angle"), Expression(lambda x, y: ca.cos(x - 2 * y) / (2 + ca.cos(x)), 2)
)
ONE, TWO = ((-1.0, 1.0),), ((-1.0, 1.0), (0.0, 0.7))
TURNS = ((1.0, 1.0 + 2 * pi),)

FITS = [
    (WAVE, "cubic", ONE, (1e-7, 1e-5, 1e-3)),
    (WAVE, "natural cubic", ONE, (1e-2, 0.1, 6.0)),
    (WAVE, "quintic", ((-1.5, 1.5),), (1e-3, 0.02, 1.0)),
    (WAVE, "clamped cubic", ONE, (1e-7, 1e-5, 1e-3)),
    (WAVE, "clamped quintic", ONE, (1e-10, 1e-8, 1e-6)),
    (WAVE, "chebyshev", ONE, (1e-11, 1e-9, 1e-8)),
    (TURN, "fourier", TURNS, (1e-12, 1e-11, 1e-10)),
    (HILL, "cubic", TWO, (1e-4, 1e-2, 0.5)),
    (HILL, "natural cubic", TWO, (1e-2, 0.2, 8.0)),
    (HILL, "chebyshev", TWO, (1e-8, 1e-6, 1e-5)),
    (HILL, "fourier", ((0.0, 2 * pi), (-1.0, 2 * pi - 1)), (1e-7, 1e-6, 1e-5)),
]


@pytest.mark.parametrize(("source", "form", "box", "tolerance"), FITS)
def test_within_the_stated_errors(source, form, box, tolerance):
    """Value, gradient and Hessian at places that the fit has not seen; its own errors are near the truth."""
    fit = sample(source, form, box, tolerance=tolerance)
    assert (fit.dependents, fit.independents) == (source.dependents, source.independents)
    q = np.random.default_rng(0).uniform(*np.transpose(box), size=(3000, len(box)))
    for order, name in enumerate(("value", "gradient", "hessian")):
        found = np.abs(getattr(fit, name)(q) - getattr(source, name)(q)).max()
        stated = fit.errors[0][order]
        assert stated <= tolerance[order]
        assert 0.2 * stated <= found <= 1.3 * stated + 1e-15, (name, found, stated)


def test_turns_are_kept():
    """An angle that gains a turn per period keeps gaining."""
    fit = sample(TURN, "fourier", TURNS, tolerance=(1e-9, 1e-8, 1e-7))
    assert fit.domain is None
    assert np.allclose(
        fit.value([[0.4], [0.4 + 6 * pi]])[:, 0], TURN.value([[0.4], [0.4 + 6 * pi]])[:, 0], atol=1e-9
    )


def test_a_miss_is_refused_with_figures():
    with pytest.raises(InputError) as caught:
        sample(WAVE, "cubic", ONE, tolerance=(1e-3, 1e-3, 1e-4), size=11)
    said = str(caught.value)
    assert "coupling 'wave': the cubic fit with 11 points misses its bound" in said
    assert "second derivative of 'b.angle' is off by" in said and "at 'a.angle' = " in said
    assert "allowed 0.0001" in said and "value of" not in said


def test_natural_ends_do_not_converge():
    """A natural cubic spline has no curvature at its ends: the error of the second derivative there stays."""
    curvature = abs(WAVE.hessian([1.0])[0, 0, 0])
    for size in (101, 401):
        fit = sample(WAVE, "natural cubic", ONE, tolerance=(inf,) * 3, size=size)
        assert np.isclose(fit.errors[0][2], max(curvature, abs(WAVE.hessian([-1.0])[0, 0, 0])), rtol=1e-6)
    with pytest.raises(InputError, match="second derivative of"):
        sample(WAVE, "natural cubic", ONE, tolerance=(inf, inf, 0.1))


@pytest.mark.parametrize(("form", "order"), [("cubic", 2), ("clamped cubic", 2), ("clamped quintic", 4)])
def test_order_of_the_second_derivative(form, order):
    """Up to the ends, where natural splines have none."""
    errors = [sample(WAVE, form, ONE, tolerance=(inf,) * 3, size=size).errors[0][2] for size in (65, 129)]
    assert abs(np.log2(errors[0] / errors[1]) - order) <= 0.3


def test_it_gives_up_when_doubling_does_not_help():
    """Not after the largest number of points only."""
    with pytest.raises(InputError, match=r"fit with (129|257) points"):
        sample(WAVE, "natural cubic", ONE, tolerance=(1e-9, 1e-9, 1e-9))


@pytest.mark.parametrize(
    ("source", "form", "box", "said"),
    [
        (WAVE, "cubics", ONE, "unknown form 'cubics'; did you mean 'cubic'?"),
        (HILL, "cubic", ONE, "box has 1 intervals; one is needed for each of a.angle, b.angle"),
        (WAVE, "cubic", ((1.0, 1.0),), "interval of 'a.angle' must be finite and increasing"),
        (HILL, "quintic", TWO, "form 'quintic' takes up to 1 independents, found 2; allowed: 'cubic'"),
        (WAVE, "fourier", TURNS, "no period 6.28318531 in 'a.angle': 'b.angle' changes by"),
        (Explicit("k", "b.angle", ("b.angle",)), "cubic", ONE, "'b.angle' is coupled to itself"),
    ],
)
def test_bad_requests(source, form, box, said):
    with pytest.raises(InputError) as caught:
        sample(source, form, box, tolerance=(1.0, 1.0, 1.0))
    assert said in str(caught.value)


def test_steps_that_would_change_the_branch_are_halved():
    """Branches lie pi apart; the coarse steps of the sweep are predicted worse than that."""
    steep = Expression(lambda x, s: ca.sin(s - 20 * ca.cos(3 * x)), 2)
    source = Implicit("steep", ("b.angle",), ("a.angle",), (steep,), (20.0,))
    fit = sample(source, "chebyshev", ((-3.0, 3.0),), tolerance=(1e-6, 1e-3, 1.0), start=(0.0,))
    q = np.linspace(-3, 3, 50)[:, None]
    assert np.allclose(fit.value(q), 20 * np.cos(3 * q), atol=1e-6)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tolerance": (1.0, 1.0)}, "tolerance must be three bounds"),
        ({"tolerance": (1.0, 1.0, -1.0)}, "tolerance must be three bounds"),
        ({"start": (0.0, 0.0)}, "start must be a number for each of a.angle, found (0.0, 0.0)"),
        ({"guess": (np.nan,)}, "guess must be a number for each of b.angle"),
    ],
)
def test_numbers_are_checked(options, said):
    with pytest.raises(InputError) as caught:
        sample(WAVE, "cubic", ONE, **({"tolerance": (1.0, 1.0, 1.0)} | options))
    assert said in str(caught.value)


def test_size_is_checked():
    with pytest.raises(InputError, match="expected 1 numbers of points, at least 5 each"):
        sample(WAVE, "cubic", ONE, tolerance=(1.0, 1.0, 1.0), size=3)


def chain(*couplings) -> cd.Model:
    joints = (Pin("a", "ground", "a"), Pin("b", "a", "b"), Pin("c", "b", "c"))
    return cd.Model("chain", tuple(body(name) for name in "abc"), joints, couplings=couplings)


def test_leaving_the_sampled_range():
    """The coupling itself refuses and names the coordinate; a mechanism gives a status."""
    fit = sample(WAVE, "cubic", ONE, tolerance=(1e-4, 1e-3, 1e-1))
    with pytest.raises(
        InputError, match=r"leaves its sampled range: 'a.angle' is 1.01 to 1.01; sampled: -1 to 1"
    ):
        fit.value([1.01])
    mechanism = cd.compile(chain(fit))
    assert mechanism.coordinates == ("a.angle", "c.angle")
    status = mechanism.state_status(np.array([[0.99, 0.0], [1.01, 0.0]]))
    assert list(status) == [cd.Status.OK, cd.Status.BAD_INPUT]


def test_a_motion_that_leaves_the_range_is_marked():
    """As with a joint's data: the simulation goes on and says so."""
    fit = sample(WAVE, "cubic", ONE, tolerance=(1e-4, 1e-3, 1e-1))
    mechanism = cd.compile(chain(fit))
    u = np.array([[0.1, 0.0], [20.0, 0.0]])
    result = cd.simulate(mechanism, np.zeros((2, 2)), u, np.linspace(0, 0.1, 5))
    assert list(result.extrapolated) == [False, True]


@pytest.mark.parametrize(
    ("coupling", "said"),
    [
        (Sampled("k", ("b.angle", "c.angle"), ("a.angle",), (Linear(),)), "1 functions for 2 dependents"),
        (
            Sampled("k", ("b.angle",), ("a.angle", "c.angle"), (Linear(),)),
            "functions[0] takes 1 inputs; 2 are named",
        ),
        (
            Sampled("k", ("b.angle",), ("a.angle",), (PiecewiseLinear((0, 1), (0, 1), accept_kinks=True),)),
            "functions[0]: function PiecewiseLinear has 0 continuous derivatives, 2 are needed",
        ),
        (
            Sampled(
                "k",
                ("b.angle", "c.angle"),
                ("a.angle",),
                (NaturalCubicSpline((0, 1), (0, 1)), NaturalCubicSpline((2, 3), (0, 1))),
            ),
            "the functions' ranges have nothing in common",
        ),
        (
            Sampled("k", ("b.angle", "b.angle"), ("a.angle",), (Linear(), Linear())),
            "'b.angle' is named twice",
        ),
    ],
)
def test_bad_descriptions(coupling, said):
    with pytest.raises(ModelError) as caught:
        chain(coupling)
    assert said in str(caught.value)


def test_contradicting_couplings():
    """One joint variable cannot follow from two couplings, of whatever kind."""
    both = Sampled("both", ("b.angle", "c.angle"), ("a.angle",), (Linear(), Linear()))
    with pytest.raises(
        ModelError, match=r"'c.angle' already follows from coupling 'both': they contradict each other"
    ):
        chain(both, Explicit("other", "c.angle", ("a.angle",)))


def test_written_and_read():
    fit = sample(HILL, "chebyshev", TWO, tolerance=(1e-3, 1e-2, 1.0))
    model = chain(fit)
    text = cd.write_yaml(model)
    assert "type: sampled" in text and "type: chebyshev" in text
    assert cd.read_yaml(text) == model
