"""Horizontal bars with their values written beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from condyle.report import svg

PITCH = 36.0  # px from one bar to the next: its name above, the bar below


def bars(x: float, y: float, width: float, title: str, entries: Sequence[tuple[str, float, str]]) -> str:
    """One bar per (name, value, colour), from zero."""
    longest = max((value for _, value, _ in entries if np.isfinite(value)), default=1.0) or 1.0
    parts = [svg.text(x, y - 12, title, "title")]
    for row, (name, value, colour) in enumerate(entries):
        top = y + 16 + PITCH * row
        length = (width - 60) * max(0.0, value) / longest if np.isfinite(value) else 0.0
        parts.append(svg.text(x, top - 3, name, "note"))
        parts.append(svg.element("rect", x=x, y=top, width=max(1.0, length), height=13, rx=2, fill=colour))
        parts.append(svg.text(x + length + 6, top + 11, shown(value), "value"))
    return svg.group(*parts)


def shown(value: float) -> str:
    """A value as people write it in a diagram."""
    if not np.isfinite(value):
        return "–"
    return f"{value:.0f}" if value == round(value) or abs(value) >= 100 else f"{value:.3g}"
