"""Section 2.1: the collar on its thread, and what three formulations of the same motion cost."""

from __future__ import annotations

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.bars import bars
from condyle.report.style import BLUE, GREEN, RED
from condyle.report.view import View, looking
from condyle.studies import StudyResult
from condyle.studies.screw import COLLAR, PITCH

WIDTH, HEIGHT = 980, 440
TURNS = 3  # of the path that are drawn
COLOURS = {"screw": BLUE, "cylinder": GREEN, "free": RED}
NAMES = {"screw": "screw mobilizer", "cylinder": "cylinder, 1 constraint", "free": "free body, 5 constraints"}
PLAYING = 4.0  # s


def draw(result: StudyResult) -> str:
    """Helix, motion and departure from it, sizes of the systems."""
    figures = result.figures
    time = np.asarray(figures["motion"]["time"], dtype=float)
    angles = {name: np.asarray(values, dtype=float) for name, values in figures["motion"]["angle"].items()}
    operations = [(NAMES[name], figures["operations"][name], COLOURS[name]) for name in COLOURS]
    equations = [(NAMES[name], figures["equations"][name], COLOURS[name]) for name in COLOURS]
    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(24, 34, "A collar on a screw: one equation, three, or eleven", "headline"),
        _helix(angles["screw"]),
        _motion(time, angles),
        _difference(time, angles),
        bars(690, 96, 250, "Equations", equations),
        bars(690, 286, 250, "Operations of the accelerations", operations),
        title="A collar on a screw in three formulations",
    )


def _helix(angle: np.ndarray) -> str:
    """Path of the centre of mass around the axis."""
    view = View(looking(np.array([1.0, 0.5, 0.35]), np.array([0.0, 0.0, 1.0])), np.zeros(3), (125, 240), 1.0)
    end = np.flatnonzero(np.abs(angle - angle[0]) > 2 * np.pi * TURNS)
    angle = angle[: end[0] + 1] if end.size else angle
    fine = np.linspace(angle.min(), angle.max(), 240)

    def place(q: np.ndarray) -> np.ndarray:
        x, y, z = COLLAR.center_of_mass
        c, s = np.cos(q), np.sin(q)
        return np.stack([c * x - s * y, s * x + c * y, z + PITCH * q], axis=-1)

    path = place(fine)
    low, high = path[:, 2].min(), path[:, 2].max()
    scale = 250.0 / max(high - low, 0.1)
    view = View(view.axes, np.array([0.0, 0.0, 0.5 * (low + high)]), view.middle, scale)
    rod = view.pixels(np.array([[0, 0, low - 0.04], [0, 0, high + 0.04]]))
    seen = view.pixels(place(np.interp(np.linspace(0, 1, 121), np.linspace(0, 1, len(angle)), angle)))
    return svg.group(
        svg.polyline(rod, stroke="#c9d1d8", stroke_width=9, stroke_linecap="round"),
        svg.polyline(view.pixels(path), stroke=BLUE, class_="curve"),
        svg.moving_dot(seen, 6.0, RED, PLAYING),
        svg.text(125, 412, "first turns of the centre of mass", "note", "middle"),
    )


def _motion(time: np.ndarray, angles: dict[str, np.ndarray]) -> str:
    axes = Axes(290, 96, 320, 110, (0.0, float(time[-1])), nice_range(angles["screw"]))
    return svg.group(axes.draw("Angle [rad]", "time [s]"), axes.curve(time, angles["screw"], BLUE))


def _difference(time: np.ndarray, angles: dict[str, np.ndarray]) -> str:
    """How far the constrained formulations are from the mobilizer."""
    others = {name: np.abs(angles[name] - angles["screw"]) for name in ("cylinder", "free")}
    logs = {name: np.log10(np.maximum(values, 1e-16)) for name, values in others.items()}
    axes = Axes(290, 286, 320, 110, (0.0, float(time[-1])), nice_range(np.concatenate(list(logs.values()))))
    return svg.group(
        axes.draw("Difference from the mobilizer, log₁₀ [rad]", "time [s]"),
        *[axes.curve(time, values, COLOURS[name]) for name, values in logs.items()],
        axes.legend([(COLOURS[name], "curve", NAMES[name]) for name in logs], (160, 78)),
    )
