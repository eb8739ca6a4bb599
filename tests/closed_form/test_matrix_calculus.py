"""Definition 1 and theorems 1 to 4, every line of their proofs, against automatic differentiation
[eq. 1-37].
"""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condyle import closed_form as cf
from condyle.closed_form import elementary, kron, permutation, vec

TOLERANCE = 1e-13
sizes = st.integers(1, 4)


def smooth(m: int, n: int, q: ca.SX, seed: int) -> ca.SX:
    """A matrix (m x n) of smooth functions of q."""
    rng = np.random.default_rng(seed)

    def entry() -> ca.SX:
        a, b = ca.DM(rng.uniform(-1, 1, q.numel())), ca.DM(rng.uniform(-1, 1, q.numel()))
        return ca.sin(ca.dot(a, q)) + ca.dot(b, q) ** 2

    return ca.vertcat(*[ca.horzcat(*[entry() for _ in range(n)]) for _ in range(m)])


def pair(A: ca.SX, q: ca.SX) -> tuple[np.ndarray, np.ndarray]:
    """A and dA/dq in numbers at a fixed q; the derivative by definition 1, entry by entry."""
    (m, n), r = A.shape, q.numel()
    values = np.linspace(0.4, -0.7, r)
    gradients = [[ca.gradient(A[i, k], q) for k in range(n)] for i in range(m)]
    slope = ca.vertcat(*[ca.horzcat(*row) for row in gradients])
    found = ca.Function("pair", [q], [ca.densify(A), ca.densify(slope)]).call([ca.DM(values)])
    return found[0].full(), found[1].full()


def close(a: np.ndarray, b: np.ndarray, tolerance: float = TOLERANCE) -> bool:
    return a.shape == b.shape and bool(np.abs(a - b).max() <= tolerance * (1 + np.abs(b).max()))


def each(*counts: int):
    return np.ndindex(*counts)


@given(sizes, sizes, sizes)
@settings(max_examples=20, deadline=None)
def test_definition_1(m, n, r):
    """Equation 3, as the library computes it, is every entry replaced by its gradient."""
    q = ca.SX.sym("q", r)
    A = smooth(m, n, q, 0)
    values, slopes = pair(A, q)
    found = ca.Function("d", [q], [ca.densify(cf.derivative(A, q))])(np.linspace(0.4, -0.7, r)).full()
    assert close(found, slopes)
    by_definition = sum(
        kron(elementary(i, k, m, n), slopes[i * r : (i + 1) * r, k : k + 1]) for i, k in each(m, n)
    )
    assert close(by_definition, slopes)
    assert close(sum(values[i, k] * elementary(i, k, m, n) for i, k in each(m, n)), values)  # eq. 1


@given(sizes, sizes, sizes, sizes)
@settings(max_examples=30, deadline=None)
def test_permutation_matrices(m, n, s, t):
    """Equation 2 (mn x mn, printed m x m), U vec A = vec A', and the commutation of Kronecker products."""
    U = permutation(m, n)
    assert np.array_equal(U, sum(kron(elementary(i, k, m, n), elementary(k, i, n, m)) for i, k in each(m, n)))
    assert np.array_equal(U @ permutation(n, m), np.eye(m * n))
    rng = np.random.default_rng(0)
    A, X, Y = rng.normal(size=(m, n)), rng.normal(size=(n, s)), rng.normal(size=(m, t))
    assert np.array_equal(U @ vec(A), vec(A.T))
    assert close(U @ kron(X, Y), kron(Y, X) @ permutation(t, s))


