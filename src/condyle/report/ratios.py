"""Ratios of the paper beside those measured here, and errors over many powers of ten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from condyle.report import svg
from condyle.report.style import BLUE, FAINT, INK

LIMITS = (0.5, 20.0)
ROW = 46.0  # px from one ratio to the next
BAR = 12.0


def ratios(
    x: float, y: float, width: float, title: str, rows: Sequence[tuple[str, float, float, Any]]
) -> str:
    """Per row (name, paper, here, quartiles or None): bars from 1 on, logarithmic, with values."""
    bottom = y + ROW * len(rows)

    def at(value: float) -> float:
        low, high = (log10(limit) for limit in LIMITS)
        return x + width * (log10(min(max(value, LIMITS[0]), LIMITS[1])) - low) / (high - low)

    parts = [svg.text(x, y - 12, title, "title")]
    for mark in (0.5, 1, 2, 5, 10, 20):
        class_ = "frame" if mark == 1 else "grid"
        parts.append(svg.element("line", x1=at(mark), y1=y, x2=at(mark), y2=bottom, class_=class_))
        parts.append(svg.text(at(mark), bottom + 15, f"{mark:g}", "tick", "middle"))
    for index, (name, paper, here, quartiles) in enumerate(rows):
        top = y + ROW * index + 15
        parts.append(svg.text(x, top - 3, name, "note halo"))
        for shift, value, colour in ((0.0, paper, FAINT), (BAR + 2, here, BLUE)):
            left, right = sorted((at(1.0), at(value)))
            bar = {"x": left, "y": top + shift, "width": max(1.0, right - left), "height": BAR}
            parts.append(svg.element("rect", **bar, fill=colour, rx=1.5))
            reach = at(quartiles[1]) if quartiles is not None and colour == BLUE else right
            parts.append(svg.text(max(right, reach) + 5, top + shift + 10, f"{value:.3g}", "value"))
        if quartiles is not None:
            middle = top + 1.5 * BAR + 2
            ends = {"x1": at(quartiles[0]), "x2": at(quartiles[1]), "y1": middle, "y2": middle}
            parts.append(svg.element("line", **ends, stroke=INK, stroke_width=1.6))
    return svg.group(*parts)


def key(x: float, y: float) -> str:
    """Which bar is whose."""
    parts = []
    for shift, colour, name in ((0, FAINT, "paper"), (70, BLUE, "here, with quartiles")):
        parts.append(svg.element("rect", x=x + shift, y=y - 9, width=12, height=10, fill=colour, rx=1.5))
        parts.append(svg.text(x + shift + 17, y, name, "note"))
    return svg.group(*parts)


def errors(x: float, y: float, width: float, title: str, values: Mapping[str, float]) -> str:
    """Lengths [m] as bars over powers of ten, from 1e-18."""
    parts = [svg.text(x, y - 12, title, "title")]
    for row, (name, value) in enumerate(values.items()):
        top = y + 30 * row + 11
        length = width * (log10(max(value, 1e-18)) + 18) / 18
        parts.append(svg.text(x, top - 3, name, "note"))
        parts.append(svg.element("rect", x=x, y=top, width=max(1.0, length), height=BAR, fill=BLUE, rx=1.5))
        parts.append(svg.text(x + length + 5, top + 10, f"{value:.0e}", "value"))
    return svg.group(*parts)


def table_rows(
    figures: Mapping[str, Any], kind: str, names: Sequence[tuple[str, str, float]]
) -> list[tuple[str, float, float, Any]]:
    """Rows of `ratios`; kind is "acceleration" or "simulation"; names are (key, text, paper's ratio)."""
    here = figures[f"{kind}_time_ratio"]
    quartiles = figures.get(f"{kind}_time_ratio_quartiles", {})
    return [(text, paper, float(here[name]), quartiles.get(name)) for name, text, paper in names]
