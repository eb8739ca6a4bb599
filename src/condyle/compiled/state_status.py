"""Whether a mechanism can be evaluated at given states, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from condyle.compiled.arguments import real_array
from condyle.status import Status

if TYPE_CHECKING:
    from condyle.compiled.mechanism import Mechanism

#: Euler parameters farther than this from unit length are a mistake, not round-off.
UNIT_TOLERANCE = 1e-3
#: Smallest relative pivot of a regular mass matrix or constraint. Pivots fall with the square of the distance from a
#: singular pose: an angle is singular within about 1e-6 rad of one.
SMALLEST_PIVOT = 1e-12
#: Largest entry of N that counts as regular: again an angle 1e-6 rad from where it grows without bound.
LARGEST_RATE = 1e6


def state_status(mechanism: Mechanism, q: Any, u: Any, parameters: Any) -> np.ndarray:
    """Status (...) per state; see `Mechanism.state_status`."""
    q = real_array("q", q, mechanism.coordinates)
    u = real_array("u", u, mechanism.speeds)
    leading = np.broadcast_shapes(q.shape[:-1], u.shape[:-1])
    bad = np.broadcast_to(_is_bad(mechanism, q), leading) | ~np.isfinite(u).all(axis=-1)
    found = mechanism._call("regularity", (q,), parameters, None)
    pivots, rates = [found[0], *found[2:]], found[1]
    with np.errstate(invalid="ignore"):
        regular = (rates < LARGEST_RATE)[..., 0]
        for pivot in pivots:
            regular = regular & (pivot > SMALLEST_PIVOT)[..., 0]
    status = np.where(bad, Status.BAD_INPUT, np.where(regular, Status.OK, Status.SINGULAR))
    return np.broadcast_to(status, np.broadcast_shapes(leading, status.shape)).copy()


def _is_bad(mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
    """NaN or infinity, Euler parameters that are not unit, coordinates that their functions' data do not cover."""
    bad = ~np.isfinite(q).all(axis=-1)
    with np.errstate(invalid="ignore"):
        for start in mechanism.tree.unit_groups:
            length = np.linalg.norm(q[..., start : start + 4], axis=-1)
            bad |= ~(np.abs(length - 1) <= UNIT_TOLERANCE)
        for link in mechanism.tree.links:
            for k in range(link.q.stop - link.q.start):
                covered = link.joint.data_range(k)
                if covered is not None:
                    value = q[..., link.q.start + k]
                    bad |= ~((value >= covered[0]) & (value <= covered[1]))
    return bad
