"""LLVM text: right values, and the same bits for every width and every length of pieces."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .graphs import HARD, by_lanes, by_rows, compiled, exact, reference, same_bits, smooth

seeds = st.integers(0, 2**31)


@settings(max_examples=15)
@given(seeds, st.sampled_from([1, 2, 4, 8]), st.sampled_from([7, 2000]), st.booleans())
def test_random_graphs_equal_casadi(seed: int, width: int, size: int, calls: bool) -> None:
    """On integers every result is exact, so selects, merging, fusing, calls and pieces are right or wrong."""
    function = exact(seed, calls=calls)
    rng = np.random.default_rng(seed)
    arrays = [rng.integers(-9, 10, (16, 4)).astype(float) for _ in range(2)]
    code = compiled(function, width, size)
    for found in (by_rows(function, code, arrays), by_lanes(function, code, width, arrays)):
        for one, other in zip(found, reference(function, arrays), strict=True):
            np.testing.assert_array_equal(one, other)


@settings(max_examples=6)
@given(seeds)
def test_every_width_and_cut_gives_the_same_bits(seed: int) -> None:
    """One lane or eight, one piece or many: equal bit for bit, also for NaN, infinities and huge numbers."""
    function = smooth(seed)
    rng = np.random.default_rng(seed)
    hard = rng.choice(HARD, (24, 5))
    arrays = [np.concatenate([rng.standard_normal((16, 5)) * 3, hard])]
    (expected,) = by_rows(function, compiled(function, 1), arrays)
    for width, size in ((1, 9), (2, 2000), (4, 13), (8, 2000), (8, 11)):
        code = compiled(function, width, size)
        assert same_bits(by_rows(function, code, arrays)[0], expected)
        assert same_bits(by_lanes(function, code, width, arrays)[0], expected)


x = ca.SX.sym("x")
y = ca.SX.sym("y")
OPERATIONS = {
    "neg": -x,
    "sq": x * x,
    "twice": 2 * x,
    "inv": 1 / x,
    "div": x / y,
    "sqrt": ca.sqrt(x),
    "fabs": ca.fabs(x),
    "floor": ca.floor(x),
    "ceil": ca.ceil(x),
    "sign": ca.sign(x),
    "fmin": ca.fmin(x, y),
    "fmax": ca.fmax(x, y),
    "fmod": ca.fmod(x, y),
    "remainder": ca.remainder(x, y),
    "hypot": ca.hypot(x, y),
    "copysign": ca.copysign(x, y),
    "pow": x**y,
    "constpow": x**2.5,
    "atan2": ca.atan2(x, y),
    "erf": ca.erf(x),
    "lt": x < y,
    "le": x <= y,
    "eq": x == y,
    "ne": x != y,
    "and": ca.logic_and(x, y),
    "or": ca.logic_or(x, y),
    "not": ca.logic_not(x),
    "if_else": ca.if_else(x, y, 3),
    "if_else_zero": ca.if_else(x, y, 0),
    "guarded": ca.if_else(x > 0, ca.sqrt(x), y),
    **{
        name: getattr(ca, name)(x)
        for name in (
            "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log1p"
        ).split()
    },
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_on_hard_values(name: str) -> None:
    """Every operation, on zeros, infinities, NaN, subnormal and huge numbers, as C has it; within 4 ulp."""
    function = ca.Function("f", [x, y], [OPERATIONS[name]])
    pairs = np.array([(a, b) for a in HARD for b in HARD])
    pairs = np.concatenate([pairs, np.random.default_rng(0).standard_normal((64, 2))])
    arrays = [np.ascontiguousarray(pairs[:, :1]), np.ascontiguousarray(pairs[:, 1:])]
    (expected,) = reference(function, arrays)
    for width in (1, 8):
        (found,) = by_rows(function, compiled(function, width), arrays)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
        np.testing.assert_allclose(found, expected, rtol=9e-16, atol=1e-323)


def test_the_branch_not_taken_does_not_leak() -> None:
    """A conditional is a select: NaN or infinity of the other branch stays there."""
    function = ca.Function("f", [x], [ca.if_else(x > 0, ca.log(x), 1 / (x + 1)), ca.if_else(x > 0, 1 / x, 0)])
    arrays = [np.array([[-1.0], [0.0], [-5.0], [2.0], [np.nan], [1.0], [np.inf], [-np.inf]])]
    first, second = by_rows(function, compiled(function, 8), arrays)
    np.testing.assert_allclose(first[:, 0], [np.inf, 1, -0.25, np.log(2), np.nan, 0, np.inf, 0], atol=0)
    np.testing.assert_array_equal(second[:, 0], [0, 0, 0, 0.5, 0, 1, 0, 0])


def test_pieces_of_a_call_inside_a_piece() -> None:
    """A called function longer than a piece is cut like any other."""
    inner = exact(5, 80)
    x, y = ca.SX.sym("x", 4), ca.SX.sym("y", 2, 2)
    first, second = inner(x, y)
    outer = ca.Function("outer", [x, y], [first + inner(first[[0, 1, 2, 0]], y)[0], second])
    arrays = [np.arange(32.0).reshape(8, 4), np.arange(32.0)[::-1].reshape(8, 4).copy()]
    found = by_rows(outer, compiled(outer, 4, 10), arrays)
    for one, other in zip(found, reference(outer, arrays), strict=True):
        np.testing.assert_array_equal(one, other)
