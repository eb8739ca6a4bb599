"""Sweeps over [row][lane] rows against NumPy, for all sizes and widths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.solve.loops.sweeps import combine, copy_lane, fold, spread
from condyle.solve.memory import blank
from condyle.solve.state import ERROR, SCRATCH, SIZE, SPARE, STAGE, STEP, K, State, Y


def state(n, width, seed):
    rng = np.random.default_rng(seed)
    s = blank(State)
    s.n, s.width, s.size = n, width, n * width
    s.work = rng.normal(size=(K + 8, n * width))
    s.flow = rng.normal(size=(10, width))
    return s


@given(st.integers(1, 20), st.sampled_from([1, 2, 4, 8]), st.integers(0, 99))
def test_fold_and_spread(n, width, seed):
    """Sums over rows, and numbers repeated over rows."""
    s = state(n, width, seed)
    expected = s.work[SCRATCH].reshape(n, width).sum(0)
    fold(s, SCRATCH, ERROR)
    assert np.allclose(s.flow[ERROR], expected, rtol=0, atol=1e-13)
    spread(s, SIZE, STEP)
    assert np.array_equal(s.work[STEP].reshape(n, width), np.tile(s.flow[SIZE], (n, 1)))
    copy_lane(s, Y, SPARE, width - 1)
    assert np.array_equal(s.work[SPARE].reshape(n, width)[:, -1], s.work[Y].reshape(n, width)[:, -1])


@pytest.mark.parametrize("terms", range(8))
def test_combine(terms):
    """Any number of terms, by four, two and one."""
    s = state(5, 4, terms)
    s.columns, s.weights = K + np.arange(8), np.linspace(-1, 2, 8)
    expected = s.work[Y] + s.work[STEP] * (s.weights[:terms] @ s.work[K : K + terms])
    combine(s, STAGE, Y, 0, terms)
    assert np.allclose(s.work[STAGE], expected, rtol=0, atol=1e-13)
