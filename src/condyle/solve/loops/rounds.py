"""Reasons to hand over to Python between rounds."""

from __future__ import annotations

from condyle.solve.native.language import native
from condyle.solve.state import BUDGET, HUNGRY, IDLE, LOG_FULL, State


@native
def interrupted(s: State) -> int:
    """LOG_FULL, HUNGRY (idle lane, empty queue, but members are left elsewhere) or BUDGET."""
    if s.log_rows + s.n_events * s.width > s.log_capacity:
        return LOG_FULL
    if s.more and s.queue_next == s.queue_stop:
        for lane in range(s.width):
            if s.phase[lane] == IDLE:
                return HUNGRY
    return BUDGET
