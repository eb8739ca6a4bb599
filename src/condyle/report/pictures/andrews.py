"""Figures 16 to 18: the squeezer, its joint variables, its motion; and work against precision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from condyle.library.andrews import AG, AH, HE, OF, angles
from condyle.library.andrews import A as PIVOT_A
from condyle.library.andrews import B as PIVOT_B
from condyle.library.andrews import C as SPRING_C
from condyle.library.andrews import D as SPRING_D
from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.style import AMBER, BLUE, FAINT, GREEN, INK, PURPLE, RED
from condyle.studies import StudyResult

WIDTH, HEIGHT = 980, 640
SCALE, ORIGIN = 2500.0, (300.0, 330.0)  # px/m, of the point O
#: Of the work-precision diagram: those that the study compares, and their colours.
LINES = {
    "fourier": ("embedded, Fourier", BLUE),
    "implicit": ("embedded, implicit", GREEN),
    "dae, projection": ("DAE, projection", RED),
    "dae, velocity projection": ("DAE, velocity projection", AMBER),
    "dae, Baumgarte": ("DAE, Baumgarte", PURPLE),
}
ANGLES = (BLUE, RED, GREEN, AMBER, PURPLE, FAINT)
CRANK = 0.4  # rad, of the drawing


def draw(result: StudyResult) -> str:
    """Four panels."""
    figures = result.figures
    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(
            24, 34, "Andrews' squeezing mechanism: seven bodies, three loops, one coordinate", "headline"
        ),
        _mechanism(),
        _variables(figures["figure_17"]),
        _motion(figures["figure_18"]),
        _work(figures["work_precision"]),
        title="Andrews' squeezing mechanism",
    )


def _mechanism() -> str:
    """Figure 16: the bars at one crank angle, seen along z."""
    pose = angles(CRANK)
    origin, A, B, C = (np.array(point) for point in ((0.0, 0.0), PIVOT_A, PIVOT_B, SPRING_C))
    F = OF * _direction(CRANK)
    H = A + AH * _direction(pose["epsilon"] - np.pi / 2)
    E = H + HE * _direction(pose["epsilon"] + pose["Omega"])
    G = A + AG * _direction(pose["delta"])
    along = _direction(pose["gamma"])
    D = B + SPRING_D[0] * along + SPRING_D[1] * np.array([-along[1], along[0]])
    bars = (
        ((origin, F), BLUE),
        ((F, E), RED),
        ((E, H, A), GREEN),
        ((E, G, A), AMBER),
        ((B, E, D, B), PURPLE),
    )
    parts = [svg.text(40, 84, "Mechanism (figure 16)", "title")]
    parts += [
        svg.polyline(
            _seen(*points), stroke=colour, stroke_width=5, stroke_linejoin="round", stroke_linecap="round"
        )
        for points, colour in bars
    ]
    parts.append(svg.polyline(_seen(C, D), stroke=FAINT, stroke_width=2, stroke_dasharray="3 3"))
    for name, point in (("O", origin), ("A", A), ("B", B), ("C", C)):
        ((x, y),) = _seen(point)
        parts.append(svg.element("rect", x=x - 4, y=y - 4, width=8, height=8, fill=INK))
        parts.append(svg.text(x + 9, y + 14, name, "label"))
    for name, point in (("F", F), ("E", E), ("G", G), ("H", H), ("D", D)):
        ((x, y),) = _seen(point)
        parts.append(svg.element("circle", cx=x, cy=y, r=3.6, fill="#fff", stroke=INK, stroke_width=1.4))
        parts.append(svg.text(x + 7, y - 7, name, "label"))
    return svg.group(*parts)


def _direction(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def _seen(*points: np.ndarray) -> np.ndarray:
    return np.array(ORIGIN) + SCALE * np.array(points) * (1.0, -1.0)


def _variables(figures: Mapping[str, Any]) -> str:
    """Figure 17, as departures from the mean, so that all are seen."""
    q = np.asarray(figures["q"], dtype=float)
    found = {name: np.asarray(values, dtype=float) for name, values in figures["angles"].items()}
    found = {name: values - values.mean() for name, values in found.items()}
    axes = Axes(470, 100, 420, 190, (-np.pi, np.pi), nice_range(np.concatenate(list(found.values()))))
    curves = [axes.curve(q, values, colour) for values, colour in zip(found.values(), ANGLES, strict=True)]
    entries = [(colour, "curve", name) for name, colour in zip(found, ANGLES, strict=True)]
    return svg.group(
        axes.draw("Joint variables about their means [rad] (figure 17)", "q = angle of the crank [rad]"),
        *curves,
        axes.legend(entries, (428, 14)),
    )


def _motion(figures: Mapping[str, Any]) -> str:
    """Figure 18."""
    time, angle, speed = (np.asarray(figures[name], dtype=float) for name in ("time", "angle", "speed"))
    upper = Axes(70, 420, 320, 65, (0.0, 0.05), nice_range(angle, 2))
    lower = Axes(70, 530, 320, 65, (0.0, 0.05), nice_range(speed, 2))
    return svg.group(
        upper.draw("Angle of the crank [rad] (figure 18)", "", (5, 2)),
        upper.curve(time, angle, BLUE),
        lower.draw("Speed of the crank [rad/s]", "time [s]", (5, 2)),
        lower.curve(time, speed, RED),
    )


def _work(figures: Mapping[str, Any]) -> str:
    logs = {
        name: (
            np.log10(np.asarray(figures[name]["rms_position"], dtype=float)),
            np.log10(1e3 * np.asarray(figures[name]["time_s"], dtype=float)),
        )
        for name in LINES
    }
    errors, times = (np.concatenate([pair[k] for pair in logs.values()]) for k in (0, 1))
    axes = Axes(470, 380, 460, 195, nice_range(errors), nice_range(times))
    parts = [axes.draw("Time of 0.05 s, log₁₀ [ms], TR-BDF2", "RMS error of the crank's angle, log₁₀ [rad]")]
    for name, (error, time) in logs.items():
        colour = LINES[name][1]
        parts += [axes.curve(error, time, colour), axes.dots(error, time, colour)]
    entries = [(colour, "curve", text) for text, colour in LINES.values()]
    return svg.group(*parts, axes.legend(entries, (300, 14)))
