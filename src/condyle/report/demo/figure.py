"""The demo as one picture: the swinging leg, its empirical functions, its loads, and the ensemble."""

from __future__ import annotations

import numpy as np

from condyle.report import svg
from condyle.report.demo import panels
from condyle.report.demo.measure import Ensemble, Swing
from condyle.report.demo.panels import PLAYING, frames
from condyle.report.leg import Leg, condyle_outline, contact_points, femur_to_ground
from condyle.report.style import BLUE, RED

WIDTH, HEIGHT = 980, 470


def picture(knee: Swing, pin: Swing, ensemble: Ensemble) -> str:
    """The whole picture; it moves in anything that shows SVG, and is complete where it stands still."""
    drawn = [
        panels.knee_angle(knee, pin, panels.above(0, 0)),
        panels.tibia_translations(knee, panels.above(1, 0)),
        panels.knee_load(knee, pin, panels.above(0, 1)),
        panels.ensemble_angles(ensemble, panels.above(1, 1)),
    ]
    title = "A leg swings on an empirical knee: motion, tibial translations, knee load, and an ensemble"
    return svg.document(WIDTH, HEIGHT, _leg(knee), *drawn, title=title)


def strip(knee: Swing, pin: Swing, ensemble: Ensemble) -> str:
    """What the page shows below: energy, the difference from a pin, and the ensemble's periods."""
    drawn = [
        panels.energy_drift(knee),
        panels.difference_from_pin(knee, pin),
        panels.ensemble_periods(ensemble),
    ]
    return svg.document(
        WIDTH, 222, *drawn, title="Energy drift, difference from a pin, periods of the ensemble"
    )


def _leg(knee: Swing) -> str:
    leg = Leg((92.0, 100.0), 372.0, condyle_outline(knee.mechanism))
    q = knee.motion.states[:, :1]
    R, p = knee.mechanism.body_poses(q)["tibia"]
    p, angles = p[:, :2], np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0]))
    # Where the leg is while it swings back for the first time.
    ghosts = np.linspace(0, np.searchsorted(knee.motion.times, knee.reversals[0]), 7).astype(int)
    ankle = knee.mechanism.marker_positions(q)["ankle"][:, :2]
    path = leg.pixels(ankle[: ghosts[-1] + 1 : 4])
    flesh, bones = leg.swinging(frames(p), frames(angles), PLAYING)
    return svg.group(
        svg.text(24, 34, "A leg swings on an empirical knee", "headline"),
        svg.text(24, 53, "shank and foot fall from the straight knee; thigh held, no muscles", "note"),
        *[leg.shank(p[i], float(angles[i]), 0.2) for i in ghosts],
        svg.polyline(path, stroke=BLUE, class_="curve dashed", stroke_opacity=0.75),
        flesh,
        leg.thigh(),
        bones,
        leg.femur(),
        _close_up(knee, leg, frames(p), frames(angles)),
        svg.text(24, 443, "The condyle is drawn as the envelope of the tibial plateau:", "note"),
        svg.text(24, 457, "the tibia rolls and slides on it as the measured functions say.", "note"),
    )


def _close_up(knee: Swing, leg: Leg, positions: np.ndarray, angles: np.ndarray) -> str:
    """The knee three times as large, in a circle, with the point of contact."""
    center, radius, scale = np.array([360.0, 144.0]), 74.0, 3.1 * leg.scale
    middle = femur_to_ground(np.array([-0.004, -0.418]))
    hip = center - middle * scale * np.array([1.0, -1.0])
    large = Leg((float(hip[0]), float(hip[1])), scale, leg.condyle)
    flesh, bones = large.swinging(positions, angles, PLAYING)
    contact = large.pixels(femur_to_ground(contact_points(knee.mechanism, frames(knee.angle))))
    dot = svg.moving_dot(contact, 4.5, RED, PLAYING)
    circle = {"cx": center[0], "cy": center[1], "r": radius}
    near = leg.pixels(middle)
    toward = (center - near) / np.linalg.norm(center - near)
    start, end = near + 23 * toward, center - radius * toward
    return svg.group(
        svg.element("clipPath", svg.element("circle", **circle), id="knee"),
        svg.element("circle", cx=near[0], cy=near[1], r=23, fill="none", class_="frame"),
        svg.element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], class_="frame"),
        svg.element("circle", **circle, fill="#fff"),
        svg.group(large.thigh(), flesh, bones, large.femur(), dot, clip_path="url(#knee)"),
        svg.element("circle", **circle, fill="none", class_="frame"),
    )
