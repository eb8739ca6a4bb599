"""Findings F1 to F7 and F14 of the ankle paper, measured on the runs without a cone; each a claim."""

from __future__ import annotations

import numpy as np

from condyle.library.ankle import LIMITS
from condyle.studies.ankle_runs import CLASSICAL, LENGTHS, MODIFIED, Runs
from condyle.studies.base import Claim

BOTH = (CLASSICAL, MODIFIED)
CELLS = 40  # along each side of a phase portrait


def claims(runs: Runs) -> tuple[Claim, ...]:
    """Figures 10, 12, 13 and 20: no cone."""
    com, velocity, acceleration, angles = (
        [runs.of(what, length, "free") for length in BOTH]
        for what in ("com", "velocity", "acceleration", "angles")
    )
    low, high = ([getattr(path, side)(axis=0) for path in com] for side in ("min", "max"))
    ends = max(np.abs((low[0] - low[1])[[0, 2]]).max(), np.abs((high[0] - high[1])[[0, 2]]).max())
    first = runs.times <= 1.0
    together = [correlation(velocity[0][:, k], velocity[1][:, k]) for k in (0, 2)]
    apart = correlation(velocity[0][first, 1], velocity[1][first, 1])
    peaks, strongest = (
        [np.abs(motion).max(axis=0) for motion in motions] for motions in (velocity, acceleration)
    )
    width = [float(np.ptp(path[:, 1])) for path in com]
    sideways = [mean_side(path) for path in com]
    most = [float(np.degrees(angle[:, 0].max())) for angle in angles]
    visited = [visited_cells(x[:, 1], v[:, 1]) for x, v in zip(com, velocity, strict=True)]
    less = all(peak[0][k] > peak[1][k] > 0.95 * peak[0][k] for peak in (peaks, strongest) for k in (0, 2))
    return (
        Claim(
            "F1 (fig. 10a): sagittal paths nearly equal: ranges of x and z differ by [m], "
            "correlations of vx and vz",
            "no substantial differences",
            [float(ends), *together],
            ends < 2e-3 and min(together) > 0.99,
        ),
        Claim(
            "F2 (fig. 10b, c): wider in y with the modified joint: widths classical, modified [m]",
            "modified wider",
            width,
            width[1] > width[0],
        ),
        Claim(
            "F3 (fig. 10): classical moves laterally, modified medially: middle of the range of y [m]",
            "negative, positive",
            sideways,
            sideways[0] < 0 < sideways[1],
        ),
        Claim(
            "F4 (fig. 12): vy and ay larger with the modified joint and inverted: peaks classical, modified "
            "[m/s, m/s^2], correlation of vy in the first second",
            "larger, inverted",
            [*(float(peak[1]) for peak in (*peaks, *strongest)), apart],
            peaks[1][1] > peaks[0][1] and strongest[1][1] > strongest[0][1] and apart < -0.9,
        ),
        Claim(
            "F5 (fig. 12): peaks of vx, vz, ax, az slightly higher with the classical joint: ratios "
            "modified / classical",
            "slightly below 1",
            [float(peak[1][k] / peak[0][k]) for peak in (peaks, strongest) for k in (0, 2)],
            bool(less),
        ),
        Claim(
            "F6: the limit of plantarflexion (35 deg) is exceeded without a cone: largest talocrural angles",
            "> 35 deg",
            most,
            min(most) > np.degrees(LIMITS[0]),
        ),
        Claim(
            f"F7 (fig. 13): phase portrait of y more scattered with the modified joint; the paper has no "
            f"measure, here: cells of {CELLS} x {CELLS} that (y, vy) visits in 5 s, classical, modified",
            "more scattered",
            visited,
            visited[1] > visited[0],
        ),
        _lengths(runs),
    )


def _lengths(runs: Runs) -> Claim:
    y = [runs.of("com", length, "free")[:, 1] for length in LENGTHS]
    most, width = [float(path.max()) for path in y], [float(np.ptp(path)) for path in y]
    return Claim(
        "F14 (fig. 20): longer links move the foot medially and widen its path: largest y and width [m] of "
        "the four lengths",
        "both increase",
        [most, width],
        bool((np.diff(most) > 0).all() and (np.diff(width) > 0).all()),
    )


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Of two series."""
    return float(np.corrcoef(one, other)[0, 1])


def mean_side(path: np.ndarray) -> float:
    """Middle of the range of y [m]."""
    return float(0.5 * (path[:, 1].min() + path[:, 1].max()))


def visited_cells(x: np.ndarray, y: np.ndarray) -> int:
    """Cells of a grid over the portrait's own extent that a curve enters."""
    return int((np.histogram2d(x, y, bins=CELLS)[0] > 0).sum())
