"""Basic solutions of underdetermined linear systems, by Householder reflections with exchange of columns."""

from __future__ import annotations

from math import sqrt

from condyle.solve.basic_state import BasicState
from condyle.solve.native.language import native
from condyle.solve.state import FINISHED

ROUND_OFF = 1e-13


@native
def basic(s: BasicState, count: int) -> int:
    """Solve A' z = b for every member: as many entries of z as A' has independent rows, the others 0.

    A (m, n), m >= n, is given by rows, the columns of A': a reflection touches contiguous numbers. In each
    step the longest remaining column is taken, as LAPACK's xGEQP3 does.
    """
    for member in range(count):
        for row in range(s.m):
            s.order[row] = row
        rank = 0
        first = 0.0
        for step in range(s.n):
            longest = -1.0
            best = step
            for row in range(step, s.m):
                square = 0.0
                for k in range(step, s.n):
                    square += s.matrix[member, row, k] * s.matrix[member, row, k]
                if square > longest:
                    longest = square
                    best = row
            norm = sqrt(longest)
            first = max(first, norm)
            if not norm > ROUND_OFF * first:
                break
            if best != step:
                kept = s.order[step]
                s.order[step] = s.order[best]
                s.order[best] = kept
                for k in range(s.n):
                    value = s.matrix[member, step, k]
                    s.matrix[member, step, k] = s.matrix[member, best, k]
                    s.matrix[member, best, k] = value
            reflect(s, member, step, norm)
            rank += 1
        for step in range(rank - 1, -1, -1):
            total = s.right[member, step]
            for k in range(step + 1, rank):
                total -= s.matrix[member, k, step] * s.solution[member, s.order[k]]
            s.solution[member, s.order[step]] = total / s.matrix[member, step, step]
        s.rank[member] = rank
    return FINISHED


@native
def reflect(s: BasicState, member: int, step: int, norm: float) -> None:
    """Turn column `step` of A' onto its diagonal; the others and b with it."""
    diagonal = -norm if s.matrix[member, step, step] > 0.0 else norm
    s.matrix[member, step, step] -= diagonal
    scale = 1.0 / (diagonal * s.matrix[member, step, step])
    for row in range(step + 1, s.m):
        total = 0.0
        for k in range(step, s.n):
            total += s.matrix[member, step, k] * s.matrix[member, row, k]
        for k in range(step, s.n):
            s.matrix[member, row, k] += total * scale * s.matrix[member, step, k]
    total = 0.0
    for k in range(step, s.n):
        total += s.matrix[member, step, k] * s.right[member, k]
    for k in range(step, s.n):
        s.right[member, k] += total * scale * s.matrix[member, step, k]
    s.matrix[member, step, step] = diagonal
