"""Sampled data as splines with exact derivatives, holes left open."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.errors import InputError
from condyle.functions.piece_values import piece_values
from condyle.functions.quintic_spline import quintic_pieces

FEWEST = 3  # samples of one stretch


def differentiated(
    times: Any, values: Any, at: Any, longest_gap: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(value, rate, acceleration), each (frames, targets), of quintic splines through the known samples.

    One spline per stretch of samples without a hole longer than `longest_gap`; NaN elsewhere.
    """
    times, values = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    values = values[:, None] if values.ndim == 1 else values
    _check(times, values)
    at = times if at is None else np.asarray(at, dtype=float)
    known = np.flatnonzero(np.isfinite(values).all(axis=1))
    found = np.full((3, len(at), values.shape[1]), np.nan)
    holes = (np.diff(known) > 1) & (np.diff(times[known]) > longest_gap)
    for stretch in np.split(known, np.flatnonzero(holes) + 1):
        if len(stretch) < FEWEST:
            continue
        x = times[stretch]
        inside = (at >= x[0]) & (at <= x[-1])
        pieces = quintic_pieces(x.tolist(), list(values[stretch]))
        found[:, inside] = piece_values(pieces, at[inside])
    return found[0], found[1], found[2]


def _check(times: np.ndarray, values: np.ndarray) -> None:
    wrong = []
    if times.ndim != 1 or values.ndim != 2 or len(times) != len(values):
        wrong.append(
            f"times have shape {times.shape}, values {values.shape}; allowed: (frames), (frames, targets)"
        )
    elif not np.isfinite(times).all():
        wrong.append(f"{np.count_nonzero(~np.isfinite(times))} times are not finite")
    elif np.any(np.diff(times) <= 0):
        k = int(np.flatnonzero(np.diff(times) <= 0)[0])
        wrong.append(f"times must increase; times[{k}] = {times[k]} and times[{k + 1}] = {times[k + 1]}")
    elif len(times) < FEWEST:
        wrong.append(f"{len(times)} samples; at least {FEWEST} are needed")
    if wrong:
        raise InputError("; ".join(wrong))
