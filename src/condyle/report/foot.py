"""A right foot under its leg, seen from its outer side and a little from in front: outlines, link, axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from condyle.library.ankle import AT, TALOCRURAL
from condyle.report import svg
from condyle.report.style import AMBER, BONE, BONE_EDGE, INK
from condyle.report.view import View, looking

TOWARD, UP = np.array([0.4, -1.0, 0.2]), np.array([0.0, 0.0, 1.0])
#: In the start pose, (x, z) [m] of the sole, the instep, the heel; and of the toes.
FOOT = np.array(
    [(0.012, 0.0), (0.19, 0.0), (0.19, 0.03), (0.13, 0.06), (0.09, 0.082), (0.02, 0.078), (0.0, 0.04)]
)
TOES = np.array([(0.193, 0.0), (0.268, 0.0), (0.27, 0.014), (0.24, 0.026), (0.193, 0.03)])
HALF_WIDTH = 0.03  # m
SHIN = 0.1  # m of the leg that is drawn above the ankle


def view(middle: tuple[float, float], scale: float) -> View:
    """Where the ankle falls on `middle` [px]; pixels per metre."""
    return View(looking(TOWARD, UP), np.array(TALOCRURAL), middle, scale)


def drawn(
    seen: View, poses: Mapping[str, Mapping[str, Any]], frame: int | None, length: float, trail: Any = None
) -> str:
    """Leg, link of a length [m], foot and toes; `poses` (R, p) by body, `frame` None: at the start."""
    turned, moved = {}, {}
    for body in ("talus", "foot", "toes"):
        at_start = body not in poses or frame is None
        turned[body] = np.eye(3) if at_start else np.asarray(poses[body]["rotation"])[frame]
        moved[body] = np.array(AT.get(body, TALOCRURAL)) if at_start else poses[body]["position"][frame]
    lower = _lower_end(turned["talus"], length)
    ankle, knee = np.array(TALOCRURAL), np.array(TALOCRURAL) + SHIN * UP
    parts = [_prism(seen, TOES, turned["toes"], moved["toes"], "toes")]
    parts.append(_prism(seen, FOOT, turned["foot"], moved["foot"], "foot"))
    parts.append(_rod(seen, knee, ankle, BONE_EDGE, 9.0) + _rod(seen, knee, ankle, BONE, 7.0))
    parts.append(_rod(seen, ankle, lower, AMBER, 4.5))
    if trail is not None:
        parts.append(
            svg.polyline(svg.thinned(seen.pixels(np.asarray(trail)), 0.3), stroke=INK, stroke_width=0.8)
        )
    for place in (ankle, lower):
        x, y = seen.pixels(place)
        parts.append(svg.element("circle", cx=x, cy=y, r=3.0, fill="#fff", stroke=INK, stroke_width=1.4))
    x, y = seen.pixels(moved["foot"])
    parts.append(svg.element("circle", cx=x, cy=y, r=2.4, fill=INK))
    return svg.group(*parts)


def _lower_end(R: np.ndarray, length: float) -> np.ndarray:
    return np.array(TALOCRURAL) + R @ np.array([0.0, 0.0, -length])


def _prism(seen: View, outline: np.ndarray, R: np.ndarray, p: Any, body: str) -> str:
    """The outline at both sides, the far one first, and what lies between."""
    faces = []
    for side in (HALF_WIDTH, -HALF_WIDTH):
        corners = np.column_stack([outline[:, 0], np.full(len(outline), side), outline[:, 1]])
        faces.append(seen.pixels((corners - np.array(AT[body])) @ R.T + np.asarray(p)))
    pen = {"stroke": BONE_EDGE, "stroke_width": 1.0, "stroke_linejoin": "round"}
    far, near = faces
    between = [
        svg.element(
            "polygon", points=svg.points(np.array([far[k - 1], far[k], near[k], near[k - 1]])), fill=BONE
        )
        for k in range(len(outline))
    ]
    shadow = svg.element("polygon", points=svg.points(far), fill=BONE, **pen)
    return shadow + "".join(between) + svg.element("polygon", points=svg.points(near), fill=BONE, **pen)


def _rod(seen: View, start: np.ndarray, end: np.ndarray, colour: str, width: float) -> str:
    (x1, y1), (x2, y2) = seen.pixels(start), seen.pixels(end)
    pen = {"stroke": colour, "stroke_width": width, "stroke_linecap": "round"}
    return svg.element("line", x1=x1, y1=y1, x2=x2, y2=y2, **pen)
