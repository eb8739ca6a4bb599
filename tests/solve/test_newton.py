"""Newton and Gauss-Newton loops, LU and QR: against NumPy and SciPy, with a status for each member."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import least_squares

from condyle.errors import InputError
from condyle.kernels import build
from condyle.solve import find_roots
from condyle.solve.lu import factor, solve
from condyle.solve.qr import solve_least_squares
from condyle.status import Status


def kernels(f, n, n_parameters):
    """Residual and its Jacobian."""

    def trace(which):
        x, p = ca.SX.sym("x", n), ca.SX.sym("p", n_parameters)
        r = ca.vertcat(*f(x, p))
        out = ca.densify(r if which == "r" else ca.jacobian(r, x))
        return ca.Function(which, [x, p], [out], ["x", "p"], ["out"])

    return build(lambda: trace("r"), None, "r"), build(lambda: trace("j"), None, "j")


@given(st.integers(1, 12), st.integers(0, 10**6))
def test_lu_solves(n, seed):
    """The residual is at round-off, whatever pivots are needed; a singular matrix is told."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(1, n, n)) * (rng.random((1, n, n)) < 0.7) + np.eye(n)[::-1]
    b = rng.normal(size=(1, n))
    factors, x, pivots = a.copy(), b.copy(), np.zeros((1, n), np.int64)
    if np.linalg.cond(a[0]) < 1e12:
        assert factor(factors, pivots, 0, n) == 1
        solve(factors, pivots, x, 0, n)
        bound = 1e-13 * n * (np.abs(a[0]) @ np.abs(x[0]) + np.abs(b[0])).max()
        assert abs(a[0] @ x[0] - b[0]).max() <= bound
    a[0, :, 0] = 0
    assert factor(a, pivots, 0, n) == 0
    a[0, :, 0] = np.nan
    assert factor(a, pivots, 0, n) == 0


@given(st.integers(1, 6), st.integers(0, 5), st.integers(0, 10**6))
def test_qr_minimises(n, more, seed):
    """As NumPy's least squares; dependent columns are told."""
    rng = np.random.default_rng(seed)
    m = n + more
    a, b = rng.normal(size=(1, m, n)), rng.normal(size=(1, m))
    x = b.copy()
    assert solve_least_squares(a.copy(), x, 0, m, n) == 1
    expected = np.linalg.lstsq(a[0], b[0])[0]
    assert np.allclose(x[0, :n], expected, rtol=0, atol=1e-13 * np.linalg.cond(a[0]) ** 2)
    if n > 1:
        a[0, :, 1] = 2 * a[0, :, 0]
        assert solve_least_squares(a, b, 0, m, n) == 0


def test_newton_finds_roots():
    """Kepler's equation for 200 members; quadratic convergence; the same bits in lanes and alone."""
    residual, jacobian = kernels(lambda x, p: [x[0] - p[0] * ca.sin(x[0]) - p[1]], 1, 2)
    p = np.stack([np.linspace(0, 0.95, 200), np.linspace(0.1, 3, 200)], axis=-1)
    roots = find_roots(residual, jacobian, p[:, 1:], p, lanes=8)
    assert (roots.status == Status.OK).all() and roots.norm.max() <= 1e-12
    assert roots.iterations.max() <= 8
    x = roots.x[:, 0]
    assert abs(x - p[:, 0] * np.sin(x) - p[:, 1]).max() < 1e-12
    one = find_roots(residual, jacobian, p[:, 1:], p, lanes=1)
    assert np.array_equal(one.x, roots.x) and np.array_equal(one.iterations, roots.iterations)


def test_damping_is_needed():
    """atan from far away diverges with full steps and converges with damped ones."""
    residual, jacobian = kernels(lambda x, p: [ca.atan(x[0]) - p], 1, 1)
    roots = find_roots(residual, jacobian, [[20.0], [-8.0]], [0.0])
    assert (roots.status == 0).all() and abs(roots.x).max() < 1e-11


def test_gauss_newton_fits():
    """A sum of residuals that does not vanish: SciPy's minimum."""
    t = np.linspace(0, 2, 9)
    data = 2.5 * np.exp(-1.3 * t) + 0.1 * np.sin(7 * t)
    residual, jacobian = kernels(
        lambda x, p: [x[0] * ca.exp(-x[1] * a) - p[i] for i, a in enumerate(t)], 2, 9
    )
    found = find_roots(residual, jacobian, [1.0, 1.0], data, step_tolerance=1e-10)
    expected = least_squares(
        lambda x: x[0] * np.exp(-x[1] * t) - data, [1.0, 1.0], xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    assert found.status == Status.OK and np.allclose(found.x, expected.x, atol=1e-7)


def test_each_member_has_its_status():
    """No root, singular Jacobian, NaN, no value at the start: told, while the others converge."""
    residual, jacobian = kernels(lambda x, p: [x[0] ** 2 + p, ca.log(x[1] + 1)], 2, 1)
    x0 = [[1.5, 0.5], [1.5, 0.5], [0.0, 0.5], [np.nan, 0.5], [1.5, -2.0], [2.5, 0.5]]
    p = np.array([-1.0, 1.0, -1.0, -1.0, -1.0, -4.0])[:, None]
    for lanes in (1, 8):
        roots = find_roots(residual, jacobian, x0, p, lanes=lanes)
        assert roots.status[0] == Status.OK and roots.status[5] == Status.OK
        assert roots.status[1] in (Status.NOT_CONVERGED, Status.SINGULAR)
        assert list(roots.status[2:5]) == [Status.SINGULAR, Status.BAD_INPUT, Status.SINGULAR]
        assert np.allclose(roots.x[[0, 5], 0], [1, 2], atol=1e-12)


def test_bad_input_is_explained():
    """Wrong sizes are named."""
    residual, jacobian = kernels(lambda x, p: [x[0] + x[1]], 2, 0)
    with pytest.raises(InputError, match=r"x0 has shape \(3,\).*1 residuals cannot determine 2"):
        find_roots(residual, jacobian, np.zeros(3))
