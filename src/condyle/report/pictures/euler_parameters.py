"""The appendix on Euler parameters: a tumbling body, who is dependent when, and what angles make of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes
from condyle.report.bars import bars
from condyle.report.style import AMBER, BLUE, FAINT, GREEN, PURPLE, RED
from condyle.report.view import View, looking
from condyle.spatial import euler
from condyle.studies import StudyResult

WIDTH, HEIGHT = 1000, 560
COLOURS = (BLUE, RED, GREEN, AMBER)
PLAYING = 8.0  # s
SPHERE = 92.0  # px


def draw(result: StudyResult) -> str:
    """Path of a body axis, parameters over time with the dependent one, evaluations of the sequences."""
    figures = result.figures
    motion = figures["free_body"]["motion"]
    time, e = (np.asarray(motion[name], dtype=float) for name in ("time", "e"))
    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(24, 34, "A body tumbles through all orientations", "headline"),
        _sphere(e),
        _parameters(time, e, np.asarray(motion["dependent"])),
        _fixed(figures["free_body"], float(time[np.isfinite(e).all(axis=1)][-1])),
        _sequences(figures["sequences"], float(time[-1])),
        title="Euler parameters and Euler angles of a tumbling body",
    )


def _sphere(e: np.ndarray) -> str:
    """Path of the middle axis, about which it was set spinning, on the sphere of directions."""
    view = View(
        looking(np.array([1.0, 0.6, 0.5]), np.array([0.0, 0.0, 1.0])), np.zeros(3), (135, 190), SPHERE
    )
    path = np.einsum("nij,j->ni", euler.orientation(e), np.array([0.0, 1.0, 0.0]))
    third = np.einsum("nij,j->ni", euler.orientation(e), np.array([0.0, 0.0, 1.0]))
    return svg.group(
        svg.element("circle", cx=135, cy=190, r=SPHERE, fill="#f3f6f9", stroke="#c9d1d8"),
        svg.polyline(view.pixels(third), stroke=FAINT, class_="thin"),
        svg.polyline(view.pixels(path), stroke=PURPLE, class_="curve"),
        svg.moving_dot(view.pixels(path), 5.5, PURPLE, PLAYING),
        svg.text(135, 306, "direction of the middle axis, 10 s", "note", "middle"),
    )


def _parameters(time: np.ndarray, e: np.ndarray, dependent: np.ndarray) -> str:
    """Four curves, and below them which parameter follows from the others."""
    axes = Axes(290, 84, 350, 210, (0.0, float(time[-1])), (-1.0, 1.0))
    parts = [axes.draw("Euler parameters; the strip: the dependent one", "time [s]")]
    starts = [0, *(np.flatnonzero(np.diff(dependent)) + 1)]
    for first, last in zip(starts, [*starts[1:], len(time) - 1], strict=True):
        x0, x1 = axes.at(time[[first, last]], -1.0)[:, 0]
        place = {"x": x0, "y": 75, "width": x1 - x0, "height": 7}
        parts.append(svg.element("rect", **place, fill=COLOURS[int(dependent[first])]))
    parts += [axes.curve(time, e[:, k], COLOURS[k]) for k in range(4)]
    for k, colour in enumerate(COLOURS):
        parts.append(svg.text(648, 100 + 17 * k, f"e{k}", "note"))
        parts.append(svg.element("line", x1=664, y1=96 + 17 * k, x2=682, y2=96 + 17 * k, stroke=colour))
    return svg.group(*parts)


def _fixed(body: dict[str, Any], anew: float) -> str:
    """How far the motion is followed when the choice is never changed."""
    rows = [("chosen anew", anew, PURPLE)]
    rows += [(f"always {name}", end, COLOURS[int(name[1])]) for name, end in body["fixed_choice_end"].items()]
    return bars(290, 372, 330, "Followed until [s], by choice of the dependent parameter", rows)


def _sequences(sequences: dict[str, Any], end: float) -> str:
    """Evaluations of angles over those of parameters; red where the angles do not come through."""
    rows = []
    for name, found in sorted(sequences.items(), key=lambda item: item[1]["angles_end"] < end):
        stopped = found["angles_end"] < end
        ratio = found["angles_evaluations"] / found["parameters_evaluations"]
        text = f"{name}: stops at {found['angles_end']:.2f} s" if stopped else name
        rows.append((text, min(ratio, 20.0), RED if stopped else GREEN))
    return bars(730, 84, 240, "Evaluations, angles over parameters (at most 20)", rows)
