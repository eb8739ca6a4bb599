"""Linear systems in graphs: random sparse matrices against dense solutions."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle.couplings.linear import LinearSystem


def numbers(expression: ca.SX) -> np.ndarray:
    return np.array(ca.DM(expression).full())


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6, 9])
def test_blocks_are_solved_in_order(n: int) -> None:
    """Sparse matrices, most of which fall into blocks."""
    generator = np.random.default_rng(n)
    solved = 0
    while solved < 30:
        A = (generator.random((n, n)) < 0.5) * generator.standard_normal((n, n))
        if abs(np.linalg.det(A)) < 1e-2:
            continue
        solved += 1
        B = generator.standard_normal((n, 2))
        system = LinearSystem(ca.SX(ca.sparsify(ca.DM(A))))
        assert np.allclose(numbers(system.solve(ca.SX(ca.DM(B)))), np.linalg.solve(A, B), atol=1e-9)
        found = numbers(system.solve_transposed(ca.SX(ca.DM(B))))
        assert np.allclose(found, np.linalg.solve(A.T, B), atol=1e-9)
        product = np.prod(numbers(system.determinants))
        assert np.isclose(abs(product), abs(np.linalg.det(A)), rtol=1e-9)


def test_more_equations_than_unknowns() -> None:
    """Consistent ones, each row in its own unit; the shortest solution of the transposed ones."""
    generator = np.random.default_rng(0)
    A, x = generator.standard_normal((7, 4)), generator.standard_normal((4, 2))
    sizes = tuple(map(float, generator.uniform(0.1, 10, 7)))
    A = A * np.array(sizes)[:, None]
    system = LinearSystem(ca.SX(ca.DM(A)), sizes=sizes)
    assert np.allclose(numbers(system.solve(ca.SX(ca.DM(A @ x)))), x, atol=1e-11)
    b = generator.standard_normal((4, 1))
    y = numbers(system.solve_transposed(ca.SX(ca.DM(b))))
    assert np.allclose(A.T @ y, b, atol=1e-11)
    scaled = np.diag(sizes) @ y
    shortest = np.linalg.pinv((A / np.array(sizes)[:, None]).T) @ b
    assert np.allclose(scaled, shortest, atol=1e-11)


def test_regularity() -> None:
    """1 for orthogonal rows, 0 for parallel ones and for rows that have become short."""
    A = ca.SX(ca.DM([[0.6, 0.8], [-0.8, 0.6]]))
    assert np.isclose(numbers(LinearSystem(A).regularity), 1)
    parallel = ca.SX(ca.DM([[0.6, 0.8], [0.6, 0.8]]))
    assert np.isclose(numbers(LinearSystem(parallel).regularity), 0)
    short = ca.SX(ca.DM([[1e-6, 0.0], [0.0, 1.0]]))
    assert np.isclose(numbers(LinearSystem(short).regularity), 1)
    assert numbers(LinearSystem(short, sizes=(1.0, 1.0)).regularity) < 1e-11
