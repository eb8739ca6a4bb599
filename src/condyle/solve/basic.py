"""Solutions of A' z = b with as few entries as the rank asks for, many at once."""

from __future__ import annotations

import numpy as np

from condyle.solve.basic_state import BasicState
from condyle.solve.memory import blank


def basic_solutions(A: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(z (members, m), rank (members)) of A' z = b, A (members, m, n) with m >= n, b (members, n).

    By QR with exchange of columns, as MATLAB's backslash: at most `rank` entries of z are not 0. Where b is
    outside the range, the equations are met in least squares.
    """
    from condyle.solve.loops.basic import basic
    from condyle.solve.native.build import compiled

    s = blank(BasicState)
    s.matrix, s.right = np.array(A, float, order="C"), np.array(b, float, order="C")
    members, s.m, s.n = s.matrix.shape
    s.solution = np.zeros((members, s.m))
    s.order, s.rank = np.zeros(s.m, np.int64), np.zeros(members, np.int64)
    compiled(basic)(s, members)
    return s.solution, s.rank
