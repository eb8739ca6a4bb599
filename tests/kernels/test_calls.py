"""Call nodes: functions that CasADi keeps as functions stay functions, derivatives included."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle.kernels import build
from condyle.kernels.calls import algorithm, callees
from condyle.kernels.entries import module
from condyle.kernels.instructions import lower
from condyle.kernels.program import UnknownOperation
from condyle.kernels.target import host

from .graphs import by_rows, compiled, reference

x = ca.SX.sym("x", 2)
y = ca.SX.sym("y")
kept = {"never_inline": True}
length = ca.Function("length", [x, y], [ca.sqrt(x[0] ** 2 + x[1] ** 2 + y**2), x * y], kept)


def test_the_printed_form_of_a_call() -> None:
    """Golden: how CasADi 3.8 prints calls, unused results and empty arguments."""
    a, b = length(2 * x, y)
    function = ca.Function("f", [x, y], [a + b[1], ca.gradient(a, x)])
    calls = {k: line for k, line in enumerate(algorithm(function)) if line.startswith("[")}
    assert list(calls.values()) == [
        "[@4,[NULL,@5]] = length([@1,@2],@3);",
        "[[@2,@3],NULL] = adj1_length([@1,@2],@3,0x0,0x0,@4,[@5,@5]);",
    ]
    assert {k: callee.name() for k, callee in callees(function).items()} == {
        k: name for k, name in zip(calls, ("length", "adj1_length"), strict=True)
    }


def test_derivatives_and_nested_calls() -> None:
    """Values, gradient, Hessian and a function that calls functions, against CasADi."""
    a, b = length(ca.vertcat(ca.sin(x[0]), x[1]), y)
    inner = ca.Function("inner", [x, y], [a * b[0] + b[1]], kept)
    value = inner(x, y) + inner(2 * x, inner(x, y))
    variables = ca.vertcat(x, y)
    hessian, gradient = ca.hessian(value, variables)
    function = ca.Function("f", [x, y], [value, gradient, hessian])
    assert len({f.name() for f in callees(function).values()}) >= 3
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal((16, 2)), rng.standard_normal((16, 1))]
    for width in (1, 8):
        found = by_rows(function, compiled(function, width), arrays)
        for one, other in zip(found, reference(function, arrays), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def test_one_function_for_many_calls() -> None:
    """Code does not grow with the number of calls."""
    inner = ca.Function("inner", [x], [ca.vertcat(*[ca.exp(x[0] / k) + x[1] for k in range(1, 60)])], kept)
    few = ca.Function("few", [x], [ca.sum1(inner(x))])
    many = ca.Function("many", [x], [sum(inner(x * k)[k] for k in range(1, 20))])
    assert len(module(lower(many), 8, host())) < 1.5 * len(module(lower(few), 8, host()))


def test_equal_calls_are_one() -> None:
    """A call with the same arguments is made once, whichever of its results are used, and when."""
    m, n = length(x, y)
    others = length(x + 1, y)
    again = ca.Function("again", [x, y], [m + others[0], ca.sin(others[1][0]) + length(x, y)[1][1] + n[0]])
    assert [i.operation for i in lower(again).code].count("call") == 2
    arrays = [np.arange(16.0).reshape(8, 2), np.arange(8.0).reshape(8, 1)]
    for size in (3, 2000):
        for one, other in zip(
            by_rows(again, compiled(again, 4, size), arrays), reference(again, arrays), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-14)


def test_matrices_of_a_call_keep_their_order() -> None:
    """Arguments and results of a call are matrices, some sparse, in CasADi's column order."""
    m = ca.SX.sym("m", ca.Sparsity.lower(3))
    inner = ca.Function("inner", [m], [ca.SX(m).T @ m, m + m], kept)
    first, second = inner(m * 2)
    function = ca.Function("f", [m], [first - second, second])
    arrays = [np.arange(36.0).reshape(4, 9)]
    for j in (1, 2, 5):
        arrays[0][:, j] = 0.0
    found = by_rows(function, compiled(function, 4), arrays)
    for one, other in zip(found, reference(function, arrays), strict=True):
        np.testing.assert_array_equal(one, other)


def test_two_functions_of_one_name_are_not_mixed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """CasADi tells them apart by identity only; so does the interpreter, to which the kernel falls back."""
    double = ca.Function("g", [y], [2 * y], kept)
    triple = ca.Function("g", [y], [3 * y], kept)
    function = ca.Function("f", [y], [double(y) + triple(y)])
    with pytest.raises(UnknownOperation, match="both named g"):
        lower(function)
    monkeypatch.setenv("CONDYLE_BACKEND", "llvm")
    with pytest.warns(RuntimeWarning, match="both named g"):
        kernel = build(lambda: function, None, "f")
    assert kernel(np.array([2.0])) == 10.0
