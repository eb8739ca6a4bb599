"""Coefficients of all methods against the order conditions."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from condyle.solve import RK4, RKF45, TRBDF2, DormandPrince54, DormandPrince853, Rosenbrock
from condyle.solve.tableau import Tableau

from .trees import defect, density, trees

EXPLICIT = {
    RK4: (4, ()),
    RKF45: (5, (4,)),
    DormandPrince54: (5, (4,)),
    DormandPrince853: (8, (5, 3)),
}


def test_trees_are_counted_right():
    """Numbers of rooted trees (OEIS A000081) and the density of the tall tree."""
    assert [len(trees(order)) for order in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]
    assert density(((((),),),)) == 24


def stage_matrix(tableau: Tableau, columns: int):
    rows = [(), *tableau.a]
    if len(rows) < columns:
        rows.append(tableau.b)
    rows += tableau.extra
    rows = [tuple(row) + (Fraction(0),) * (columns - len(row)) for row in rows[:columns]]

    def times(vector, single):
        return [sum(a * v for a, v in zip(row, vector, strict=True) if a) for row in rows]

    return times


def padded(row, columns):
    return tuple(row) + (Fraction(0),) * (columns - len(row))


@pytest.mark.parametrize("method", EXPLICIT, ids=lambda method: method.__name__)
def test_explicit_order_conditions(method):
    """Every tree up to the order, exactly (8(5,3): to the printed digits); the next order fails."""
    tableau = method.tableau
    order, estimates = EXPLICIT[method]
    assert method.order == order
    columns = tableau.last + 1
    times = stage_matrix(tableau, columns)
    bound = Fraction(1, 10**22) if method is DormandPrince853 else 0
    weights = padded(tableau.b, columns)
    for nodes in range(1, order + 1):
        assert all(abs(defect(tree, weights, times)) <= bound for tree in trees(nodes))
    assert any(abs(defect(tree, weights, times)) > 1e-8 for tree in trees(order + 1))
    for error, lower in zip(tableau.errors, estimates, strict=True):
        other = tuple(b - e for b, e in zip(weights, padded(error, columns), strict=True))
        for nodes in range(1, lower + 1):
            assert all(abs(defect(tree, other, times)) <= bound for tree in trees(nodes))
        assert any(abs(defect(tree, other, times)) > 1e-8 for tree in trees(lower + 1))


@pytest.mark.parametrize(
    ("method", "order"), [(RK4, 3), (RKF45, 3), (DormandPrince54, 4), (DormandPrince853, 7)]
)
def test_interpolants_order_conditions(method, order):
    """b(theta) meets every tree's condition times theta**size at several places, and ends in b."""
    tableau = method.tableau
    columns = tableau.columns
    times = stage_matrix(tableau, columns)
    bound = Fraction(1, 10**15)  # Shampine's coefficients and Hairer's are rounded
    for theta in (Fraction(1, 3), Fraction(4, 5), Fraction(1)):
        weights = [sum(c * theta ** (power + 1) for power, c in enumerate(row)) for row in tableau.dense]
        weights += [Fraction(0)] * (columns - len(weights))
        for nodes in range(1, order + 1):
            for tree in trees(nodes):
                expected = (theta**nodes - 1) / density(tree)
                assert abs(defect(tree, weights, times) - expected) <= bound
        if theta == 1:
            assert max(abs(a - b) for a, b in zip(weights, padded(tableau.b, columns), strict=True)) <= bound


def rosenbrock_matrices():
    """gamma I + Gamma, A and b in the untransformed variables (Hairer and Wanner II, eq. IV.7.4)."""
    mpmath.mp.dps = 30
    stages = len(Rosenbrock.b)

    def matrix(rows):
        result = mpmath.zeros(stages)
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                result[i, j] = mpmath.mpf(value.numerator) / value.denominator
        return result

    couplings = matrix(Rosenbrock.couplings)
    gamma = (mpmath.eye(stages) / Rosenbrock.diagonal - couplings) ** -1
    a = matrix([(), *Rosenbrock.a]) * gamma
    b = (matrix([Rosenbrock.b]) * gamma)[0, :]
    embedded = matrix([tuple(x - y for x, y in zip(Rosenbrock.b, Rosenbrock.error, strict=True))]) * gamma
    return gamma, a, b, embedded[0, :]


def test_rosenbrock_order_conditions():
    """Order 4 and 3 with an exact Jacobian; nodes and slopes are row sums; stiffly accurate."""
    gamma, a, b, embedded = rosenbrock_matrices()
    stages = len(Rosenbrock.b)
    beta = a + gamma

    def times(vector, single):
        matrix = beta if single else a
        return [sum(matrix[i, j] * vector[j] for j in range(stages)) for i in range(stages)]

    for weights, order in ((list(b), 4), (list(embedded), 3)):
        for nodes in range(1, order + 1):
            assert max(abs(defect(tree, weights, times)) for tree in trees(nodes)) < 1e-13
        assert max(abs(defect(tree, weights, times)) for tree in trees(order + 1)) > 1e-4
    for stage in range(stages):
        assert abs(sum(a[stage, :]) - float(Rosenbrock.nodes[stage])) < 1e-14
        assert abs(sum(gamma[stage, :]) - float(Rosenbrock.slopes[stage])) < 1e-14
    assert max(abs(b[j] - beta[stages - 1, j]) for j in range(stages)) < 1e-14


def test_tr_bdf2_order_conditions():
    """Order 2, companion of order 3, stiffly accurate."""
    d, b = TRBDF2.diagonal, np.array(TRBDF2.weights)
    matrix = np.array([[0, 0, 0], [d, d, 0], b])

    def times(vector, single):
        return list(matrix @ np.array(vector, float))

    for weights, order in ((b, 2), (np.array(TRBDF2.companion), 3)):
        for nodes in range(1, order + 1):
            assert max(abs(defect(tree, list(weights), times)) for tree in trees(nodes)) < 1e-15
        assert max(abs(defect(tree, list(weights), times)) for tree in trees(order + 1)) > 1e-3
    assert np.allclose(matrix.sum(1), TRBDF2.nodes, rtol=0, atol=1e-16)


def stability(matrix, weights, z):
    """R(z) = 1 + z b' (I - z A)^-1 1."""
    stages = len(weights)
    return 1 + z * weights @ np.linalg.solve(np.eye(stages) - z * matrix, np.ones(stages))


def test_implicit_methods_are_l_stable():
    """|R| <= 1 on the imaginary axis and R(-infinity) = 0."""
    gamma, a, b, _ = rosenbrock_matrices()
    stages = len(Rosenbrock.b)
    beta = np.array((a + gamma).tolist(), float)
    tr = np.array([[0, 0, 0], [TRBDF2.diagonal] * 2 + [0], TRBDF2.weights])
    for matrix, weights in ((beta, np.array(list(b), float)), (tr, np.array(TRBDF2.weights))):
        assert len(weights) in (stages, 3)
        for y in np.logspace(-3, 6, 400):
            assert abs(stability(matrix, weights, 1j * y)) <= 1 + 1e-12
        assert abs(stability(matrix, weights, -1e9)) < 1e-6
