"""Figure 5: the tube around its curved axis, the particle's path, the reactions that hold it there."""

from __future__ import annotations

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.style import AMBER, BLUE, INK, PURPLE, RED
from condyle.report.view import View, arrow, looking, mixed
from condyle.studies import StudyResult

WIDTH, HEIGHT = 980, 520
AROUND = 48  # facets around the tube
ARROWS = 15
LONGEST = 0.22  # m, an arrow of the largest reaction
PLAYING = 4.0  # s
SKIN = "#9fb8cf"


def draw(result: StudyResult) -> str:
    """The surface as facets, what lies behind it showing through."""
    figure = {name: np.asarray(value, dtype=float) for name, value in result.figures["figure_5"].items()}
    axes = looking(np.array([0.35, 0.42, 1.0]), np.array([0.0, 1.0, 0.0]))
    view = View(axes, np.array([0.03, 0.07, 0.0]), (405.0, 280.0), 500.0)
    path, reaction = figure["path"], figure["reaction"]
    toward_eye = (path - _nearest(figure["axis"], path)) @ axes[2] > 0
    parts = [
        svg.text(24, 34, "A particle on a curved tube", "headline"),
        svg.text(
            24,
            53,
            "two coordinates, x along the axis and θ around it; arrows: the reaction, normal to the surface "
            f"(tangential part {result.figures['normality_error']:.0e} of it)",
            "note",
        ),
        _tube(view, figure["axis"], float(figure["radius"]), near=False),
        svg.polyline(view.pixels(figure["axis"]), stroke=INK, class_="curve dashed", stroke_opacity=0.6),
        _tube(view, figure["axis"], float(figure["radius"]), near=True),
        _pieces(view, path, ~toward_eye, stroke=RED, class_="curve dashed", stroke_opacity=0.45),
        _pieces(view, path, toward_eye, stroke=RED, stroke_width=2.6, class_="curve"),
        _arrows(view, path, reaction),
        _moving(view, path),
        _triad(view),
        _sizes(figure),
        _states(figure),
    ]
    return svg.document(WIDTH, HEIGHT, *parts, title="A particle on a curved tube, with its reactions")


def _nearest(axis: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Points of the axis with the same x."""
    return np.stack([np.interp(places[:, 0], axis[:, 0], axis[:, i]) for i in range(3)], axis=1)


def _tube(view: View, axis: np.ndarray, radius: float, near: bool) -> str:
    """Facets that face the eye, or those that face away, shaded."""
    theta = np.linspace(0, 2 * np.pi, AROUND + 1)
    circle = radius * np.stack([0 * theta, np.cos(theta), np.sin(theta)], axis=1)
    grid = axis[:, None] + circle  # sections in the y-z plane, as in the study
    light = view.axes.T @ np.array([-0.35, 0.65, 0.67])
    corners = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2)
    middle = corners.mean(axis=2)
    normal = np.cross(corners[..., 2, :] - corners[..., 0, :], corners[..., 3, :] - corners[..., 1, :])
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    outward = middle - 0.5 * (axis[:-1] + axis[1:])[:, None]
    normal *= np.sign((normal * outward).sum(axis=-1, keepdims=True))
    facing = normal @ view.axes[2] > 0
    drawn = []
    order = np.argsort(view.depth(middle), axis=None)
    for index in order:
        i, k = np.unravel_index(index, facing.shape)
        if facing[i, k] != near:
            continue
        bright = max(0.0, float(normal[i, k] @ light))
        colour = mixed(mixed(SKIN, "#1c3550", 0.45 * (1 - bright)), "#ffffff", 0.55 * bright)
        facet = svg.points(view.pixels(corners[i, k]))
        drawn.append(svg.element("polygon", points=facet, fill=colour, stroke=colour))
    return svg.group(*drawn, stroke_width=0.7, opacity=0.55 if near else 0.9)


def _pieces(view: View, path: np.ndarray, chosen: np.ndarray, **attributes) -> str:
    """The parts of the path where `chosen`, each joined to what follows."""
    drawn = []
    for piece in np.split(np.arange(len(path)), np.flatnonzero(np.diff(chosen)) + 1):
        if chosen[piece[0]]:
            whole = np.append(piece, min(piece[-1] + 1, len(path) - 1))
            drawn.append(svg.polyline(view.pixels(path[whole]), **attributes))
    return "".join(drawn)


def _arrows(view: View, path: np.ndarray, reaction: np.ndarray) -> str:
    scale = LONGEST / np.linalg.norm(reaction, axis=1).max()
    chosen = np.linspace(0, len(path) - 1, ARROWS).astype(int)
    return "".join(view.arrow(path[i], path[i] + scale * reaction[i], PURPLE, 2.2) for i in chosen)


def _moving(view: View, path: np.ndarray) -> str:
    return svg.moving_dot(view.pixels(path)[::2], 7.0, RED, PLAYING)


def _triad(view: View) -> str:
    """Directions of ground's axes in the corner."""
    foot = np.array([62.0, 462.0])
    drawn = []
    for name, direction in zip("xyz", np.eye(3), strict=True):
        end = foot + 40 * (view.axes[:2] @ direction) * np.array([1.0, -1.0])
        drawn.append(arrow(foot, end, INK, 1.6))
        drawn.append(svg.text(end[0] + 4, end[1] + 4, name, "label"))
    return svg.group(*drawn)


def _sizes(figure) -> str:
    size = np.linalg.norm(figure["reaction"], axis=1)
    time = figure["time"]
    axes = Axes(770, 104, 180, 130, (0.0, float(time[-1])), nice_range(np.append(size, 0.0)))
    return svg.group(
        axes.draw("Reaction [N]", "time [s]", (2, 4)),
        axes.curve(time, size, PURPLE),
        axes.cursor(time[::2], size[::2], PURPLE, PLAYING),
    )


def _states(figure) -> str:
    x, theta = figure["states"].T
    axes = Axes(770, 326, 180, 130, nice_range(x, 3), nice_range(theta))
    return svg.group(
        axes.draw("Angle θ [rad]", "x [m]", (3, 4)),
        axes.curve(x, theta, BLUE),
        axes.dots(x[:1], theta[:1], AMBER),
        axes.cursor(x[::2], theta[::2], BLUE, PLAYING),
    )
