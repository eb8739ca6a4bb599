"""Figure 7: alpha-carbon traces, open and closed; the force that drives the hinge, the load that it bears."""

from __future__ import annotations

import numpy as np

from condyle.report import svg
from condyle.report.axes import Axes, nice_range
from condyle.report.style import AMBER, BLUE, GREEN, INK, PURPLE
from condyle.report.view import View, finer, looking, mixed
from condyle.studies import StudyResult

WIDTH, HEIGHT = 980, 676
PIECES = 3  # of the trace between two alpha carbons
GAP = 1  # residues that follow one another differ by this; elsewhere the trace is broken


def draw(result: StudyResult) -> str:
    """Both conformations from the same place, and two diagrams below."""
    figures = result.figures
    shapes = figures["conformations"]
    stationary = np.asarray(shapes["stationary"], dtype=float)
    opened, closed = (np.asarray(shapes[name], dtype=float) for name in ("mobile_open", "mobile_closed"))
    axis = np.asarray(figures["axis"], dtype=float)
    axes = _axes(axis, stationary, opened)
    every = np.concatenate([stationary, opened, closed])
    center = 0.5 * (every.max(axis=0) + every.min(axis=0))
    parts = [
        svg.text(24, 34, "LAO binding protein: one coordinate from open to closed", "headline"),
        svg.text(
            24,
            53,
            f"the mobile lobe turns {figures['rotation_deg']:.1f}° about the hinge axis; alpha carbons, "
            "stationary lobe green, mobile lobe blue",
            "note",
        ),
    ]
    for left, mobile, name in ((245, opened, "open, q = 0"), (735, closed, "closed, q = 1")):
        view = View(axes, center, (left, 250), 6.0)
        parts += [
            _axis(view, axis, figures, stationary, opened),
            _traces(view, shapes, stationary, mobile),
            svg.text(left, 466, name, "title", "middle"),
        ]
    parts += [_force(figures), _loads(figures)]
    return svg.document(WIDTH, HEIGHT, *parts, title="LAO binding protein, open and closed")


def _axes(axis: np.ndarray, stationary: np.ndarray, mobile: np.ndarray) -> np.ndarray:
    """The eye looks nearly along the hinge axis, so that the cleft is seen; the mobile lobe lies upwards."""
    up = mobile.mean(axis=0) - stationary.mean(axis=0)
    side = np.cross(axis, up)
    return looking(axis + 0.35 * side / np.linalg.norm(side), up)


def _axis(view: View, axis: np.ndarray, figures, stationary: np.ndarray, mobile: np.ndarray) -> str:
    """The screw axis of the displacement, through the points that it does not move sideways."""
    t = np.asarray(figures["translation_pdb_origin_angstrom"], dtype=float)
    angle = np.radians(figures["rotation_deg"])
    across = t - (t @ axis) * axis
    on_axis = 0.5 * (across + np.cross(axis, across) / np.tan(0.5 * angle))
    middle = 0.5 * (stationary.mean(axis=0) + mobile.mean(axis=0))
    foot = on_axis + ((middle - on_axis) @ axis) * axis
    ends = view.pixels(np.array([foot - 34 * axis, foot + 34 * axis]))
    line = svg.polyline(ends, stroke=AMBER, stroke_width=5, stroke_linecap="round", stroke_opacity=0.8)
    return line + svg.text(ends[1][0] + 8, ends[1][1] + 4, "hinge axis", "note")


def _traces(view: View, shapes, stationary: np.ndarray, mobile: np.ndarray) -> str:
    """Tubes of both lobes, far pieces first; each piece has a dark rim, paler with distance."""
    pieces = []
    for places, residues, colour in (
        (stationary, shapes["stationary_residues"], GREEN),
        (mobile, shapes["mobile_residues"], BLUE),
    ):
        breaks = np.flatnonzero(np.diff(np.array(residues, dtype=int)) > GAP) + 1
        for run in np.split(np.asarray(places), breaks):
            if len(run) > 1:
                curve = finer(run, PIECES)
                starts = range(0, len(curve) - 1, PIECES)
                pieces += [(curve[max(0, i - 1) : i + PIECES + 2], i > 0, colour) for i in starts]
    depths = np.array([view.depth(places).mean() for places, _, _ in pieces])
    nearness = (depths - depths.min()) / (depths.max() - depths.min())
    drawn = []
    for index in np.argsort(depths):
        places, overlaps, colour = pieces[index]
        seen = view.pixels(places)
        own = seen[int(overlaps) : int(overlaps) + PIECES + 1]
        fade = 0.55 * (1 - nearness[index])
        rim, fill = mixed(mixed(colour, "#000000", 0.5), "#ffffff", fade), mixed(colour, "#ffffff", fade)
        # The inside reaches over the neighbours' ends, so that no rim crosses the tube.
        drawn.append(svg.polyline(own, stroke=rim, stroke_width=6.6))
        drawn.append(svg.polyline(seen, stroke=fill, stroke_width=4.4, stroke_linecap="round"))
    return svg.group(*drawn, stroke_linejoin="round")


def _force(figures) -> str:
    time = 1e9 * np.asarray(figures["time"])
    force = 1e21 * np.asarray(figures["net_force"])
    axes = Axes(90, 526, 350, 100, (0.0, float(time[-1])), nice_range(force))
    return svg.group(
        axes.draw("Net generalised force on q [10⁻²¹ J]", "time [ns] (the paper gives no time scale)"),
        axes.curve(time, force, PURPLE),
    )


def _loads(figures) -> str:
    time = 1e9 * np.asarray(figures["time"])
    force = 1e12 * np.linalg.norm(np.asarray(figures["bearing_force"]), axis=1)
    axes = Axes(580, 526, 350, 100, (0.0, float(time[-1])), nice_range(np.append(force, 0.0)))
    return svg.group(axes.draw("Bearing load of the hinge [pN]", "time [ns]"), axes.curve(time, force, INK))
