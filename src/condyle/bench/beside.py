"""An algorithm of ours timed in turn with Pinocchio's, where that is installed."""

from __future__ import annotations

from collections.abc import Callable

from condyle.bench.kernels import Algorithm
from condyle.bench.peers import ADVICE, pinocchio_peer
from condyle.bench.row import Row
from condyle.bench.states import States
from condyle.bench.timing import Timing, interleaved


def beside_pinocchio(
    row: Row,
    algorithm: Algorithm,
    states: States,
    contenders: dict[str, tuple[Callable[[], object], int]],
    target: float,
    rounds: int,
) -> dict[str, Timing]:
    """Fill the row with the times of the contenders, "condyle" first among them, and with the ratio.

    Outputs are compared at `states` first. The time of Pinocchio's binding is measured and subtracted.
    """
    peer = pinocchio_peer()
    if peer is None:
        row.notes.append(f"pinocchio {ADVICE}")
    else:
        row.figures["agreement"] = algorithm.checked(states, peer)
        contenders |= {
            "pinocchio": (peer.calls(algorithm.peer, states), len(states)),
            "pinocchio's binding": (peer.overhead(algorithm.peer, len(states)), len(states)),
        }
    found = interleaved(contenders, rounds)
    row.condyle = found["condyle"].median * 1e6
    if peer is not None:
        row.compare("pinocchio", (found["pinocchio"].median - found["pinocchio's binding"].median) * 1e6)
    row.spread(found, 1e6)
    row.at_least(target, "pinocchio")
    return found
