"""Andrews' squeezing mechanism, 0.05 s with 1000 outputs: embedded Fourier series against multipliers."""

from __future__ import annotations

import warnings
from math import isfinite
from typing import Any

import numpy as np

from condyle.bench import squeezer
from condyle.bench.agreement import agreement
from condyle.bench.peers import ADVICE, exudyn_peer
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.library.andrews import TORQUE, andrews
from condyle.solve import TRBDF2, DormandPrince54

EXUDYN_STEPS = (2000, 4000, 8000)
ROUNDS = 9


def embedded_over_dae(sizes: Sizes) -> Row:
    """Against the fastest stabilised index-1 form of our own, with the paper's TR-BDF2."""
    row = Row("andrews_embedded_over_dae", "ms per motion")
    forms, exact = _forms(row)
    rounds = min(sizes.rounds, ROUNDS)
    found = squeezer.curves(forms, TRBDF2(), exact, rounds=rounds, members=sizes.motions)
    fourier = found["fourier"]
    row.condyle = float(fourier.seconds[-1]) * 1e3
    own_at = {"equal_tolerance": row.condyle, "equal_error": fourier.seconds_at(squeezer.ERROR) * 1e3}
    for measure, (name, ratio) in squeezer.ratios(found, forms, "fourier").items():
        row.compare(f"{name}, {measure.replace('_', ' ')}", ratio * own_at[measure], own_at[measure])
    row.figures |= {
        "condyle_equal_error": own_at["equal_error"],
        "tolerance": squeezer.TOLERANCE,
        "error": squeezer.ERROR,
        "ms_at_tolerance": {name: float(curve.seconds[-1]) * 1e3 for name, curve in found.items()},
    }
    row.target = "ratio >= 2.5 at equal tolerance, >= 1.5 at equal error"
    by_tolerance, by_error = row.ratio.values()
    row.holds = by_tolerance >= 2.5 and by_error >= 1.5
    return row


def exudyn(sizes: Sizes) -> Row:
    """Against the fastest of Exudyn's solvers at the same error; one motion per call."""
    row = Row("andrews_exudyn", "ms per motion")
    forms, exact = _forms(row)
    forms = {"fourier": forms["fourier"]}
    rounds = min(sizes.rounds, ROUNDS)
    curve = squeezer.curves(forms, TRBDF2(), exact, rounds=rounds, members=1)["fourier"]
    explicit = squeezer.curves(forms, DormandPrince54(), exact, (1e-5, 1e-6), rounds=rounds, members=1)[
        "fourier"
    ]
    row.condyle = curve.seconds_at(squeezer.ERROR) * 1e3
    row.figures |= {
        "condyle_dormand_prince54": explicit.seconds_at(squeezer.ERROR) * 1e3,
        "error": squeezer.ERROR,
    }
    row.target = "ratio to exudyn >= 5"
    peer = exudyn_peer(andrews(), {"OF": TORQUE}, "OF")
    if peer is None:
        row.notes.append(f"exudyn {ADVICE}")
        return row
    times: dict[str, Any] = {}
    for solver in peer.solvers:
        runs = [[_exudyn(peer, solver, steps) for steps in EXUDYN_STEPS] for _ in range(max(1, rounds // 3))]
        seconds = np.median([[one[0] for one in line] for line in runs], axis=0)
        errors = np.array([squeezer.rms(one[1], exact) for one in runs[0]])
        steps = np.array(EXUDYN_STEPS, dtype=float)
        times[solver] = (
            squeezer.Curve(squeezer.DURATION / steps, seconds, errors, steps).seconds_at(squeezer.ERROR) * 1e3
        )
        finest = runs[0][-1][1]
    row.figures["agreement"] = agreement("angle of the crank", exact[:, 0], finest[:, 0], 1e-5)
    reached = {name: value for name, value in times.items() if isfinite(value)}
    row.figures["exudyn"] = reached
    row.compare("exudyn", min(reached.values()))
    row.at_least(5.0, "exudyn")
    return row


def _exudyn(peer: Any, solver: str, steps: int) -> tuple[float, np.ndarray]:
    return peer.motion(solver, steps, squeezer.DURATION, squeezer.POINTS)


def _forms(row: Row) -> tuple[dict[str, squeezer.Contender], np.ndarray]:
    """The contenders, their motions compared, and the exact motion."""
    with warnings.catch_warnings():
        # Pins of a planar mechanism say the same three times over.
        warnings.filterwarnings("ignore", message=".*follow from the others")
        forms = squeezer.contenders()
        exact = squeezer.truth(forms["dae, projection"])
    # The fit's own error, through 0.05 s.
    row.figures["agreement_fourier"] = agreement(
        "angle of the crank", squeezer.truth(forms["fourier"])[:, 0], exact[:, 0], 1e-6
    )
    return forms, exact
