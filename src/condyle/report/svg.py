"""Scalable vector graphics as text: elements, paths through points, motion that needs no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from condyle.report.style import CSS


def number(value: float) -> str:
    """A coordinate to a hundredth of a pixel, as short as can be."""
    shown = f"{float(value):.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def element(tag: str, *content: str, **attributes: Any) -> str:
    """One element; `class_` and `stroke_width` become `class` and `stroke-width`, None is left out."""
    pairs = []
    for name, value in attributes.items():
        if value is None:
            continue
        numeric = isinstance(value, float | int | np.floating)
        shown = number(float(value)) if numeric else escape(str(value), quote=True)
        pairs.append(f' {name.rstrip("_").replace("_", "-")}="{shown}"')
    opening = f"<{tag}{''.join(pairs)}"
    return f"{opening}>{''.join(content)}</{tag}>" if content else f"{opening}/>"


def group(*content: str, **attributes: Any) -> str:
    """Elements together."""
    return element("g", *(content or ("",)), **attributes)


def text(
    x: float, y: float, string: str, class_: str = "label", anchor: str = "start", **attributes: Any
) -> str:
    """Text with its base line at (x, y)."""
    anchored = None if anchor == "start" else anchor
    return element(
        "text", escape(string, quote=False), x=x, y=y, class_=class_, text_anchor=anchored, **attributes
    )


def points(xy: np.ndarray) -> str:
    """Points (n, 2) [px] as attributes of polylines and polygons want them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in xy)


def polyline(xy: np.ndarray, **attributes: Any) -> str:
    """A line through points (n, 2) [px]."""
    return element("polyline", points=points(xy), **{"fill": "none", **attributes})


def thinned(xy: np.ndarray, tolerance: float) -> np.ndarray:
    """Fewer points (n, 2) [px] of a line, none of the others farther from it than `tolerance` (Douglas and
    Peucker).
    """
    kept = np.zeros(len(xy), dtype=bool)
    kept[[0, -1]] = True
    open_ = [(0, len(xy) - 1)]
    while open_:
        first, last = open_.pop()
        if last - first < 2:
            continue
        along, inner = xy[last] - xy[first], xy[first + 1 : last] - xy[first]
        length = max(float(along @ along), 1e-12)
        beside = inner - np.clip(inner @ along / length, 0.0, 1.0)[:, None] * along
        far = np.hypot(beside[:, 0], beside[:, 1])
        if far.max() > tolerance:
            middle = first + 1 + int(far.argmax())
            kept[middle] = True
            open_ += [(first, middle), (middle, last)]
    return xy[kept]


def smooth_path(xy: np.ndarray, closed: bool = True) -> str:
    """Path data of a smooth curve through points (n, 2) [px]: Bezier curves, tangents by chord length.

    Equal weights would make loops where points that lie close follow points that lie far apart.
    """
    chain = np.concatenate([xy, xy[:1]]) if closed else np.asarray(xy)
    chords = np.diff(chain, axis=0)
    lengths = np.maximum(np.linalg.norm(chords, axis=1, keepdims=True), 1e-9)
    slopes = chords / lengths
    before, after = (slopes[-1:], slopes[:1]) if closed else (slopes[:1], slopes[-1:])
    gaps_before, gaps_after = (lengths[-1:], lengths[:1]) if closed else (lengths[:1], lengths[-1:])
    left, right = np.concatenate([before, slopes]), np.concatenate([slopes, after])
    to_left, to_right = np.concatenate([gaps_before, lengths]), np.concatenate([lengths, gaps_after])
    tangents = (left * to_right + right * to_left) / (to_left + to_right)
    first = chain[:-1] + tangents[:-1] * lengths / 3
    second = chain[1:] - tangents[1:] * lengths / 3
    pieces = [f"M{number(chain[0][0])},{number(chain[0][1])}"]
    pieces += ["C" + points(np.stack(piece)) for piece in zip(first, second, chain[1:], strict=True)]
    return "".join(pieces) + ("Z" if closed else "")


def animate(attribute: str, values: Iterable[str], duration: float) -> str:
    """An attribute of the enclosing element runs through `values`, evenly in `duration` [s], for ever."""
    return _endless("animate", values, duration, attributeName=attribute)


def animate_transform(kind: str, values: Iterable[str], duration: float) -> str:
    """The same for a "translate" or "rotate" transform of the enclosing element."""
    return _endless("animateTransform", values, duration, attributeName="transform", type=kind)


def moving_dot(xy: np.ndarray, radius: float, colour: str, duration: float) -> str:
    """A dot that runs through places (n, 2) [px], evenly in `duration` [s]."""
    motion = [animate(name, moving(xy[:, i]), duration) for i, name in enumerate(("cx", "cy"))]
    start = {"cx": xy[0][0], "cy": xy[0][1]}
    return element("circle", *motion, **start, r=radius, fill=colour, class_="cursor")


def _endless(tag: str, values: Iterable[str], duration: float, **attributes: str) -> str:
    return element(
        tag, **attributes, values=";".join(values), dur=f"{duration:.4f}s", repeatCount="indefinite"
    )


def document(width: float, height: float, *content: str, title: str, background: bool = True) -> str:
    """A whole picture of width x height [px] that scales to its place; screen readers say `title`."""
    card = element("rect", width=width, height=height, rx=10, class_="card") if background else ""
    return element(
        "svg",
        element("title", escape(title, quote=False)),
        element("style", CSS),
        card,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
    )


def moving(values: np.ndarray, closed_loop: bool = False) -> Sequence[str]:
    """Numbers (n,) or rows (n, k) as the values of an animation."""
    rows = np.asarray(values)[:, None] if np.ndim(values) == 1 else np.asarray(values)
    shown = [" ".join(map(number, row)) for row in rows]
    return [*shown, shown[0]] if closed_loop else shown
