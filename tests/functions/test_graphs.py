"""How much code a spline becomes."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from condyle.functions import NaturalCubicSpline, QuinticSpline, SIMMSpline, TensorSpline
from condyle.kernels import build
from condyle.kernels.instructions import lower

from .cases import X12, Y12, U, V, Z
from .evaluate import operations

LONG = np.linspace(0.0, 6.0, 100)


def graph(function, count: int) -> ca.Function:
    """Value and `count` derivatives."""
    x = ca.SX.sym("x")
    values = [function(x)]
    for _ in range(count):
        values.append(ca.jacobian(values[-1], x))
    return ca.Function("spline", [x], [ca.cse(ca.vertcat(*values))])


@pytest.mark.parametrize("kind", [SIMMSpline, NaturalCubicSpline])
def test_derivatives_share_what_is_picked(kind) -> None:
    """Slope and curvature of a cubic spline add no select, only sums and products."""
    value, all_three = graph(kind(X12, Y12), 0), graph(kind(X12, Y12), 2)
    assert operations(all_three) - operations(value) <= 12


def test_quintic_derivatives_share_what_is_picked() -> None:
    """So do those of a quintic one."""
    spline = QuinticSpline(X12, Y12)
    assert operations(graph(spline, 2)) - operations(graph(spline, 0)) <= 22


def test_surface_derivatives_share_what_is_picked() -> None:
    """Gradient and Hessian of a surface cost a tenth of its value."""
    surface = TensorSpline(U, V, Z)
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    z = surface(x, y)
    hessian, gradient = ca.hessian(z, ca.vertcat(x, y))
    value = ca.Function("value", [x, y], [ca.cse(z)])
    whole = ca.Function("all", [x, y], [ca.cse(ca.vertcat(z, gradient, ca.vec(hessian)))])
    assert operations(whole) - operations(value) <= 120


def test_one_select_per_expansion_point() -> None:
    """Twelve knots: 7 expansion points, so 6 picks of each of 6 numbers, and few more."""
    program = lower(graph(SIMMSpline(X12, Y12), 2))
    selects = sum(code.operation in ("select", "if_else_zero") for code in program.code)
    assert selects <= 6 * 6 + 2


def test_long_table_is_one_call() -> None:
    """A hundred knots are picked in a call node: a small graph, exact derivatives."""
    spline, reference = (
        NaturalCubicSpline(LONG, np.sin(LONG)),
        CubicSpline(LONG, np.sin(LONG), bc_type="natural"),
    )
    q = ca.SX.sym("q", 2)
    value = spline(q[0]) * spline(q[1])
    hessian, gradient = ca.hessian(value, q)
    whole = ca.Function("product", [q], [ca.cse(ca.vertcat(value, gradient, ca.vec(hessian)))])
    assert operations(whole) < 150
    kernel = build(lambda: whole, key=None, name="product")
    points = np.random.default_rng(1).uniform(0.0, 6.0, (37, 2))
    s = [[reference(points[:, k], order) for order in range(3)] for k in range(2)]
    mixed = s[0][1] * s[1][1]
    expected = [s[0][0] * s[1][0], s[0][1] * s[1][0], s[0][0] * s[1][1]]
    expected += [s[0][2] * s[1][0], mixed, mixed, s[0][0] * s[1][2]]
    np.testing.assert_allclose(kernel(points), np.array(expected).T, rtol=0.0, atol=1e-11)


def test_different_tables_have_different_names() -> None:
    """Emitters know called functions by name; a shifted table has the coefficients of the first."""
    x = ca.SX.sym("x")
    grid = np.arange(100.0) / 16.0
    names = []
    for abscissae, ordinates in ((grid, np.sin(grid)), (grid, np.cos(grid)), (grid + 1.0, np.sin(grid))):
        spline = NaturalCubicSpline(abscissae, ordinates)
        names += [inner.name() for inner in ca.Function("long", [x], [spline(x)]).find_functions()]
    assert len(set(names)) == len(names) == 3


def test_kernel_equals_interpreter() -> None:
    """Machine code picks the same pieces as CasADi, at the knots too."""
    function = graph(SIMMSpline(X12, Y12), 2)
    points = np.concatenate([X12, np.linspace(-3.0, 3.0, 101), [np.nan, np.inf, -np.inf]])[:, None]
    found = build(lambda: function, key=None, name="spline")(points)
    expected = np.array(function(points.T)).T
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)
