"""The drivers' rows, which follow by differentiation, are the closed forms of paper 000 (as corrected)."""

import numpy as np
import pytest

from condyle.drivers import AngleRotation, EulerRotation, FullRotation

from .pair import G, L, Pair, State, bar, lower, rotation, skew, unit, upper

S_I, S_J = unit([0.3, -0.8, 0.5]), unit([0.6, 0.1, -0.7])
V = (0.3, -0.5, 0.7, 0.2)
seeds = pytest.mark.parametrize("seed", range(3))


@pytest.fixture(scope="module")
def angle():
    return Pair(AngleRotation("angle", "j", "i", pairs=((tuple(S_I), tuple(S_J)),)))


@pytest.fixture(scope="module")
def euler():
    return Pair(EulerRotation("euler", "j", "i", components=(V, 0, 3)))


@pytest.fixture(scope="module")
def full():
    return Pair(FullRotation("full", "j", "i"))


def p_rate(p, w):
    return G(p).T @ w / 2


@seeds
def test_angle_row(angle, seed):
    """000-6, 7, 8 (p-form), 11 (omega-form with the transpose that the print lacks), 12, 13, 14, 15."""
    state, (theta, rate, acceleration) = State.random(seed), (0.9, 1.3, -2.1)
    found = angle(state.q, state.u, theta, rate, acceleration)
    p_i, p_j = state.p("i"), state.p("j")
    A_i, A_j = rotation(p_i), rotation(p_j)
    s_i, s_j = A_i @ S_I, A_j @ S_J
    assert found.phi == pytest.approx(s_i @ s_j - np.cos(theta), abs=1e-14)
    # 000-8, the p-form; D_p = 2 D_omega G + c p'.
    by_p_i, by_p_j = 2 * s_j @ G(p_i) @ bar(S_I), 2 * s_i @ G(p_j) @ bar(S_J)
    for columns, by_p, p in ((slice(6, 9), by_p_i, p_i), (slice(0, 3), by_p_j, p_j)):
        assert found.D[0, columns] == pytest.approx(by_p @ G(p).T / 2, abs=1e-13)
    # 000-11 with the transpose, in body axes: D_omega' = D_omega A = s_j' G_i s_i'bar L_i'.
    assert found.D[0, 6:9] @ A_i == pytest.approx(s_j @ G(p_i) @ bar(S_I) @ L(p_i).T, abs=1e-13)
    assert found.D[0, 6:9] @ A_i == pytest.approx(-s_j @ A_i @ skew(S_I), abs=1e-13)
    assert not found.D[0, [3, 4, 5, 9, 10, 11]].any()
    assert found.nu == pytest.approx(-rate * np.sin(theta), abs=1e-14)
    # 000-13 and 14 with omega' where the print has its transpose.
    v_i, v_j = p_rate(p_i, state.w("i")), p_rate(p_j, state.w("j"))
    sdot_i, sdot_j = 2 * G(p_i) @ bar(S_I) @ v_i, 2 * G(p_j) @ bar(S_J) @ v_j
    body_i, body_j = A_i.T @ state.w("i"), A_j.T @ state.w("j")
    assert sdot_i == pytest.approx(G(p_i) @ bar(S_I) @ L(p_i).T @ body_i, abs=1e-13)
    gamma = (
        -2 * sdot_i @ sdot_j
        - s_i @ G(v_j) @ bar(S_J) @ L(p_j).T @ body_j
        - s_j @ G(v_i) @ bar(S_I) @ L(p_i).T @ body_i
        - rate**2 * np.cos(theta)
        - acceleration * np.sin(theta)
    )
    squares = body_i @ body_i, body_j @ body_j
    gamma += s_j @ G(p_i) @ bar(S_I) @ p_i * squares[0] / 2 + s_i @ G(p_j) @ bar(S_J) @ p_j * squares[1] / 2
    assert found.gamma == pytest.approx(gamma, abs=1e-12)


def test_printed_angle_row_is_off():
    """000-9, 10 as printed, a positive skew matrix of global components, do not give the derivative."""
    state = State.random(0)
    p_i, s_j = state.p("i"), rotation(state.p("j")) @ S_J
    s_i = rotation(p_i) @ S_I
    printed = np.block([[np.zeros((1, 1)), -S_I[None]], [s_i[:, None], skew(s_i)]])
    assert np.abs(s_j @ G(p_i) @ printed - s_j @ G(p_i) @ bar(S_I)).max() > 0.1


@seeds
def test_euler_rows(euler, seed):
    """000-18 to 25 for any v, p-form and omega-form."""
    state, generator = State.random(seed), np.random.default_rng(seed + 100)
    target, rate, acceleration = generator.standard_normal((3, 4))
    found = euler(state.q, state.u, target, rate, acceleration)
    p_i, p_j = state.p("i"), state.p("j")
    v = np.array([V, np.eye(4)[0], np.eye(4)[3]])
    p_ij = upper(p_j) @ p_i
    assert p_ij == pytest.approx(lower(p_i) @ p_j, abs=1e-15)
    assert rotation(p_ij) == pytest.approx(rotation(p_j).T @ rotation(p_i), abs=1e-14)
    assert found.phi == pytest.approx(v @ (p_ij - target), abs=1e-14)
    # 000-21, 22
    assert found.D[:, 6:9] == pytest.approx(v @ upper(p_j) @ G(p_i).T / 2, abs=1e-14)
    assert found.D[:, :3] == pytest.approx(v @ lower(p_i) @ G(p_j).T / 2, abs=1e-14)
    assert found.D[:, 6:9] @ rotation(p_i) == pytest.approx(v @ upper(p_j) @ L(p_i).T / 2, abs=1e-14)
    # 000-23, 24, 25
    assert found.nu == pytest.approx(v @ rate, abs=1e-14)
    v_i, v_j = p_rate(p_i, state.w("i")), p_rate(p_j, state.w("j"))
    rest = np.concatenate([[2 * v_i @ v_j], L(v_j) @ v_i - L(v_i) @ v_j])
    squares = state.w("i") @ state.w("i"), state.w("j") @ state.w("j")
    gamma = v @ acceleration - v @ rest + (squares[0] + squares[1]) / 4 * (v @ p_ij)
    assert found.gamma == pytest.approx(gamma, abs=1e-13)


@seeds
def test_full_rows_are_regular_everywhere(full, seed):
    """Rows L(p*) p_ij: determinant 1/8 at every orientation, half turns too, and either sign of p*."""
    state = State.random(seed)
    q = state.q.copy()
    if seed == 0:  # a half turn of i against j
        half = unit([0.0, 1.0, 2.0, -1.0])
        q[7:11] = upper(q[:4]).T @ half  # conj(p_j) p_i = half
        assert abs((upper(q[:4]) @ q[7:11])[0]) < 1e-15
    p_ij = upper(q[:4]) @ q[7:11]
    for sign in (1.0, -1.0):
        found = full(q, 0 * state.u, sign * p_ij, np.zeros(4), np.zeros(4))
        assert np.abs(found.phi).max() < 1e-15
        assert abs(np.linalg.det(found.D[:, 6:9])) == pytest.approx(1 / 8, rel=1e-13)
