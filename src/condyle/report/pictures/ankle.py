"""Figures 10 to 20 of the ankle paper, one below the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from condyle.report import foot, svg
from condyle.report.axes import Axes, nice_range
from condyle.report.bars import bars
from condyle.report.style import AMBER, BLUE, GREEN, PURPLE, RED
from condyle.studies import StudyResult

WIDTH = 980.0
COLUMNS, COLUMN = (66.0, 384.0, 702.0), 252.0  # left edges and width [px] of three diagrams side by side
PANEL, ROW = 150.0, 232.0  # height of a diagram, and from one to the next below it [px]
THIN = 0.15  # px
CLASSICAL, MODIFIED = "l0.0000", "l0.0417"
JOINTS = ((CLASSICAL, RED, "classical"), (MODIFIED, BLUE, "modified"))
LENGTHS = ((CLASSICAL, RED), ("l0.0360", AMBER), (MODIFIED, BLUE), ("l0.0474", PURPLE))
MODES = (("free", "no cone", GREEN), ("cone", "cone", PURPLE), ("cone_damped", "cone, damped", AMBER))
PLANES = (
    (0, 2, "sagittal: z over x [m]"),
    (0, 1, "transverse: y over x [m]"),
    (1, 2, "frontal: z over y [m]"),
)
AXIS = "xyz"
#: Drawing functions return (SVG, height) at a height of the page.
Figure = Callable[[Mapping[str, Any], float], tuple[str, float]]


def draw(result: StudyResult) -> str:
    """All figures; classical universal joint red, modified (link 0.0417 m) blue."""
    parts = [
        svg.text(24, 34, "The ankle complex: classical and modified universal joint", "headline"),
        svg.text(
            24,
            53,
            "figures 10 to 20 of Rodrigues da Silva, Marques, Tavares da Silva and Flores (2023); mass "
            "centre of the main foot for 5 s; red: axes meet, blue: link of 0.0417 m",
            "note",
        ),
    ]
    top = 118.0
    for figure in FIGURES:
        drawing, height = figure(result.figures, top)
        parts.append(drawing)
        top += height
    return svg.document(WIDTH, top - 20, *parts, title="Classical and modified universal joint of the ankle")


def _heading(top: float, words: str) -> str:
    return svg.text(24, top - 34, words, "title")


def _panel(place: tuple[float, float], title: str, label: str, curves: Sequence[tuple[Any, Any, str]]) -> str:
    """One diagram of curves (x, y, colour)."""
    along, up = (np.concatenate([np.asarray(each[i]) for each in curves]) for i in (0, 1))
    x_range = (float(along[0]), float(along[-1])) if label.startswith("time") else nice_range(along, 3)
    axes = Axes(*place, COLUMN, PANEL, x_range, nice_range(up, 3))
    drawn = [axes.curve(x, y, colour, "fine", THIN) for x, y, colour in curves]
    return axes.draw(title, label, (3, 4)) + "".join(drawn)


def _series(figures: Mapping[str, Any], run: str, what: str) -> np.ndarray:
    return np.asarray(figures["motion"][run][what], dtype=float)


def _paths(figures: Mapping[str, Any], top: float, mode: str) -> str:
    parts = []
    for left, (i, k, title) in zip(COLUMNS, PLANES, strict=True):
        paths = [(_series(figures, f"{joint}_{mode}", "com"), colour) for joint, colour, _ in JOINTS]
        curves = [(path[:, i], path[:, k], colour) for path, colour in paths]
        parts.append(_panel((left, top), title, f"{AXIS[i]} [m]", curves))
    return "".join(parts)


def _figure_10(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    return _heading(top, "Figure 10: no cone") + _paths(figures, top, "free"), ROW + 20


def _figure_14(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    undamped = _heading(top, "Figure 14 (a), (c), (e): with the cone, undamped") + _paths(
        figures, top, "cone"
    )
    below = top + ROW + 10
    damped = _heading(below, "Figure 14 (b), (d), (f): with the cone, damped")
    return undamped + damped + _paths(figures, below, "cone_damped"), 2 * ROW + 30


def _rows(top: float, heading: str, rows: Sequence[Sequence[str]]) -> tuple[str, float]:
    return _heading(top, heading) + "".join(part for row in rows for part in row), len(rows) * ROW + 20


def _figure_12(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    time, rows = np.asarray(figures["motion"]["time"]), []
    for row, (what, unit) in enumerate((("velocity", "m/s"), ("acceleration", "m/s²"))):
        rows.append([])
        for k, left in enumerate(COLUMNS):
            curves = [
                (time, _series(figures, f"{joint}_free", what)[:, k], colour) for joint, colour, _ in JOINTS
            ]
            title = f"{what} along {AXIS[k]} [{unit}]"
            rows[-1].append(_panel((left, top + row * ROW), title, "time [s]", curves))
    return _rows(top, "Figure 12: velocity and acceleration, no cone", rows)


def _figure_13(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    rows = []
    pairs = (("com", "velocity", "m", "m/s"), ("velocity", "acceleration", "m/s", "m/s²"))
    for row, (one, other, one_unit, other_unit) in enumerate(pairs):
        rows.append([])
        for k, left in enumerate(COLUMNS):
            runs = [(f"{joint}_free", colour) for joint, colour, _ in JOINTS]
            curves = [
                (_series(figures, run, one)[:, k], _series(figures, run, other)[:, k], colour)
                for run, colour in runs
            ]
            name = "position" if one == "com" else one
            title = f"{AXIS[k]}: {other} [{other_unit}]"
            rows[-1].append(_panel((left, top + row * ROW), title, f"{name} [{one_unit}]", curves))
    return _rows(top, "Figure 13: phase portraits, no cone", rows)


def _snapshots(number: int, mode: str, words: str) -> Figure:
    """Six instants of the first second, both joints."""

    def figure(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
        shots, pitch, scale = figures["snapshots"], 156.0, 400.0
        instants = np.asarray(shots["time"])
        shown = np.asarray(figures["motion"]["time"]) <= instants[-1]
        parts = [_heading(top, f"Figure {number}: first second, {words}")]
        for row, (joint, _, name) in enumerate(JOINTS):
            run = f"{joint}_{mode}"
            trail = _series(figures, run, "com")[shown]
            parts.append(svg.text(24, top - 12 + row * 152, name, "note"))
            for k, time in enumerate(instants):
                seen = foot.view((70.0 + k * pitch, top + 40 + row * 152), scale)
                parts.append(foot.drawn(seen, shots[run], k, float(joint[1:]), trail))
                parts.append(svg.text(70.0 + k * pitch + 24, top - 4 + row * 152, f"{time:.1f} s", "tick"))
        return svg.group(*parts), 350.0

    return figure


def _figure_17(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    time = np.asarray(figures["motion"]["time_of_energies"])
    parts = [_heading(top, "Figure 17: kinetic and potential energy of foot and toes")]
    for left, (joint, _, name) in zip((66.0, 560.0), JOINTS, strict=True):
        series = [_series(figures, f"{joint}_{mode}", "mechanical") for mode, _, _ in MODES]
        axes = Axes(left, top, 370.0, PANEL, (0.0, float(time[-1])), nice_range(np.concatenate(series), 4))
        parts.append(axes.draw(f"{name}: T + V [J]", "time [s]"))
        for values, (_, _, colour) in zip(series, MODES, strict=True):
            parts.append(axes.curve(time, values, colour, "fine", THIN))
        if left < 100.0:  # between the two panels
            parts.append(axes.legend([(colour, "curve", words) for _, words, colour in MODES], (384.0, 20.0)))
    return svg.group(*parts), ROW + 20


def _figure_18(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    counts = figures["evaluations_by_integrator"]["CVODES_bdf"]["absolute"]
    entries = [
        (f"{words}: {name}", float(counts[f"{joint}_{mode}"]["1s"]), colour)
        for mode, words, _ in MODES
        for joint, colour, name in JOINTS
    ]
    title = "evaluations for 1 s at 1e-10 (backward differentiation, absolute)"
    parts = [_heading(top, "Figure 18: cost"), bars(24.0, top, 440.0, title, entries)]
    rest = figures["evaluations_at_rest"]
    times = np.asarray(rest["times"])
    tables = [(name, np.log10(np.asarray(rest[name], dtype=float))) for name in rest if name != "times"]
    axes = Axes(590.0, top, 340.0, PANEL, (0.0, float(times[-1])), (3.0, 5.0))
    parts.append(axes.draw("log₁₀ evaluations until t, foot coming to rest", "t [s]", (5, 4)))
    for (_, values), colour in zip(tables, (GREEN, RED), strict=True):
        parts += [axes.curve(times, values, colour), axes.dots(times, values, colour)]
    key = [(colour, "curve", name) for (name, _), colour in zip(tables, (GREEN, RED), strict=True)]
    parts.append(axes.legend(key, (20.0, 18.0)))
    return svg.group(*parts), 300.0


def _figure_19(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    parts = [_heading(top, "Figure 19: lengths of the link")]
    for k, (length, _) in enumerate(LENGTHS):
        left = 110.0 + 232.0 * k
        parts.append(foot.drawn(foot.view((left, top + 60), 620.0), {}, None, float(length[1:])))
        parts.append(svg.text(left + 40, top + 12, f"{length[1:]} m", "note"))
    return svg.group(*parts), 210.0


def _figure_20(figures: Mapping[str, Any], top: float) -> tuple[str, float]:
    parts = [_heading(top, "Figure 20: influence of the length, no cone")]
    for left, (i, k, title) in zip(COLUMNS, PLANES[1:], strict=False):
        paths = [(_series(figures, f"{length}_free", "com"), colour) for length, colour in LENGTHS]
        curves = [(path[:, i], path[:, k], colour) for path, colour in paths]
        parts.append(_panel((left, top), title, f"{AXIS[i]} [m]", curves))
    for row, (length, colour) in enumerate(LENGTHS):
        y = top + 20 + 18 * row
        parts.append(svg.element("line", x1=700, y1=y, x2=724, y2=y, stroke=colour, stroke_width=2))
        parts.append(svg.text(732, y + 4, f"{length[1:]} m", "note"))
    return svg.group(*parts), ROW + 10


FIGURES: tuple[Figure, ...] = (
    _figure_10,
    _snapshots(11, "free", "no cone"),
    _figure_12,
    _figure_13,
    _figure_14,
    _snapshots(15, "cone", "with the cone, undamped"),
    _snapshots(16, "cone_damped", "with the cone, damped"),
    _figure_17,
    _figure_18,
    _figure_19,
    _figure_20,
)
