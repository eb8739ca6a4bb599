"""One call of forward dynamics from Python, arrays in and a new array out."""

from __future__ import annotations

from condyle.bench.kernels import ABA, mechanism
from condyle.bench.peers import ADVICE, pinocchio_peer
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.states import random_states
from condyle.bench.timing import interleaved

LIMIT = 15.0


def python_call(sizes: Sizes) -> Row:
    """`mech.forward_dynamics(q, u, tau)`; the peer's call includes its binding, for that is what is asked."""
    row = Row("python_call", "us per call")
    states = random_states(mechanism(), sizes.states)
    rows = list(zip(states.q, states.u, states.third, strict=True))
    forward_dynamics = mechanism().forward_dynamics

    def calls() -> None:
        for q, u, tau in rows:
            forward_dynamics(q, u, tau)

    contenders = {"condyle": (calls, len(rows))}
    peer = pinocchio_peer()
    if peer is None:
        row.notes.append(f"pinocchio {ADVICE}")
    else:
        row.figures["agreement"] = ABA.checked(states, peer)
        contenders["pinocchio"] = (peer.calls("aba", states), len(rows))
    found = interleaved(contenders, sizes.rounds)
    row.condyle = found["condyle"].median * 1e6
    if peer is not None:
        row.compare("pinocchio", found["pinocchio"].median * 1e6)
    row.spread(found, 1e6)
    row.at_most(row.condyle, LIMIT)
    return row
