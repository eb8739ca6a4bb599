"""Sweeps over rows of [row][lane] work arrays: each is one contiguous loop, which LLVM vectorises."""

from __future__ import annotations

from condyle.solve.native.language import native
from condyle.solve.state import STEP, State


@native
def spread(s: State, source: int, target: int) -> None:
    """work[target] = the numbers flow[source], one per lane, repeated for each row."""
    for lane in range(s.width):
        s.work[target, lane] = s.flow[source, lane]
    filled = s.width
    while filled < s.size:
        # Doubling: each sweep copies all that is there, so the number of sweeps is logarithmic.
        count = min(filled, s.size - filled)
        for entry in range(count):
            s.work[target, filled + entry] = s.work[target, entry]
        filled += count


@native
def fold(s: State, row: int, target: int) -> None:
    """flow[target] = the sum of work[row] over its rows, for each lane; destroys the row.

    Halves are added to halves, so the order of the additions, hence every bit, is that of any other width.
    """
    rows = s.n
    while rows > 1:
        half = (rows + 1) // 2
        first = half * s.width
        for entry in range((rows - half) * s.width):
            s.work[row, entry] += s.work[row, first + entry]
        rows = half
    for lane in range(s.width):
        s.flow[target, lane] = s.work[row, lane]


@native
def combine(s: State, target: int, base: int, first: int, stop: int) -> None:
    """work[target] = work[base] + step * sum of weights[i] * work[columns[i]], i = first ... stop - 1.

    Terms are taken by four, two and one, so that the target is read and written rarely.
    """
    term = first
    if first == stop:
        copy(s, base, target)
    while term < stop:
        a = s.columns[term]
        wa = s.weights[term]
        if stop - term >= 4:
            b = s.columns[term + 1]
            c = s.columns[term + 2]
            d = s.columns[term + 3]
            wb = s.weights[term + 1]
            wc = s.weights[term + 2]
            wd = s.weights[term + 3]
            for entry in range(s.size):
                total = wa * s.work[a, entry] + wb * s.work[b, entry]
                total += wc * s.work[c, entry] + wd * s.work[d, entry]
                s.work[target, entry] = s.work[base, entry] + s.work[STEP, entry] * total
            term += 4
        elif stop - term >= 2:
            b = s.columns[term + 1]
            wb = s.weights[term + 1]
            for entry in range(s.size):
                total = wa * s.work[a, entry] + wb * s.work[b, entry]
                s.work[target, entry] = s.work[base, entry] + s.work[STEP, entry] * total
            term += 2
        else:
            for entry in range(s.size):
                s.work[target, entry] = s.work[base, entry] + s.work[STEP, entry] * (wa * s.work[a, entry])
            term += 1
        base = target


@native
def copy(s: State, source: int, target: int) -> None:
    """work[target] = work[source]."""
    for entry in range(s.size):
        s.work[target, entry] = s.work[source, entry]


@native
def copy_lane(s: State, source: int, target: int, lane: int) -> None:
    """One lane of work[target] = that of work[source]."""
    for entry in range(lane, s.size, s.width):
        s.work[target, entry] = s.work[source, entry]
