"""What holds for every function of the list in cases.py."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import condyle.functions
from condyle.functions import Composed, Function, PiecewiseLinear, QuinticSpline, Scaled
from condyle.functions.interpolant import Interpolant

from .cases import CASES, Case
from .evaluate import breaks, knots, numeric, operations, orders, with_symbols


def over(cases: list[Case]) -> pytest.MarkDecorator:
    """A test for each of these cases."""
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)


every = over(list(CASES))
#: A graph in which each of thousands of numbers is a symbol takes minutes.
promotable = over([case for case in CASES if "long" not in case.name and "large" not in case.name])
looking = over([case for case in CASES if "constant" not in case.name])
#: One input, knots at which a piece ends.
broken = over([case for case in CASES if isinstance(case.function, Interpolant) and len(case.function.x) > 4])
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=15, deadline=None)


def draw(case: Case, seed: int, count: int = 8) -> list[np.ndarray]:
    """Points of the box, one array per input; its corners come first."""
    low, high = np.array(case.box).T
    corners = np.array(np.meshgrid(*np.array(case.box))).reshape(len(low), -1).T
    inner = np.random.default_rng(seed).uniform(low, high, (count, len(low)))
    return list(np.vstack([corners, inner]).T)


def away(case: Case, points: list[np.ndarray], distance: float) -> list[np.ndarray]:
    """The points that are farther than this from any knot."""
    keep = np.ones(points[0].shape, dtype=bool)
    for values, places in zip(points, breaks(case.function), strict=False):
        keep &= (np.abs(values[:, None] - places) > distance).all(axis=1)
    return [values[keep] for values in points]


def close(found: Any, expected: Any, bound: float) -> None:
    """Equal within the bound relative to the largest entry (or 1)."""
    expected = np.asarray(expected)
    np.testing.assert_allclose(
        found, expected, rtol=0.0, atol=bound * max(1.0, np.abs(expected).max(initial=0.0))
    )


def test_the_list_holds_every_kind() -> None:
    """A kind that is exported is tested."""

    def kinds(function: Function) -> set[type]:
        inner = [getattr(function, field.name) for field in dataclasses.fields(function)]
        return {type(function)}.union(*(kinds(item) for item in inner if isinstance(item, Function)))

    tested = set[type]().union(*(kinds(case.function) for case in CASES))
    assert tested == {getattr(condyle.functions, name) for name in condyle.functions.__all__} - {Function}


@every
def test_value_equals_reference(case: Case) -> None:
    """Values are those of SciPy or NumPy to round-off, the ends of the data included."""
    assert case.function.problems() == []
    value = numeric(case.function, (0,) * len(case.box))

    @few
    @given(seeds)
    def law(seed: int) -> None:
        points = draw(case, seed)
        close(value(*points), case.reference(*points), 5e-13)

    law()


@every
def test_derivatives_equal_differences(case: Case) -> None:
    """Each derivative up to the second is the central difference of one below."""
    h = 1e-5
    pairs = []
    for order in orders(len(case.box), 1) + orders(len(case.box), 2):
        axis = int(np.argmax(order))
        below = tuple(k - (i == axis) for i, k in enumerate(order))
        pairs.append((axis, numeric(case.function, below), numeric(case.function, order)))

    @few
    @given(seeds)
    def law(seed: int) -> None:
        points = away(case, draw(case, seed), 2 * h)
        for axis, below, derivative in pairs:
            moved = [[values + sign * h * (k == axis) for k, values in enumerate(points)] for sign in (1, -1)]
            close(derivative(*points), (below(*moved[0]) - below(*moved[1])) / (2 * h), 1e-6)

    law()


@over([case for case in CASES if case.function.antiderivative(ca.SX.sym("x")) is not None])
def test_antiderivatives(case: Case) -> None:
    """Where one is given, its derivative is the function, and it has no jump."""
    x = ca.SX.sym("x")
    total = case.function.antiderivative(x)
    assert total is not None
    both = ca.Function("both", [x], [ca.jacobian(total, x), case.function(x), total])
    points = np.linspace(*case.box[0], 1001)
    rate, value, integral = (np.array(part).ravel() for part in both(points.reshape(1, -1)))
    close(rate, np.broadcast_to(value, rate.shape), 1e-13)
    assert np.abs(np.diff(integral)).max() <= 1.01 * np.abs(value).max() * (points[1] - points[0]) + 1e-12


@broken
def test_declared_continuity_is_the_measured_one(case: Case) -> None:
    """At the inner knots the declared derivatives agree from both sides, and the next one jumps somewhere."""
    inner = knots(case.function)[0][1:-1]
    before, after = np.nextafter(inner, -np.inf), np.nextafter(inner, np.inf)
    for order in range(case.function.continuity + 2):
        derivative = numeric(case.function, (order,))
        left, right = derivative(before), derivative(after)
        if order <= case.function.continuity:
            close(left, right, 1e-9)
        else:
            assert np.abs(left - right).max() > 1e-3


def test_wrapped_functions_are_as_smooth_as_what_they_wrap() -> None:
    """A kink is not hidden by a factor or by another function."""
    kinked = PiecewiseLinear((0.0, 1.0), (0.0, 1.0), accept_kinks=True)
    smooth = QuinticSpline((0.0, 1.0, 2.0), (0.0, 1.0, 3.0))
    assert (Scaled(kinked, 2.0).continuity, Scaled(smooth, 2.0).continuity) == (0, 4)
    assert (Composed(smooth, kinked).continuity, Composed(kinked, smooth).continuity) == (0, 0)


@looking
def test_nan_gives_nan(case: Case) -> None:
    """NaN in any input is not hidden by a select."""
    middle = [np.array([0.5 * (low + high) + 0.01]) for low, high in case.box]
    value = numeric(case.function, (0,) * len(case.box))
    assert np.isfinite(value(*middle)).all()
    for k in range(len(middle)):
        point = [np.array([np.nan]) if i == k else x for i, x in enumerate(middle)]
        assert np.isnan(value(*point)).all()


@promotable
def test_promoted_leaves(case: Case) -> None:
    """With symbols for all numbers the value is the same, and its derivatives to them are differences."""
    symbols: list[ca.SX] = []
    numbers: list[float] = []
    promoted = with_symbols(case.function, symbols, numbers)
    x = [ca.SX.sym(f"x{k}") for k in range(len(case.box))]
    p = ca.vertcat(*symbols)
    value = promoted(*x)
    graph = ca.Function("promoted", [*x, p], [value, ca.jacobian(value, p), ca.jacobian(value, x[0])])
    h = 1e-6
    for point in np.array(away(case, draw(case, 5, 6), 10 * h)).T:
        found, sensitivity, slope = (np.array(item).ravel() for item in graph(*point, numbers))
        close(found, numeric(case.function, (0,) * len(x))(*point), 1e-12)
        close(slope, numeric(case.function, (1,) + (0,) * (len(x) - 1))(*point), 1e-11)
        steps = h * np.eye(len(numbers))
        moved = [
            [float(graph(*point, np.array(numbers) + sign * step)[0]) for step in steps] for sign in (1, -1)
        ]
        close(sensitivity, (np.array(moved[0]) - np.array(moved[1])) / (2 * h), 1e-6)


@promotable
def test_plain_numbers_are_folded(case: Case) -> None:
    """Without promotion the graph is no larger than that with symbols once these are numbers again."""
    symbols: list[ca.SX] = []
    numbers: list[float] = []
    promoted = with_symbols(case.function, symbols, numbers)
    x = [ca.SX.sym(f"x{k}") for k in range(len(case.box))]
    folded = ca.substitute(promoted(*x), ca.vertcat(*symbols), ca.DM(numbers))
    plain = operations(ca.Function("plain", x, [ca.cse(case.function(*x))]))
    assert plain <= operations(ca.Function("folded", x, [ca.cse(folded)]))
    assert plain <= operations(ca.Function("free", [*x, *symbols], [ca.cse(promoted(*x))]))


@every
def test_copies_are_equal(case: Case) -> None:
    """A function pickles, copies and hashes as a value."""
    for again in (pickle.loads(pickle.dumps(case.function)), copy.deepcopy(case.function)):
        assert again == case.function
        assert hash(again) == hash(case.function)


@every
def test_domain_is_the_range_of_the_data(case: Case) -> None:
    """A function of data knows their range, one given by a formula has none."""
    if case.function.domain is None:
        assert not any(places.size for places in knots(case.function))
    else:
        assert case.function.domain == tuple((places[0], places[-1]) for places in knots(case.function))
