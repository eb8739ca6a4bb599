"""The result of a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Occurrences:
    """Zeros of event functions, in the order of members, then of time: k of them.

    member: index into the flattened batch; index: of the event function; time [s]; state (k, n).
    """

    member: np.ndarray
    index: np.ndarray
    time: np.ndarray
    state: np.ndarray

    def of(self, member: int) -> Occurrences:
        """Those of one member (its index in the flattened batch)."""
        chosen = self.member == member
        return Occurrences(self.member[chosen], self.index[chosen], self.time[chosen], self.state[chosen])


@final
@dataclass(frozen=True, eq=False)
class Trajectories:
    """States of every member at the output times, and how each member fared. "..." are the batch axes.

    times (nt,); states (..., nt, n), NaN beyond the end of a member that stopped early;
    status (...): values of `condyle.status.Status`;
    steps, rejections, evaluations (...): accepted steps, rejected ones, evaluations of the right-hand side;
    final_time (...), final_state (..., n): where each member ended, its last good state if it failed;
    closing_solves, closing_steps, closing_most (...): how often states that follow from the others were
    solved for, Newton steps in all, and the most of one solution;
    position_residual, velocity_residual (...): the largest constraint residual left after projection;
    events: zeros of the event functions.
    """

    times: np.ndarray
    states: np.ndarray
    status: np.ndarray
    steps: np.ndarray
    rejections: np.ndarray
    evaluations: np.ndarray
    closing_steps: np.ndarray
    closing_solves: np.ndarray
    closing_most: np.ndarray
    final_time: np.ndarray
    final_state: np.ndarray
    position_residual: np.ndarray
    velocity_residual: np.ndarray
    events: Occurrences

    @property
    def succeeded(self) -> np.ndarray:
        """(...) whether a member reached the end, or the event that ends it."""
        from condyle.status import Status

        return (self.status == Status.OK) | (self.status == Status.EVENT)
