"""The benchmark problems: how one point of each moves, and how well it is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.style import BLUE, GREEN, RED
from condyle.studies import StudyResult
from condyle.studies.benchmark_problems import PROBLEMS, Problem

WIDTH, HEIGHT = 980, 610
COLUMNS = 3
COLOURS = (BLUE, RED, GREEN)  # x, y, z
PANEL = (252.0, 150.0)  # px
PITCH = (316.0, 256.0)


def draw(result: StudyResult) -> str:
    """One diagram per problem; below it the errors, the time and the treatment of its loops."""
    parts = [
        svg.text(24, 34, "IFToMM benchmark problems", "headline"),
        svg.text(24, 53, "position of the point that each problem asks for: x blue, y red, z green", "note"),
    ]
    for place, (key, problem) in enumerate(PROBLEMS.items()):
        x = 58 + PITCH[0] * (place % COLUMNS)
        y = 100 + PITCH[1] * (place // COLUMNS)
        parts.append(_panel(x, y, key, problem, result.figures))
    return svg.document(WIDTH, HEIGHT, *parts, title="IFToMM benchmark problems")


def _panel(x: float, y: float, key: str, problem: Problem, figures: Any) -> str:
    motion = figures["motion"][key]
    time = np.asarray(motion["time"], dtype=float)
    position = np.asarray(motion["position"], dtype=float)[:, list(problem.axes)]
    axes = Axes(x, y, *PANEL, (0.0, float(problem.duration)), nice_range(position))
    name = f"{key.replace('_', ', N = ')}: {problem.title} [m]"
    curves = [
        axes.curve(time, position[:, k], COLOURS[axis], stroke_width=1.3)
        for k, axis in enumerate(problem.axes)
    ]
    return svg.group(
        axes.draw(name, "time [s]"),
        *curves,
        *[
            svg.text(x, y + PANEL[1] + 47 + 14 * row, _known(figures[run]), "note")
            for row, run in enumerate(run for run in (key, f"{key}_multipliers") if run in figures)
        ],
    )


def _known(figures: Any) -> str:
    error = figures["error_m"]
    of_reference = "no reference" if error is None else f"error {error:.0e} m"
    return (
        f"{of_reference}, energy {figures['energy_drift_J']:.0e} J, {1e3 * figures['time_s']:.1f} ms, "
        f"{figures['treatment']}"
    )
