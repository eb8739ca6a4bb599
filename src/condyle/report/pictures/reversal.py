"""Section 2.4: one arm rooted at the thorax (reaching) and at the hand (push-up)."""

from __future__ import annotations

import casadi as ca
import numpy as np

from condyle.library.shoulder import RADII, reaching
from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.style import AMBER, BLUE, BONE, BONE_EDGE, GREEN, INK, PURPLE, RED
from condyle.report.view import View, looking
from condyle.studies import StudyResult

WIDTH, HEIGHT = 980, 620
PLAYING = 4.0  # s
CHAIN = ("scapula", "humerus", "forearm", "hand")  # points from the thorax outwards
SHOWN = {"scapulothoracic": AMBER, "shoulder": BLUE, "elbow": RED}
MEANING = {"scapulothoracic": "angles [rad]", "shoulder": "Euler parameters", "elbow": "angle [rad]"}


def draw(result: StudyResult) -> str:
    """Both trees in motion, what is held marked, and the coordinates that they share."""
    drawn = result.figures["figure_3"]
    parts = [
        svg.text(24, 34, "One arm, two roots", "headline"),
        svg.text(
            24,
            53,
            "the same joints, coordinates and motion; reversing the joints moves the root from the thorax "
            f"to the hand (states differ by {result.figures['state_difference']:.0e})",
            "note",
        ),
    ]
    for left, name, held, title in (
        (245, "reaching", "thorax", "reaching: the thorax is held"),
        (735, "push_up", "hand", "push-up: the hand is held"),
    ):
        figure = {point: np.asarray(places, dtype=float) for point, places in drawn[name].items()}
        parts += [_tree(figure, left, held), svg.text(left, 424, title, "title", "middle")]
    parts.append(_coordinates(result))
    return svg.document(WIDTH, HEIGHT, *parts, title="An arm rooted at the thorax and at the hand")


def _tree(figure: dict[str, np.ndarray], left: float, held: str) -> str:
    every = np.concatenate([figure[name] for name in ("thorax", *CHAIN)])
    center = 0.5 * (every.max(axis=0) + every.min(axis=0))
    view = View(looking(np.array([1.0, 0.35, 0.75]), np.array([0.0, 1.0, 0.0])), center, (left, 245), 330.0)
    points = {name: view.pixels(figure[name]) for name in CHAIN}
    outlines = np.stack([_outline(view, figure, k) for k in range(len(figure["thorax"]))])
    thorax = svg.element(
        "polygon",
        svg.animate("points", [svg.points(outline) for outline in outlines], PLAYING),
        points=svg.points(outlines[0]),
        fill=BONE,
        stroke=BONE_EDGE,
        stroke_width=1.6,
        fill_opacity=0.85,
    )
    bones = zip(CHAIN[:-1], CHAIN[1:], (9, 14, 12), strict=True)
    limbs = [_limb(points[start], points[end], width) for start, end, width in bones]
    colours = (*SHOWN.values(), INK)
    joints = [
        svg.moving_dot(points[name], 6.0, colour, PLAYING)
        for name, colour in zip(CHAIN, colours, strict=True)
    ]
    trail = svg.polyline(points["hand"], stroke=PURPLE, class_="curve dashed", stroke_opacity=0.8)
    ground = outlines[0].mean(axis=0) if held == "thorax" else points["hand"][0]
    return svg.group(thorax, trail if held == "thorax" else "", *limbs, *joints, _pin(ground))


def _outline(view: View, figure: dict[str, np.ndarray], k: int) -> np.ndarray:
    """Silhouette (n, 2) [px] of the thorax's ellipsoid: a parallel projection makes it an ellipse."""
    gliding = next(joint for joint in reaching().joints if joint.name == "scapulothoracic")
    placed = gliding.parent_frame.transform()
    R, p = np.array(ca.DM(placed.R).full()), np.array(ca.DM(placed.p).full()).ravel()
    axes = figure["thorax_axes"][k]
    center = figure["thorax"][k] + axes @ p
    shadow = view.axes[:2] @ (axes @ R) @ np.diag(RADII)  # maps the unit ball to the picture
    U, size, _ = np.linalg.svd(shadow)
    turn = np.linspace(0, 2 * np.pi, 41)[:-1]
    # The same point of the outline must stay first, or the polygon would turn inside out between frames.
    ellipse = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    root = U @ np.diag(size) @ U.T
    return view.pixels(center) + ellipse @ root * view.scale * np.array([1.0, -1.0])


def _limb(start: np.ndarray, end: np.ndarray, width: float) -> str:
    """A thick line whose ends move."""
    ends = {"x1": start[:, 0], "y1": start[:, 1], "x2": end[:, 0], "y2": end[:, 1]}
    place = {name: values[0] for name, values in ends.items()}

    def line(colour: str, thickness: float) -> str:
        motion = [svg.animate(name, svg.moving(values), PLAYING) for name, values in ends.items()]
        pen = {"stroke": colour, "stroke_width": thickness, "stroke_linecap": "round"}
        return svg.element("line", *motion, **place, **pen)

    return line(BONE_EDGE, width + 2.4) + line(BONE, width)


def _pin(place: np.ndarray) -> str:
    """The sign for what is fixed to ground."""
    x, y = place
    base = svg.element("line", x1=x - 16, y1=y + 18, x2=x + 16, y2=y + 18, stroke=GREEN, stroke_width=3)
    foot = svg.element("path", d=f"M{x:.1f},{y:.1f}l-10,18h20z", fill=GREEN, fill_opacity=0.85)
    return svg.group(foot, base)


def _coordinates(result: StudyResult) -> str:
    motion = {name: np.asarray(values, dtype=float) for name, values in result.figures["motion"].items()}
    time = motion.pop("time")
    parts = []
    for left, (joint, colour) in zip((70, 390, 710), SHOWN.items(), strict=True):
        values = [series for name, series in motion.items() if name.startswith(joint + ".")]
        axes = Axes(left, 486, 240, 84, (0.0, float(time[-1])), nice_range(np.concatenate(values), 3))
        parts.append(axes.draw(f"{joint}: {MEANING[joint]}", "time [s]", (4, 3)))
        parts += [axes.curve(time, series, colour) for series in values]
    return svg.group(*parts)
