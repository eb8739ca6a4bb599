"""The struct of the loop of basic solutions."""

from __future__ import annotations

from condyle.solve.native.language import Floats2, Floats3, Ints1


class BasicState:
    """matrix A (members, m, n) and right (members, n) are destroyed; solution (members, m) starts at 0."""

    m: int
    n: int
    matrix: Floats3
    right: Floats2
    solution: Floats2
    order: Ints1
    rank: Ints1
