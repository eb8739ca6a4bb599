"""Basic solutions: SciPy's pivoted QR, ranks, and the loop's text run as Python."""

import numpy as np
import pytest
import scipy.linalg

from condyle.solve.basic import basic_solutions
from condyle.solve.native import build as native


def by_scipy(A, b):
    Q, R, order = scipy.linalg.qr(A.T, pivoting=True)
    n = A.shape[1]
    z = np.zeros(A.shape[0])
    z[order[:n]] = np.linalg.solve(R[:, :n], Q.T @ b)
    return z


@pytest.mark.parametrize(("m", "n"), [(5, 3), (24, 18), (7, 7), (4, 1)])
def test_as_pivoted_qr(m, n):
    rng = np.random.default_rng(m)
    A, b = rng.standard_normal((6, m, n)), rng.standard_normal((6, n))
    z, rank = basic_solutions(A, b)
    assert (rank == n).all() and ((z != 0).sum(axis=1) == n).all()
    for k in range(6):
        assert z[k] == pytest.approx(by_scipy(A[k], b[k]), abs=1e-12)


def test_dependent_rows_are_counted():
    """Rank 3 of 5: three entries, and a right side in the range is met."""
    rng = np.random.default_rng(1)
    A = rng.standard_normal((1, 8, 3)) @ rng.standard_normal((3, 5))
    b = np.einsum("kmn,km->kn", A, rng.standard_normal((1, 8)))
    z, rank = basic_solutions(A, b)
    assert rank[0] == 3 and (z != 0).sum() == 3
    assert np.einsum("kmn,km->kn", A, z) == pytest.approx(b, abs=1e-12)


def test_python_and_machine_code_agree(monkeypatch):
    rng = np.random.default_rng(2)
    A, b = rng.standard_normal((2, 6, 4)), rng.standard_normal((2, 4))
    compiled, _ = basic_solutions(A, b)
    monkeypatch.setattr(native, "compiled", lambda entry: entry)
    assert (basic_solutions(A, b)[0] == compiled).all()