@given(sizes, sizes, sizes, sizes)
@settings(max_examples=15, deadline=None)
def test_theorem_1(m, n, t, r):
    """d(A B)/dq [eq. 4], the expansions of its proof [eq. 5, 6, 9, 10] and its two identities [eq. 7, 8]."""
    q = ca.SX.sym("q", r)
    A_of_q, B_of_q = smooth(m, n, q, 1), smooth(n, t, q, 2)
    (A, dA), (B, dB), (_, dAB) = pair(A_of_q, q), pair(B_of_q, q), pair(A_of_q @ B_of_q, q)
    assert close(cf.of_product(A, dA, B, dB), dAB)

    def a(i, j):
        return dA[i * r : (i + 1) * r, j : j + 1]

    def b(j, k):
        return dB[j * r : (j + 1) * r, k : k + 1]

    def E(i, k, rows, columns):
        return elementary(i, k, rows, columns)

    five = sum(
        kron(E(i, k, m, t), sum(a(i, j) * B[j, k] + A[i, j] * b(j, k) for j in range(n)))
        for i, k in each(m, t)
    )
    six = sum(
        kron(B[j, k] * E(i, k, m, t), a(i, j)) + kron(A[i, j] * E(i, k, m, t), b(j, k))
        for i, k, j in each(m, t, n)
    )
    for i, k, j in each(m, t, n):
        assert close(B[j, k] * E(i, k, m, t), E(i, j, m, n) @ B @ E(k, k, t, t))
        assert close(A[i, j] * E(i, k, m, t), E(i, i, m, m) @ A @ E(j, k, n, t))
    nine = sum(
        kron(E(i, j, m, n) @ B @ E(k, k, t, t), a(i, j)) + kron(E(i, i, m, m) @ A @ E(j, k, n, t), b(j, k))
        for i, k, j in each(m, t, n)
    )
    ten = sum(kron(E(i, j, m, n), a(i, j)) for i, j in each(m, n)) @ (
        B @ sum(kron(E(k, k, t, t), np.eye(1)) for k in range(t))
    ) + kron(sum(E(i, i, m, m) for i in range(m)) @ A, np.eye(r)) @ sum(
        kron(E(j, k, n, t), b(j, k)) for j, k in each(n, t)
    )
    for found in (five, six, nine, ten):
        assert close(found, dAB)


@given(sizes, sizes, sizes)
@settings(max_examples=15, deadline=None)
def test_theorem_2(m, n, r):
    """d(a A)/dq [eq. 11] and its proof [eq. 12, 13]; it is a special case of theorem 1."""
    q = ca.SX.sym("q", r)
    a_of_q, A_of_q = smooth(1, 1, q, 3), smooth(m, n, q, 4)
    (a, da), (A, dA), (_, daA) = pair(a_of_q, q), pair(A_of_q, q), pair(a_of_q * A_of_q, q)
    a = float(a[0, 0])
    assert close(cf.of_multiple(a, da, A, dA), daA)
    assert close(cf.of_product(a * np.eye(m), kron(np.eye(m), da), A, dA), daA)
    part = {(i, k): dA[i * r : (i + 1) * r, k : k + 1] for i, k in each(m, n)}
    twelve = sum(kron(elementary(i, k, m, n), da * A[i, k] + a * part[i, k]) for i, k in each(m, n))
    thirteen = sum(kron(elementary(i, k, m, n) * A[i, k], da) for i, k in each(m, n)) + a * sum(
        kron(elementary(i, k, m, n), part[i, k]) for i, k in each(m, n)
    )
    assert close(twelve, daA) and close(thirteen, daA)


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_theorem_3(m, n, s, p, r):
    """d(A kron C)/dq [eq. 14] and its proof [eq. 15-26]."""
    q = ca.SX.sym("q", r)
    A_of_q, C_of_q = smooth(m, n, q, 5), smooth(s, p, q, 6)
    (A, dA), (C, dC), (AC, dAC) = pair(A_of_q, q), pair(C_of_q, q), pair(ca.kron(A_of_q, C_of_q), q)
    assert close(cf.of_kronecker(A, dA, C, dC), dAC)
    E, F = (lambda i, k: elementary(i, k, m, n)), (lambda j, l: elementary(j, l, s, p))
    a = {(i, k): dA[i * r : (i + 1) * r, k : k + 1] for i, k in each(m, n)}
    c = {(j, l): dC[j * r : (j + 1) * r, l : l + 1] for j, l in each(s, p)}
    every = list(each(m, n, s, p))
    assert close(sum(kron(E(i, k), F(j, l)) * A[i, k] * C[j, l] for i, k, j, l in every), AC)  # eq. 15
    sixteen = sum(kron(E(i, k), F(j, l), a[i, k] * C[j, l] + A[i, k] * c[j, l]) for i, k, j, l in every)
    first = sum(kron(kron(E(i, k), C[j, l] * F(j, l)), a[i, k]) for i, k, j, l in every)
    second = sum(kron(kron(A[i, k] * E(i, k), F(j, l)), c[j, l]) for i, k, j, l in every)
    assert close(sixteen, dAC) and close(first + second, dAC)  # eq. 16-18
    U, whole = permutation(s, r), kron(np.eye(m), permutation(s, r))
    for found in (
        sum(kron(E(i, k), kron(C[j, l] * F(j, l), a[i, k])) for i, k, j, l in every),  # eq. 19
        sum(kron(E(i, k), U @ kron(a[i, k], C[j, l] * F(j, l))) for i, k, j, l in every),  # eq. 20
        sum(whole @ kron(E(i, k), kron(a[i, k], C[j, l] * F(j, l))) for i, k, j, l in every),  # eq. 21
        whole @ sum(kron(E(i, k), kron(a[i, k], C[j, l] * F(j, l))) for i, k, j, l in every),  # eq. 22
        whole @ sum(kron(kron(E(i, k), a[i, k]), C[j, l] * F(j, l)) for i, k, j, l in every),  # eq. 23
        whole @ kron(dA, C),  # eq. 24
    ):
        assert close(found, first)
    twenty_five = sum(A[i, k] * kron(E(i, k), kron(F(j, l), c[j, l])) for i, k, j, l in every)
    assert close(twenty_five, second) and close(kron(A, dC), second)  # eq. 25, 26


