"""Figures 7 to 11: the five-bar, its two coordinates, point p, gradients, the manifold of joint 4."""

from __future__ import annotations

from math import degrees
from typing import Any

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.linkage import linkage
from condyle.report.style import BLUE, GREEN, INK, RED
from condyle.report.view import View, looking, mixed
from condyle.studies import StudyResult
from condyle.studies.five_bar import STEPS
from condyle.studies.loop_equations import FIVE_BAR

WIDTH, HEIGHT = 980, 700
PLAYING = 6.0  # s
FACETS = 36  # of the manifold, each way
LOW, HIGH = "#2463b5", "#f2c14e"


def draw(result: StudyResult) -> str:
    """What moves and its manifold above, speeds, accelerations and gradients below."""
    figures = result.figures
    trajectory = figures["trajectory"]
    lengths = (FIVE_BAR["l1"], FIVE_BAR["l2"], FIVE_BAR["l3"], FIVE_BAR["l4"])
    angles = np.asarray(trajectory["angles"], dtype=float)
    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(24, 34, "A five-bar in two coordinates: the angles of its first two joints", "headline"),
        linkage(lengths, angles, (2, FIVE_BAR["l_p"]), (70.0, 330.0), 54.0, PLAYING),
        svg.text(60, 398, "red: path of p", "note"),
        _coordinates(trajectory),
        _manifold(figures["manifold"]),
        _motion(figures, "speed", 60, "|v| of p"),
        _motion(figures, "acceleration", 310, "|a| of p"),
        _gradients(figures),
        _steps(figures["digits_by_way"]),
        title="A five-bar linkage, the motion of its point p and the manifold of its fourth joint",
    )


def _coordinates(trajectory: Any) -> str:
    """Figure 8."""
    time = np.asarray(trajectory["time"], dtype=float)
    q = np.degrees(np.asarray(trajectory["q"], dtype=float))
    axes = Axes(370, 96, 220, 110, (0.0, float(time[-1])), nice_range(q))
    return svg.group(
        axes.draw("Coordinates [degrees] (figure 8)", "time [s]"),
        *[axes.curve(time[::3], q[::3, k], colour) for k, colour in enumerate((BLUE, GREEN))],
        axes.legend([(BLUE, "curve", "θ1"), (GREEN, "curve", "θ2")], (170, 12)),
    )


def _motion(figures: Any, quantity: str, x: float, title: str) -> str:
    """Figure 9: lines by projection, dots by the classical analysis."""
    time = np.asarray(figures["trajectory"]["time"], dtype=float)
    ours = np.asarray(figures["motion"]["projection"][quantity], dtype=float)
    wanted = np.asarray(figures["motion"]["classical"][quantity], dtype=float)
    axes = Axes(x, 500, 190, 150, (0.0, float(time[-1])), nice_range(wanted))
    return svg.group(
        axes.draw(f"{title} (figure 9)", "time [s]"),
        axes.curve(time[::3], ours[::3], INK),
        axes.dots(time[::25], wanted[::25], RED),
    )


def _gradients(figures: Any) -> str:
    """Figure 10: lines by projection, dots by numerical differentiation."""
    time = np.asarray(figures["trajectory"]["time"], dtype=float)
    exact = np.asarray(figures["gradient"]["projection"], dtype=float)
    differences = np.asarray(figures["gradient"][f"molecule {STEPS[1]:g}"], dtype=float)
    axes = Axes(560, 500, 190, 150, (0.0, float(time[-1])), nice_range(exact))
    parts = []
    for k, colour in enumerate((BLUE, GREEN)):
        parts.append(axes.curve(time[::3], exact[::3, k], colour))
        parts.append(axes.dots(time[::25], differences[::25, k], colour))
    return svg.group(
        axes.draw("|∇f| (figure 10)", "time [s]"),
        *parts,
        axes.legend([(BLUE, "curve", "joint 3"), (GREEN, "curve", "joint 4")], (110, 14)),
    )


def _steps(digits: Any) -> str:
    """How good numerical differentiation is, by its step."""
    steps = np.array(STEPS)
    names = [f"molecule {step:g}" for step in STEPS]
    axes = Axes(810, 500, 140, 150, (-4.5, -1.5), (0.0, 10.0))
    parts = []
    for quantity, colour in (("gradient", BLUE), ("acceleration", RED)):
        values = [float(digits[name][quantity]) for name in names]
        parts.append(axes.curve(np.log10(steps), values, colour))
        parts.append(axes.dots(np.log10(steps), values, colour))
    return svg.group(
        axes.draw("Figures by step", "log₁₀ of the step [rad]", (3, 4)),
        *parts,
        axes.legend([(BLUE, "curve", "gradient"), (RED, "curve", "|a|")], (12, 108)),
    )


def _manifold(figure: Any) -> str:
    """Figure 11: joint 4 over a whole turn of both coordinates."""
    q, f4 = np.asarray(figure["q"], dtype=float), np.asarray(figure["f4"], dtype=float)
    step = max(1, (len(q) - 1) // FACETS)
    q, f4 = q[::step], f4[::step, ::step]
    view = View(
        looking(np.array([-0.6, -1.0, 0.75]), np.array([0.0, 0.0, 1.0])),
        np.array([0.0, 0.0, f4.mean()]),
        (795.0, 255.0),
        38.0,
    )
    grid = np.stack([*np.meshgrid(q, q, indexing="ij"), 2.0 * (f4 - f4.mean()) + f4.mean()], axis=-1)
    corners = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2)
    middle = corners.mean(axis=2)
    height = 0.25 * (f4[:-1, :-1] + f4[1:, :-1] + f4[1:, 1:] + f4[:-1, 1:])
    share = (height - f4.min()) / (f4.max() - f4.min())
    facets = []
    for index in np.argsort(view.depth(middle), axis=None):
        i, j = np.unravel_index(index, share.shape)
        fill = mixed(LOW, HIGH, float(share[i, j]))
        points = svg.points(view.pixels(corners[i, j]))
        facets.append(svg.element("polygon", points=points, fill=fill))
    low, high = degrees(f4.min()), degrees(f4.max())
    return svg.group(
        svg.text(660, 84, "Manifold of joint 4 (figure 11)", "title"),
        svg.text(660, 101, f"from {low:.0f}° (blue) to {high:.0f}° (yellow)", "note"),
        svg.group(*facets, stroke="#ffffff", stroke_width=0.25),
        *_corner_names(view, float(grid[..., 2].min())),
    )


def _corner_names(view: View, z: float) -> list[str]:
    """The two edges that are nearest to the eye."""
    found = []
    for place, name in (
        (np.array([0.0, -np.pi, z]), "θ1: a turn"),
        (np.array([-np.pi, 0.0, z]), "θ2: a turn"),
    ):
        x, y = view.pixels(place)
        found.append(svg.text(float(x), float(y) + 22, name, "note", "middle"))
    return found
