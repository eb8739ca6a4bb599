"""A planar chain of bars between two pivots, in motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from condyle.report import svg
from condyle.report.style import BLUE, INK, RED

FRAMES, GHOSTS = 90, 6
BAR = "#7f93a6"


def joints(lengths: Sequence[float], angles: np.ndarray) -> np.ndarray:
    """Places (k, n + 1, 2) of the ends of n bars whose relative angles are (k, n)."""
    phi = np.cumsum(angles, axis=1)
    steps = np.asarray(lengths)[:, None] * np.stack([np.cos(phi), np.sin(phi)], axis=2)
    start = np.zeros((len(angles), 1, 2))
    return np.concatenate([start, np.cumsum(steps, axis=1)], axis=1)


def linkage(
    lengths: Sequence[float],
    angles: np.ndarray,
    point: tuple[int, float],
    origin: tuple[float, float],
    scale: float,
    duration: float,
) -> str:
    """The bars moving, some of their poses, and the path of a `point` (bar, distance along it).

    `origin` [px] is where the first pivot is, `scale` pixels per unit of length.
    """
    places = joints(lengths, angles)
    body, distance = point
    share = distance / lengths[body]
    path = places[:, body] + share * (places[:, body + 1] - places[:, body])

    def pixels(xy: np.ndarray) -> np.ndarray:
        return np.array(origin) + scale * xy * np.array([1.0, -1.0])

    chosen = np.linspace(0, len(angles) - 1, FRAMES).astype(int)
    seen, seen_path = pixels(places), pixels(path)
    ghosts = [
        svg.polyline(seen[k], stroke=BAR, stroke_width=2, stroke_opacity=0.25)
        for k in np.linspace(0, len(angles) - 1, GHOSTS).astype(int)
    ]
    moving = svg.animate("points", [svg.points(seen[k]) for k in chosen], duration)
    bar = svg.element(
        "polyline",
        moving,
        points=svg.points(seen[0]),
        fill="none",
        stroke=INK,
        stroke_width=4,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
    pins = [svg.moving_dot(seen[chosen, k], 4.0, BLUE, duration) for k in range(1, seen.shape[1] - 1)]
    pivots = [
        svg.element("circle", cx=x, cy=y, r=5, fill="#fff", stroke=INK, stroke_width=2)
        for x, y in (seen[0, 0], seen[0, -1])
    ]
    return svg.group(
        *ghosts,
        svg.polyline(seen_path, stroke=RED, stroke_width=1.5, stroke_opacity=0.8),
        bar,
        *pins,
        *pivots,
        svg.moving_dot(seen_path[chosen], 5.0, RED, duration),
    )