@given(sizes, sizes, sizes)
@settings(max_examples=15, deadline=None)
def test_theorem_4(m, n, r):
    """Both forms of the differential [eq. 27, 28] and their proofs [eq. 29-37]."""
    q = ca.SX.sym("q", r)
    A_of_q = smooth(m, n, q, 7)
    (_, dA), (_, dAT) = pair(A_of_q, q), pair(A_of_q.T, q)
    dq = np.random.default_rng(1).normal(size=(r, 1))
    direction = ca.SX.sym("dq", r)
    along = ca.reshape(ca.jtimes(ca.vec(A_of_q), q, direction), m, n)
    wanted = ca.Function("along", [q, direction], [ca.densify(along)])(np.linspace(0.4, -0.7, r), dq).full()
    assert close(cf.differential(dA, dq), wanted)
    assert close(cf.differential_from_transpose(dAT, dq), wanted)
    part = {(i, k): dA[i * r : (i + 1) * r, k : k + 1] for i, k in each(m, n)}
    E, ET = (lambda i, k: elementary(i, k, m, n)), (lambda k, i: elementary(k, i, n, m))
    assert all(np.array_equal(E(i, k).T, ET(k, i)) for i, k in each(m, n))
    across = kron(np.eye(n), dq)
    for found in (
        sum(E(i, k) * (dq.T @ part[i, k]) for i, k in each(m, n)),  # eq. 29-31
        sum(kron(E(i, k), dq.T @ part[i, k]) for i, k in each(m, n)),  # eq. 32
        kron(np.eye(m), dq.T) @ sum(kron(E(i, k), part[i, k]) for i, k in each(m, n)),  # eq. 33, corrected
        sum(kron(E(i, k), part[i, k].T @ dq) for i, k in each(m, n)),  # eq. 34, 35
        sum(kron(E(i, k), part[i, k].T) @ across for i, k in each(m, n)),  # eq. 36
        sum(kron(ET(k, i), part[i, k]).T @ across for i, k in each(m, n)),  # eq. 37
    ):
        assert close(found, wanted)


def test_symbols_and_numbers_agree():
    """One definition serves both."""
    q = ca.SX.sym("q", 3)
    A_of_q, B_of_q, dq = smooth(2, 3, q, 8), smooth(3, 2, q, 9), np.array([[0.3], [-1.0], [0.5]])
    (A, dA), (B, dB) = pair(A_of_q, q), pair(B_of_q, q)
    at = np.linspace(0.4, -0.7, 3)
    dA_of_q, dB_of_q = cf.derivative(A_of_q, q), cf.derivative(B_of_q, q)
    for symbolic, numeric in (
        (cf.of_product(A_of_q, dA_of_q, B_of_q, dB_of_q), cf.of_product(A, dA, B, dB)),
        (cf.of_kronecker(A_of_q, dA_of_q, B_of_q, dB_of_q), cf.of_kronecker(A, dA, B, dB)),
        (
            cf.of_multiple(A_of_q[0, 0], dA_of_q[:3, 0], B_of_q, dB_of_q),
            cf.of_multiple(A[0, 0], dA[:3, :1], B, dB),
        ),
        (cf.differential(dA_of_q, ca.SX(dq)), cf.differential(dA, dq)),
        (vec(A_of_q), vec(A)),
    ):
        assert close(ca.Function("f", [q], [ca.densify(symbolic)])(at).full(), numeric)


@pytest.mark.parametrize("m,n", [(2, 3), (3, 2)])
def test_printed_size_of_the_permutation_matrix_is_wrong(m, n):
    """The paper prints U as m x m; it acts on m n entries."""
    assert permutation(m, n).shape == (m * n, m * n) != (m, m)
