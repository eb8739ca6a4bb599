"""Drivers of the leg and of the shoulder girdle: torques, and the choices of components that fail."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes, nice_range, ticks
from condyle.report.style import AMBER, BLUE, GREEN, PURPLE, RED
from condyle.studies import StudyResult

WIDTH, HEIGHT = 980, 560
ROW = 14.5  # px per set of components


def draw(result: StudyResult) -> str:
    """Figures 5 to 7 of the paper in small, a vanishing angle, and the fifteen sets of the closed chain."""
    figures = result.figures
    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(24, 34, "Rotational drivers by relative Euler parameters, and where they fail", "headline"),
        _hip(figures),
        _knee(figures),
        _torques(figures),
        _vanishing(figures["vanishing_angle"]),
        _sets(figures["closed_chain_sets"]),
        title="Rotational drivers by relative Euler parameters",
    )


def _hip(figures: Any) -> str:
    time, hip = np.asarray(figures["time"], dtype=float), figures["failure_hip"]
    axes = Axes(60, 90, 250, 150, (0.0, 1.0), (-30.0, 50.0))
    return svg.group(
        axes.draw("Hip flexion [deg]: e0 e1 e2 mirror it", "time [s]", (4, 4), (None, 20.0)),
        axes.curve(time, hip["prescribed_deg"], BLUE),
        axes.curve(time, hip["e012_deg"], RED, "curve dashed"),
        axes.legend(
            [(BLUE, "curve", "prescribed, and e1 e2 e3"), (RED, "curve dashed", "e0 e1 e2")], (92, 12)
        ),
    )


def _knee(figures: Any) -> str:
    time, knee = np.asarray(figures["time"], dtype=float), figures["failure_knee"]
    axes = Axes(390, 90, 250, 150, (0.0, 1.0), (-30.0, 210.0))
    return svg.group(
        axes.draw("Knee flexion [deg]: e1 overshoots", "time [s]", (4, 4), (None, 60.0)),
        axes.curve(time, knee["e1_deg"], RED, "curve dashed"),
        axes.curve(time, knee["e3_deg"], BLUE),
        axes.legend([(BLUE, "curve", "e3, as prescribed"), (RED, "curve dashed", "e1")], (6, 12)),
    )


def _torques(figures: Any) -> str:
    time = np.asarray(figures["time"], dtype=float)
    torques = {name: np.asarray(values) for name, values in figures["open_chain"]["torques"].items()}
    curves = [
        ("hip, z", torques["hip"][:, 2], BLUE),
        ("knee", torques["knee"][:, 0], GREEN),
        ("ankle, z", torques["ankle"][:, 0], AMBER),
    ]
    axes = Axes(60, 340, 250, 150, (0.0, 1.0), nice_range(torques["hip"][:, 2]))
    return svg.group(
        axes.draw("Torques of the drivers [N m]", "time [s]"),
        *[axes.curve(time, values, colour) for _, values, colour in curves],
        axes.legend([(colour, "curve", name) for name, _, colour in curves], (8, 12)),
        svg.text(60, 540, f"A-rot differs by {figures['chain_a_angle_difference']:.0e} N m", "note"),
    )


def _vanishing(small: Any) -> str:
    angle = np.log10(np.asarray(small["angle_deg"], dtype=float))
    axes = Axes(390, 340, 250, 150, (-2.0, 1.0), (0.0, 5.0))
    by_angle, by_euler = (np.log10(small[f"condition_{kind}"]) for kind in ("angle", "euler"))
    return svg.group(
        axes.draw("Condition as an angle vanishes, log₁₀", "knee angle, log₁₀ [deg]", (3, 5)),
        axes.curve(angle, by_angle, RED, "curve dashed"),
        axes.dots(angle, by_angle, RED),
        axes.curve(angle, by_euler, BLUE),
        axes.dots(angle, by_euler, BLUE),
        axes.legend([(RED, "curve dashed", "A-rot, one row"), (BLUE, "curve", "E-rot, e3")], (120, 12)),
    )


def _sets(sets: list[Any]) -> str:
    """Range of the condition of every set, those that pass a singularity in red."""
    ordered = sorted(sets, key=lambda item: (item["passes"], item["condition"][1]))
    axes = Axes(790, 90, 165, ROW * len(ordered), (2.0, 6.0), (0.0, 1.0))
    places, names = ticks(axes.x_range, 4)
    parts = [svg.text(676, 78, "Closed chain: condition, log₁₀", "title")]
    bottom = axes.y + axes.height
    for place, name in zip(places, names, strict=True):
        x = axes.at(place, 0.0)[0]
        parts.append(svg.element("line", x1=x, y1=axes.y, x2=x, y2=bottom, class_="grid"))
        parts.append(svg.text(x, bottom + 15, name, "tick", "middle"))
    for row, item in enumerate(ordered):
        y = axes.y + ROW * (row + 0.5)
        low, high = (axes.at(np.log10(value), 0.0)[0] for value in item["condition"])
        colour = RED if item["passes"] else (PURPLE if row == 0 else BLUE)
        parts.append(svg.text(676, y + 4, _short(item["components"]), "tick"))
        parts.append(svg.element("line", x1=low, y1=y, x2=high, y2=y, stroke=colour, stroke_width=5))
    parts.append(svg.text(676, bottom + 34, "red: det D changes its sign; the best is purple", "note"))
    return svg.group(*parts)


def _short(components: list[str]) -> str:
    """SC 123 AC 2."""
    joints: dict[str, str] = {}
    for component in components:
        joint, _, number = component.partition(".e")
        joints[joint] = joints.get(joint, "") + number
    return " ".join(f"{joint} e{numbers}" for joint, numbers in joints.items())
