"""Space seen from afar: parallel projection, depth, shading."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condyle.report import svg


@dataclass(frozen=True)
class View:
    """The eye's axes; the place that falls on `middle` [px]; pixels per unit of length."""

    axes: np.ndarray  # (3, 3), rows right, up, toward the eye
    center: np.ndarray  # (3)
    middle: tuple[float, float]
    scale: float

    def pixels(self, places: np.ndarray) -> np.ndarray:
        """(..., 2) of places (..., 3)."""
        seen = (np.asarray(places) - self.center) @ self.axes[:2].T
        return np.array(self.middle) + seen * self.scale * np.array([1.0, -1.0])

    def depth(self, places: np.ndarray) -> np.ndarray:
        """(...): larger is nearer to the eye, in units of the world."""
        return (np.asarray(places) - self.center) @ self.axes[2]

    def arrow(self, start: np.ndarray, end: np.ndarray, colour: str, width: float = 2.0) -> str:
        """An arrow between two places (3)."""
        return arrow(self.pixels(start), self.pixels(end), colour, width)


def looking(toward: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Rows right, up, toward the eye (3, 3) for an eye in direction `toward` that sees `up` upwards."""
    z = np.asarray(toward, dtype=float) / np.linalg.norm(toward)
    x = np.cross(up, z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z])


def arrow(start: np.ndarray, end: np.ndarray, colour: str, width: float = 2.0) -> str:
    """An arrow between two points (2) [px], its head part of its length."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 1e-9:
        return ""
    along = along / length
    across = np.array([-along[1], along[0]])
    head = min(0.6 * length, 4.0 * width)
    neck = end - head * along
    shaft = svg.element(
        "line", x1=start[0], y1=start[1], x2=neck[0], y2=neck[1], stroke=colour, stroke_width=width
    )
    corners = np.array([end, neck + 0.42 * head * across, neck - 0.42 * head * across])
    return shaft + svg.element("polygon", points=svg.points(corners), fill=colour)


def mixed(colour: str, other: str, share: float) -> str:
    """`colour` with a share of the `other`, both "#rrggbb"."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * min(1.0, max(0.0, share))):02x}" for a, b in pairs)


def finer(places: np.ndarray, pieces: int) -> np.ndarray:
    """A smooth curve (m, 3) through places (n, 3), `pieces` times as fine (Catmull-Rom)."""
    ends = np.concatenate([places[:1], places, places[-1:]])
    t = np.arange(pieces)[:, None] / pieces
    basis = np.concatenate(
        [-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, t**3 - t**2], axis=1
    )
    windows = np.stack([ends[i : len(ends) - 3 + i] for i in range(4)], axis=1)  # (n - 1, 4, 3)
    curve = 0.5 * np.einsum("pk,nkj->npj", basis, windows).reshape(-1, 3)
    return np.concatenate([curve, places[-1:]])
