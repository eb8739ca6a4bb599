"""The ankle with the modified joint, free, 5 s at tolerance 1e-10: two coordinates, and three bodies.

A run is one public call, `simulate`, with outputs at the start and the end. Its error is the distance of the
foot's mass centre at 5 s from a run of the two angles at 1e-13. At equal error means: a peer's time over that
of Condyle at the loosest tolerance, of the powers of ten, with which it errs no more than the peer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import condyle as cd
from condyle.analyses import Baumgarte
from condyle.bench.agreement import agreement
from condyle.bench.peers import ADVICE, exudyn_ankle_peer, scipy_ankle_peer
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.timing import Timing
from condyle.library.ankle import ankle, ankle_bodies
from condyle.solve import DormandPrince853
from condyle.studies.rounds import in_turn

DURATION, RTOL, EXACT = 5.0, 1e-10, 1e-13
LADDER = tuple(10.0**-k for k in range(3, 14))
EXUDYN_STEPS = 4000
ROUNDS = 9
#: A peer's place is compared to this share of its largest entry before anything is timed.
EXPLICIT, IMPLICIT = 1e-8, 1e-3

Place = Callable[[], np.ndarray]


def minimal(sizes: Sizes) -> Row:
    """Two pins and a massless link."""
    own = _runs(cd.compile(ankle()))
    peers: dict[str, Place | None] = {
        "scipy": scipy_ankle_peer("two angles", DURATION, RTOL),
        "exudyn": exudyn_ankle_peer("tree", DURATION, RTOL),
    }
    row = _row("ankle_minimal", own, peers, {"scipy": EXPLICIT, "exudyn": EXPLICIT}, sizes)
    row.at_most(row.condyle, 20.0)
    return row


def absolute(sizes: Sizes) -> Row:
    """Three bodies, Euler parameters, Baumgarte's stabilisation."""
    own = _runs(cd.compile(ankle_bodies()))
    peers: dict[str, Place | None] = {
        "scipy": scipy_ankle_peer("three bodies", DURATION, RTOL),
        "exudyn": exudyn_ankle_peer("bodies", DURATION, EXUDYN_STEPS),
    }
    row = _row("ankle_absolute", own, peers, {"scipy": EXPLICIT, "exudyn": IMPLICIT}, sizes)
    row.at_most(row.condyle, 150.0)
    return row


def _runs(mechanism: cd.Mechanism) -> Callable[[float], Place]:
    """rtol -> a run that returns the place of the foot."""
    start = mechanism.default_state()
    options: dict[str, Any] = {"stabilisation": Baumgarte(5.0, 5.0)} if mechanism.constrained else {}

    def at(rtol: float) -> Place:
        tolerances: dict[str, Any] = {"rtol": rtol, "atol": rtol * 1e-2, "method": DormandPrince853()}

        def run() -> np.ndarray:
            found = cd.simulate(mechanism, *start, [0.0, DURATION], **tolerances, **options)
            return mechanism.center_of_mass(found.q[-1])["foot"]

        return run

    return at


def _row(
    name: str,
    own: Callable[[float], Place],
    peers: Mapping[str, Place | None],
    bounds: Mapping[str, float],
    sizes: Sizes,
) -> Row:
    row = Row(name, "ms per 5 s")
    exact = _runs(cd.compile(ankle()))(EXACT)()
    errors = {rtol: _distance(own(rtol)(), exact) for rtol in LADDER}
    row.figures["agreement"] = agreement("place at 1e-10", own(RTOL)(), exact, EXPLICIT)
    contenders: dict[str, tuple[Callable[[], object], int]] = {"condyle": (own(RTOL), 1)}
    equal, peer_errors = {}, {}
    for peer, run in peers.items():
        if run is None:
            row.notes.append(f"{peer} {ADVICE}")
            continue
        place = run()
        row.figures[f"agreement_{peer}"] = agreement(f"place by {peer}", place, exact, bounds[peer])
        peer_errors[peer] = _distance(place, exact)
        equal[peer] = next((rtol for rtol in LADDER if errors[rtol] <= peer_errors[peer]), LADDER[-1])
        contenders[peer] = (run, 1)
        contenders[f"condyle at {equal[peer]:.0e}"] = (own(equal[peer]), 1)
    found = in_turn(contenders, min(sizes.rounds, ROUNDS))
    seconds = {who: np.percentile(times, (50, 25, 75)) for who, times in found.seconds.items()}
    row.condyle = float(seconds["condyle"][0]) * 1e3
    for peer, rtol in equal.items():
        row.compare(peer, float(seconds[peer][0]) * 1e3, float(seconds[f"condyle at {rtol:.0e}"][0]) * 1e3)
    row.figures |= {
        "error_m": errors[RTOL],
        "peer_error_m": peer_errors,
        "condyle_tolerance_at_equal_error": equal,
        "condyle_ms_at_equal_error": {
            peer: float(seconds[f"condyle at {rtol:.0e}"][0]) * 1e3 for peer, rtol in equal.items()
        },
    }
    row.spread({who: Timing(*(float(x) for x in times)) for who, times in seconds.items()}, 1e3)
    return row


def _distance(place: np.ndarray, exact: np.ndarray) -> float:
    return float(np.linalg.norm(place - exact))
