"""Figures 3 to 6: the four-bar, its coordinate, its joint variables, and the motion of p by all ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.bars import bars
from condyle.report.linkage import linkage
from condyle.report.style import AMBER, BLUE, GREEN, INK, PURPLE, RED
from condyle.studies import StudyResult
from condyle.studies.four_bar import FIGURES
from condyle.studies.loop_equations import FOUR_BAR

WIDTH, HEIGHT = 980, 700
PLAYING = 6.0  # s
COLOURS = {"implicit": BLUE, "projection": GREEN, "quintic": AMBER, "cubic": RED, "molecule": PURPLE}
NAMES = {
    "implicit": "implicit function",
    "projection": "projection",
    "quintic": "quintic, 0.005",
    "cubic": "natural cubic, 0.01",
    "molecule": "molecule, 0.0001",
}


def draw(result: StudyResult) -> str:
    """What moves above, how point p moves below; right: figures that agree with a classical analysis."""
    figures = result.figures
    trajectory = figures["trajectory"]
    lengths = (FOUR_BAR["l1"], FOUR_BAR["l2"], FOUR_BAR["l3"])
    angles = np.asarray(trajectory["angles"], dtype=float)
    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(24, 34, "A four-bar in one coordinate: the height of its second bar's centre", "headline"),
        linkage(lengths, angles, (2, FOUR_BAR["l_p"]), (52.0, 230.0), 44.0, PLAYING),
        svg.text(52, 398, "red: path of p", "note"),
        _coordinate(trajectory),
        _joints(figures["joint_angles"]),
        _motion(figures, "speed", 60, "|v| of p, dots classical"),
        _motion(figures, "acceleration", 390, "|a| of p"),
        _digits(figures["digits"], "speed", 100),
        _digits(figures["digits"], "acceleration", 420),
        title="A four-bar linkage, its joint variables and the motion of its point p",
    )


def _coordinate(trajectory: Any) -> str:
    time, q = (np.asarray(trajectory[name], dtype=float) for name in ("time", "q"))
    axes = Axes(390, 96, 250, 110, (0.0, float(time[-1])), nice_range(q))
    return svg.group(
        axes.draw("Height q (figure 4)", "time [s]"),
        axes.curve(time, q, BLUE),
        axes.cursor(time[::10], q[::10], RED, PLAYING),
    )


def _joints(figure: Any) -> str:
    """Figure 5."""
    q, theta = np.asarray(figure["q"], dtype=float), np.asarray(figure["theta"], dtype=float)
    axes = Axes(390, 278, 250, 120, (-2.0, 2.0), nice_range(theta))
    colours = (BLUE, RED, GREEN)
    return svg.group(
        axes.draw("Joint variables [rad] (figure 5)", "q"),
        *[axes.curve(q, theta[:, k], colour) for k, colour in enumerate(colours)],
        axes.legend([(c, "curve", f"θ{k + 1}") for k, c in enumerate(colours)], (258, 30)),
    )


def _motion(figures: Any, quantity: str, x: float, title: str) -> str:
    """Figure 6: all ways lie on one line at this scale."""
    time = np.asarray(figures["trajectory"]["time"], dtype=float)
    motion = {name: np.asarray(way[quantity], dtype=float) for name, way in figures["motion"].items()}
    wanted = motion.pop("classical")
    axes = Axes(x, 500, 250, 150, (0.0, float(time[-1])), nice_range(wanted))
    picked = slice(0, None, 25)
    return svg.group(
        axes.draw(f"{title} (figure 6)", "time [s]"),
        *[axes.curve(time[::3], values[::3], INK, stroke_width=1) for values in motion.values()],
        axes.dots(time[picked], wanted[picked], RED),
    )


def _digits(digits: Any, quantity: str, y: float) -> str:
    """Bars; the line is what the paper says of its splines."""
    entries = [(NAMES[name], float(digits[name][quantity]), COLOURS[name]) for name in COLOURS]
    longest = max(value for _, value, _ in entries)
    place = 700 + (250 - 60) * FIGURES / longest
    line = svg.element("line", x1=place, y1=y + 4, x2=place, y2=y + 186, stroke=INK, stroke_dasharray="3 3")
    return svg.group(
        bars(700, y, 250, f"Figures that agree: {quantity}", entries),
        line,
        svg.text(place, y + 200, f"paper: {FIGURES:.0f}, by natural cubic splines", "note", "middle"),
    )
