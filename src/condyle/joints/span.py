"""The part of a coordinate's axis that several functions' data cover together."""

from __future__ import annotations

from collections.abc import Sequence


def common_range(ranges: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Intersection of intervals; None where there is none to intersect."""
    if not ranges:
        return None
    return max(lower for lower, _ in ranges), min(upper for _, upper in ranges)
