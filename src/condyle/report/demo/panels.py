"""The diagrams beside and below the swinging leg."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from condyle.library.knee import X_POINTS, Y_POINTS, translations
from condyle.report import svg
from condyle.report.axes import Axes, Range, nice_range
from condyle.report.demo.measure import DURATION, Ensemble, Swing
from condyle.report.style import BLUE, FAINT, GREEN, PURPLE, RED

PLAYING = 2.0 * DURATION  # s: half speed
EVERY = 5  # one of so many output times is a frame of the animation: 25 ms
COLUMNS, ROWS, PANEL = (480, 752), (72, 294), (205, 118)
SHOWN = 45  # members of the ensemble that are drawn


def above(column: int, row: int) -> Axes:
    """Axes beside the leg."""
    return Axes(COLUMNS[column], ROWS[row], *PANEL, (0.0, DURATION), (0.0, 1.0))


def below(left: float) -> Axes:
    """Axes in the strip under the picture."""
    return Axes(left, 44, 225, 128, (0.0, DURATION), (0.0, 1.0))


def _scaled(axes: Axes, y_values: np.ndarray, x_range: Range | None = None) -> Axes:
    return replace(axes, x_range=x_range or axes.x_range, y_range=nice_range(y_values))


def frames(values: np.ndarray) -> np.ndarray:
    """Those values over time that the animation shows."""
    return values[::EVERY]


def _follow(axes: Axes, x: np.ndarray, y: np.ndarray, colour: str) -> str:
    return axes.cursor(frames(x), frames(y), colour, PLAYING)


def knee_angle(knee: Swing, pin: Swing, axes: Axes) -> str:
    """Angle over time, its turning points, and the angle of a leg on a pin."""
    times, angle, other = knee.motion.times, np.degrees(knee.angle), np.degrees(pin.angle)
    axes = replace(axes, y_range=(-125.0, 5.0))
    turns = np.degrees(knee.motion.events.state[:, 0])
    return svg.group(
        axes.draw("Knee angle [deg]", "time [s]", steps=(None, 30.0)),
        axes.curve(times, other, FAINT, "curve dashed"),
        axes.curve(times, angle, BLUE),
        axes.dots(knee.reversals, turns, BLUE),
        _follow(axes, times, angle, BLUE),
        axes.legend([(FAINT, "curve dashed", "on a pin")], (138, -16)),
    )


def tibia_translations(knee: Swing, axes: Axes) -> str:
    """In the femur's axes, from where the tibia stands when straight."""
    angles = np.linspace(-2.0944, 0.1745, 120)
    degrees = np.degrees(angles)
    parts, drawn = [], []
    straight = np.array([0.0])
    for points, function, colour in zip((X_POINTS, Y_POINTS), translations(), (GREEN, RED), strict=True):
        origin = _evaluate(function, straight)[0]
        curve = 1e3 * (_evaluate(function, angles) - origin)
        knots = np.array(points)
        moving = 1e3 * (_evaluate(function, knee.angle) - origin)
        drawn.append((curve, np.degrees(knots[:, 0]), 1e3 * (knots[:, 1] - origin), moving, colour))
    axes = _scaled(axes, np.concatenate([item[0] for item in drawn]), (-120.0, 10.0))
    for curve, knot_angles, knots, moving, colour in drawn:
        parts.append(axes.curve(degrees, curve, colour))
        parts.append(axes.dots(knot_angles, knots, colour, 2.2))
        parts.append(_follow(axes, np.degrees(knee.angle), moving, colour))
    return svg.group(
        axes.draw("Tibia on femur [mm]", "knee angle [deg]", steps=(30.0, None)),
        *parts,
        axes.legend([(GREEN, "curve", "forward"), (RED, "curve", "along thigh")], (112, 78)),
    )


def _evaluate(function, values: np.ndarray) -> np.ndarray:
    import casadi as ca

    x = ca.SX.sym("x")
    return np.array(ca.Function("f", [x], [ca.SX(function(x))])(values[None]).full())[0]


def knee_load(knee: Swing, pin: Swing, axes: Axes) -> str:
    """Size of the force between femur and tibia."""
    times = knee.motion.times
    size, other = (np.linalg.norm(item.force, axis=1) for item in (knee, pin))
    axes = _scaled(axes, np.concatenate([size, other, [0.0]]))
    return svg.group(
        axes.draw("Load on the knee [N]", "time [s]"),
        axes.curve(times, other, FAINT, "curve dashed"),
        axes.curve(times, size, PURPLE),
        _follow(axes, times, size, PURPLE),
    )


def ensemble_angles(ensemble: Ensemble, axes: Axes) -> str:
    """Angles of some members."""
    times, angles = ensemble.motion.times, np.degrees(ensemble.angle)
    chosen = angles[:: max(1, ensemble.count // SHOWN), ::2]
    axes = replace(axes, y_range=(-125.0, 5.0))
    return svg.group(
        axes.draw(f"{ensemble.count:,} legs at once [deg]", "time [s]", steps=(None, 30.0)),
        *[axes.curve(times[::2], row, BLUE, "thin") for row in chosen],
    )


def energy_drift(knee: Swing) -> str:
    """Energy that integration errors added."""
    drift = 1e9 * knee.drift
    axes = _scaled(below(68), drift)
    return svg.group(
        axes.draw("Energy drift [10⁻⁹ of the kinetic energy]", "time [s]"),
        axes.curve(knee.motion.times, drift, RED),
        _follow(axes, knee.motion.times, drift, RED),
    )


def difference_from_pin(knee: Swing, pin: Swing) -> str:
    """What the empirical functions change in the motion."""
    difference = np.degrees(knee.angle - pin.angle)
    axes = _scaled(below(408), difference)
    return svg.group(
        axes.draw("Empirical knee minus pin [deg]", "time [s]"),
        axes.curve(knee.motion.times, difference, BLUE),
        _follow(axes, knee.motion.times, difference, BLUE),
    )


def ensemble_periods(ensemble: Ensemble) -> str:
    """One dot per member: time of return, by release."""
    axes = _scaled(below(730), ensemble.period, (-40.0, 0.0))
    places = axes.at(np.degrees(ensemble.release), ensemble.period)
    dots = "".join(f"M{svg.number(x)},{svg.number(y)}h0" for x, y in places)
    cloud = svg.element(
        "path", d=dots, stroke=BLUE, stroke_width=3, stroke_linecap="round", stroke_opacity=0.35
    )
    return svg.group(axes.draw(f"{ensemble.count:,} legs: period [s]", "released at [deg]"), cloud)
