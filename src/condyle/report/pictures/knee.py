"""Figure 6 and table 2: how the tibia rolls and slides on the femur, how it swings, what that costs."""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle.library.knee import X_POINTS, Y_POINTS, knee, translations
from condyle.report import svg
from condyle.report.axes import Axes
from condyle.report.leg import Leg, condyle_outline, contact_points, femur_to_ground
from condyle.report.ratios import errors, key, ratios, table_rows
from condyle.report.style import BLUE, GREEN, RED
from condyle.studies import StudyResult
from condyle.studies.knee import DURATION

WIDTH, HEIGHT = 980, 712
PLAYING = 2.0 * DURATION  # s: half speed
WINDOW = (24.0, 70.0, 400.0, 330.0)  # x, y, width, height of the knee
PAPER = {"acceleration": (1.28, 5.7), "simulation": (1.98, 3.6)}

DISTANCES = {
    "mobilizer": "custom mobilizer",
    "general_twin": "2 constraints, projected to 1e-4",
    "dense_twin": "2 constraints, not projected",
}


def draw(result: StudyResult) -> str:
    """The knee large, its functions and its motion beside it, the table below."""
    figures = result.figures
    angle = np.asarray(figures["figure_6"]["angle"], dtype=float)
    manifold = figures["manifold_error"]
    distances = {text: float(manifold[name]) for name, text in DISTANCES.items() if name in manifold}

    def column(x: float, kind: str, title: str) -> str:
        pin, twin = PAPER[kind]
        rows = (
            ("custom_over_pin", "custom / pin", pin),
            ("dense_twin_over_custom", "2 constraints, one dense system / custom", twin),
            ("general_twin_over_custom", "2 constraints, general solver / custom", twin),
        )
        return ratios(x, 500, 260, title, table_rows(figures, kind, rows))

    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(24, 34, "Figure 6: the tibia rolls and slides on the femur", "headline"),
        svg.text(24, 53, "the condyle is the envelope of the tibial plateau; red: where they touch", "note"),
        _knee(angle),
        _function(X_POINTS, 0, Axes(500, 96, 190, 118, (-120.0, 10.0), (-6.0, 6.0)), angle, GREEN, "forward"),
        _function(
            Y_POINTS, 1, Axes(765, 96, 190, 118, (-120.0, 10.0), (-425.0, -390.0)), angle, RED, "along femur"
        ),
        _swing(angle, Axes(500, 290, 455, 104, (0.0, DURATION), (-125.0, 5.0))),
        key(24, 690),
        column(24, "acceleration", "Table 2: accelerations and loads"),
        column(350, "simulation", "Table 2: leg swing"),
        errors(676, 500, 230, "Largest distance from the manifold [m]", distances),
        title="The empirical knee: contact, translations, swing and computing times",
    )


def _knee(angle: np.ndarray) -> str:
    """Femur and tibia around the knee, the thigh as it is held in the study."""
    mechanism = cd.compile(knee())
    fine = np.interp(np.linspace(0, 1, 81), np.linspace(0, 1, len(angle)), angle)
    R, p = mechanism.body_poses(fine[:, None])["tibia"]
    turn = np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0]))
    x, y, width, height = WINDOW
    scale = 2100.0
    middle = femur_to_ground(np.array([-0.002, -0.416]))
    center = np.array([x + 0.5 * width, y + 0.5 * height])
    hip = center - middle * scale * np.array([1.0, -1.0])
    leg = Leg((float(hip[0]), float(hip[1])), scale, condyle_outline(mechanism))
    flesh, bones = leg.swinging(p[:, :2], turn, PLAYING)
    contact = leg.pixels(femur_to_ground(contact_points(mechanism, fine)))
    dot = svg.moving_dot(contact, 6.0, RED, PLAYING)
    frame = {"x": x, "y": y, "width": width, "height": height, "rx": 8}
    return svg.group(
        svg.element("clipPath", svg.element("rect", **frame), id="window"),
        svg.group(
            svg.element("rect", **frame, fill="#f8fafb"),
            leg.thigh(),
            flesh,
            bones,
            leg.femur(),
            dot,
            clip_path="url(#window)",
        ),
        svg.element("rect", **frame, fill="none", stroke="#cfd7de"),
    )


def _function(points, index: int, axes: Axes, angle: np.ndarray, colour: str, direction: str) -> str:
    """One of the two splines with its data, in the femur's axes."""
    import casadi as ca

    q = ca.SX.sym("q")
    function = ca.Function("f", [q], [ca.SX(translations()[index](q))])

    def evaluated(values: np.ndarray) -> np.ndarray:
        return 1e3 * np.array(function(values[None]).full())[0]

    known = np.array(points)
    fine = np.radians(np.linspace(-120.0, 10.0, 131))
    return svg.group(
        axes.draw(f"Tibia {direction} [mm]", "knee angle [deg]", steps=(30.0, None)),
        axes.curve(np.degrees(fine), evaluated(fine), colour),
        axes.dots(np.degrees(known[:, 0]), 1e3 * known[:, 1], colour),
        axes.cursor(np.degrees(angle), evaluated(angle), colour, PLAYING),
    )


def _swing(angle: np.ndarray, axes: Axes) -> str:
    time = np.linspace(0.0, DURATION, len(angle))
    return svg.group(
        axes.draw("Leg swing: knee angle [deg]", "time [s]", steps=(None, 30.0)),
        axes.curve(time, np.degrees(angle), BLUE),
        axes.cursor(time, np.degrees(angle), BLUE, PLAYING),
    )
