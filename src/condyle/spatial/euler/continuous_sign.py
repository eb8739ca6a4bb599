"""Signs of Euler parameters over time: p and -p are one orientation."""

from __future__ import annotations

from typing import Any

import numpy as np


def with_continuous_sign(p: Any) -> np.ndarray:
    """p (..., frames, 4) with each frame on the side of the one before it; the first keeps its sign.

    Needed before p(t) is interpolated, filtered or differentiated. Between neighbours that differ by more
    than half a turn the side is ambiguous: then the data are too coarse, and nothing can tell. A frame that
    is not finite is passed over.
    """
    p = np.array(p, dtype=float)
    known = np.isfinite(p).all(axis=-1)
    shape = p.shape
    p, known = p.reshape(-1, *shape[-2:]), known.reshape(-1, shape[-2])
    for series, is_known in zip(p, known, strict=True):
        frames = np.flatnonzero(is_known)
        turned = np.einsum("fk,fk->f", series[frames[:-1]], series[frames[1:]]) < 0
        series[frames[1:]] *= np.where(np.cumsum(turned) % 2, -1.0, 1.0)[:, None]
    return p.reshape(shape)
