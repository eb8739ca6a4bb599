"""Axes of a diagram: ticks, labels, curves, and cursors that follow a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

import numpy as np

from condyle.report import svg

Range = tuple[float, float]


def nice_step(span: float, count: int) -> float:
    """The step of about `count` ticks over `span` that people read easily: 1, 2 or 5 times a power of ten."""
    raw = span / max(1, count)
    power = 10.0 ** floor(log10(raw))
    return power * next(factor for factor in (1, 2, 5, 10) if raw <= factor * power * (1 + 1e-9))


def nice_range(values: Any, count: int = 4) -> Range:
    """The range from tick to tick that holds all finite values."""
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    if not finite.size:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    step = nice_step(high - low, count)
    return step * floor(low / step + 1e-9), step * ceil(high / step - 1e-9)


def ticks(limits: Range, count: int = 4, step: float | None = None) -> tuple[list[float], list[str]]:
    """Ticks within the limits, and their texts; `step` where the reader expects one (30 degrees)."""
    step = step or nice_step(limits[1] - limits[0], count + 1)
    first = ceil(limits[0] / step - 1e-9)
    last = floor(limits[1] / step + 1e-9)
    places = [index * step for index in range(first, last + 1)]
    digits = max(0, -floor(log10(step) + 1e-9))
    return places, [f"{place:.{digits}f}".replace("-", "−") if place else "0" for place in places]


@dataclass(frozen=True)
class Axes:
    """A rectangle [px] with a range of data along each side; y points up."""

    x: float
    y: float
    width: float
    height: float
    x_range: Range
    y_range: Range

    def at(self, x: Any, y: Any) -> np.ndarray:
        """Pixels (n, 2) of data."""
        x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        across = self.x + (x - x0) / (x1 - x0) * self.width
        down = self.y + self.height - (y - y0) / (y1 - y0) * self.height
        return np.stack([across, down], axis=-1)

    def draw(
        self,
        title: str,
        x_label: str,
        counts: tuple[int, int] = (4, 4),
        steps: tuple[float | None, float | None] = (None, None),
    ) -> str:
        """Grid, ticks and labels; the title above says what y is."""
        parts = []
        places, names = ticks(self.x_range, counts[0], steps[0])
        for place, name in zip(places, names, strict=True):
            px = self.at(place, self.y_range[0])[0]
            parts.append(svg.element("line", x1=px, y1=self.y, x2=px, y2=self.y + self.height, class_="grid"))
            parts.append(svg.text(px, self.y + self.height + 15, name, "tick", "middle"))
        places, names = ticks(self.y_range, counts[1], steps[1])
        for place, name in zip(places, names, strict=True):
            py = self.at(self.x_range[0], place)[1]
            parts.append(svg.element("line", x1=self.x, y1=py, x2=self.x + self.width, y2=py, class_="grid"))
            parts.append(svg.text(self.x - 6, py + 3.5, name, "tick", "end"))
        bottom = self.y + self.height
        parts.append(
            svg.element("line", x1=self.x, y1=bottom, x2=self.x + self.width, y2=bottom, class_="frame")
        )
        parts.append(svg.text(self.x, self.y - 12, title, "title"))
        parts.append(svg.text(self.x + self.width / 2, bottom + 31, x_label, "label", "middle"))
        return svg.group(*parts)

    def curve(
        self, x: Any, y: Any, colour: str, class_: str = "curve", thin: float = 0.0, **attributes: Any
    ) -> str:
        """A line through data; it breaks where a value is not finite. `thin` [px]: how far it may lie from
        points that are left out.
        """
        found = []
        xy = self.at(x, y)
        finite = np.asarray(np.isfinite(xy).all(axis=1))
        for piece in np.split(np.arange(len(xy)), np.flatnonzero(np.diff(finite)) + 1):
            if len(piece) > 1 and finite[piece[0]]:
                drawn = svg.thinned(xy[piece], thin) if thin else xy[piece]
                found.append(svg.polyline(drawn, class_=class_, stroke=colour, **attributes))
        return "".join(found)

    def dots(self, x: Any, y: Any, colour: str, radius: float = 2.6) -> str:
        """A dot per point within the axes."""
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        inside = (
            (x >= self.x_range[0]) & (x <= self.x_range[1]) & (y >= self.y_range[0]) & (y <= self.y_range[1])
        )
        return "".join(
            svg.element("circle", cx=px, cy=py, r=radius, fill="#fff", stroke=colour, stroke_width=1.4)
            for px, py in self.at(x[inside], y[inside])
        )

    def cursor(self, x: Any, y: Any, colour: str, duration: float, radius: float = 4.5) -> str:
        """A dot that runs through the data, evenly in `duration` [s]."""
        return svg.moving_dot(self.at(x, y), radius, colour, duration)

    def legend(self, entries: Sequence[tuple[str, str, str]], corner: tuple[float, float]) -> str:
        """Rows (colour, class, text) at a corner [px] within the axes."""
        parts = []
        for row, (colour, class_, name) in enumerate(entries):
            x, y = self.x + corner[0], self.y + corner[1] + 15 * row
            parts.append(svg.element("line", x1=x, y1=y, x2=x + 18, y2=y, stroke=colour, class_=class_))
            parts.append(svg.text(x + 23, y + 4, name, "note"))
        return svg.group(*parts)
