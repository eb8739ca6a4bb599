"""Analytical projection [eq. 100-120], with the Gamma that the paper leaves out."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle import closed_form as cf
from condyle.closed_form import eliminated, kron, permutation

from .loops import by_implicit_function, random_loop

SIZES = [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (4, 3), (6, 2)]


def solved(m: int, nq: int, seed: int):
    """((G, f, q, at_f, at_q), gradients (m x nq), Hessians (m x nq x nq)) by projection, in numbers."""
    loop = random_loop(m, nq, seed)
    G, f, q, at_f, at_q = loop
    found = cf.project(G, f, q)
    outputs = [ca.densify(part) for part in (*found.gradient, *found.hessian)]
    values = [part.full() for part in ca.Function("p", [f, q], outputs).call([at_f, at_q])]
    return loop, np.array(values[:m])[:, :, 0], np.array(values[m:])


@pytest.mark.parametrize("m,nq", SIZES)
@pytest.mark.parametrize("seed", [0, 1])
def test_projection_is_the_implicit_function_theorem(m, nq, seed):
    """Gradients [eq. 102-119] and Hessians [eq. 120]: both solve the same equations, up to conditioning."""
    loop, gradient, hessian = solved(m, nq, seed)
    G, f, q, at_f, at_q = loop
    f_q, f_qq = by_implicit_function(*loop)
    G_f = ca.Function("G_f", [f, q], [ca.densify(ca.jacobian(G, f))])(at_f, at_q).full()
    allowed = 1e-15 * np.linalg.cond(G_f) ** 2 * 10
    assert allowed < 1e-9
    assert np.abs(gradient - f_q).max() <= allowed * (1 + np.abs(f_q).max())
    assert np.abs(hessian - f_qq).max() <= allowed * (1 + np.abs(f_qq).max())
    assert np.abs(hessian - hessian.transpose(0, 2, 1)).max() <= allowed * (1 + np.abs(f_qq).max())


def test_against_solutions_nearby():
    """Central differences of the solved equations: a check that needs no second derivative of G."""
    loop, gradient, hessian = solved(3, 2, 4)
    G, f, q, at_f, at_q = loop
    newton = ca.Function("n", [f, q], [f - ca.solve(ca.jacobian(G, f), G)])

    def solution(step):
        values = ca.DM(at_f)
        for _ in range(8):
            values = newton(values, at_q + step)
        return values.full()[:, 0]

    h = 1e-4
    e, zero = h * np.eye(2), solution(np.zeros(2))
    slope = np.array([(solution(d) - solution(-d)) / (2 * h) for d in e]).T
    assert np.abs(slope - gradient).max() <= 1e-6 * np.abs(gradient).max()
    for a in range(2):
        bend = (solution(e[a]) - 2 * zero + solution(-e[a])) / h**2
        assert np.abs(bend - hessian[:, a, a]).max() <= 1e-5 * np.abs(hessian).max()
    corners = solution(e[0] + e[1]) - solution(e[0] - e[1]) - solution(e[1] - e[0]) + solution(-e[0] - e[1])
    assert np.abs(corners / (4 * h**2) - hessian[:, 0, 1]).max() <= 1e-5 * np.abs(hessian).max()


def test_elimination_step_by_step():
    """Equations 101-119: the projections, each of which removes its column and those after it."""
    m, nq = 4, 2
    (G, f, q, at_f, at_q), gradient, _ = solved(m, nq, 2)
    parts = [ca.densify(ca.jacobian(G, f)), ca.densify(cf.derivative(G, q)), ca.densify(ca.jacobian(G, q))]
    G_f, slope, G_q = (part.full() for part in ca.Function("p", [f, q], parts).call([at_f, at_q]))
    g, I = [G_f[:, [j]] for j in range(m)], np.eye(nq)  # eq. 104
    x = eliminated(g, -slope)
    for i in range(m):  # eq. 101, one equation of the loop at a time
        assert np.abs(sum(G_f[i, j] * x[j] for j in range(m)) + G_q[[i]].T).max() <= 1e-13
    eta = [np.zeros((m * nq, 1))]
    for j in range(m):  # eq. 105, 106, 119
        eta.append(eta[-1] + kron(g[j], x[j]))
    assert np.abs(eta[m] + slope).max() <= 1e-13  # eq. 102, 107
    last = -kron(g[-1].T, I) @ (eta[m - 1] + slope) / (g[-1].T @ g[-1])
    assert np.abs(last - x[-1]).max() <= 1e-13  # eq. 108
    gamma = {m + 1: np.eye(m), m: np.eye(m) - g[-1] @ g[-1].T / (g[-1].T @ g[-1])}  # eq. 110
    assert np.abs(kron(gamma[m], I) @ (eta[m - 1] + slope)).max() <= 1e-13  # eq. 109
    for i in range(m - 1, 1, -1):
        column, after = g[i - 1], gamma[i + 1]
        size = (after @ column).T @ (after @ column)
        assert np.abs(kron(after, I) @ (eta[i - 1] + kron(column, x[i - 1]) + slope)).max() <= 1e-13  # 111
        now = -kron(column.T @ after, I) @ (eta[i - 1] + slope) / size
        assert np.abs(now - x[i - 1]).max() <= 1e-12  # eq. 112, 118
        sigma = np.eye(m) - column @ column.T @ after / size  # eq. 115, 116
        gamma[i] = after @ sigma  # eq. 114, 117
        assert np.abs(kron(gamma[i], I) @ (eta[i - 1] + slope)).max() <= 1e-12  # eq. 113
    for i in range(2, m + 1):
        assert np.abs(gamma[i] @ np.hstack(g[i - 1 :])).max() <= 1e-13  # removed
        assert np.abs(gamma[i] @ gamma[i] - gamma[i]).max() <= 1e-13  # a projection
        assert np.linalg.matrix_rank(gamma[i]) == i - 1
    assert np.abs(np.hstack(x).T - gradient).max() <= 1e-13


def test_gamma_is_the_derivative_of_equation_102():
    """Equation 120: with f = f(q) inserted, the total derivative of eq. 102 vanishes; entries are
    quadratic.
    """
    (G, f, q, at_f, at_q), gradient, hessian = solved(3, 2, 3)
    symbols = [ca.SX.sym(f"x{j}", 2) for j in range(3)]
    Gamma = cf.gamma_of(G, f, q, symbols)
    z = ca.vertcat(f, q)
    seconds = [ca.densify(ca.hessian(G[i], z)[0]) for i in range(3)]
    columns = [ca.densify(ca.jacobian(G, f[j])) for j in range(3)]
    values = [
        part.full()
        for part in ca.Function("p", [f, q, *symbols], [ca.densify(Gamma), *seconds, *columns]).call(
            [at_f, at_q, *gradient]
        )
    ]
    found, H, g = values[0], values[1:4], values[4:]
    S = np.vstack([gradient, np.eye(2)])
    wanted = -np.concatenate([(S.T @ h @ S).reshape(-1, 1) for h in H])
    assert np.abs(found - wanted).max() <= 1e-13 * (1 + np.abs(wanted).max())
    swap = kron(np.eye(3), permutation(2, 2))
    assert np.abs(swap @ found - found).max() <= 1e-13 * (1 + np.abs(wanted).max())
    left = sum(kron(column, cf.vec(h)) for column, h in zip(g, hessian, strict=True))
    assert np.abs(left - found).max() <= 1e-12 * (1 + np.abs(wanted).max())


def test_numbers_and_expressions():
    """The elimination works on numbers as on expressions; more than one right-hand size."""
    rng = np.random.default_rng(0)
    g, right = [rng.normal(size=(3, 1)) for _ in range(3)], rng.normal(size=(12, 1))
    x = eliminated(g, right)
    assert np.abs(sum(kron(a, b) for a, b in zip(g, x, strict=True)) - right).max() <= 1e-13
    symbolic = eliminated([ca.SX(column) for column in g], ca.SX(right))
    for a, b in zip(symbolic, x, strict=True):
        assert np.abs(ca.DM(a).full() - b).max() <= 1e-13
