"""What a simulation is asked to watch, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from condyle.compiled.mechanism import Mechanism
from condyle.compiled.state_status import beyond_data
from condyle.solve import Occurrences


@dataclass(frozen=True)
class StateEvent:
    """A zero of function(time, q, u), an expression: rising (+1), falling (-1) or both (0); a terminal one
    ends the member.
    """

    function: Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
    direction: int = 0
    terminal: bool = False


@dataclass(frozen=True)
class Switch:
    """At `time` member `member` (of the flattened batch) went on in other independent coordinates."""

    member: int
    time: float
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Simulation:
    """States at the output times and how each member fared; "..." are the batch axes of the given states.

    times (nt) [s]; q (..., nt, nq); u (..., nt, nu), NaN beyond the end of a member that stopped early;
    joint_values (..., nt, ns): all joint variables, those that couplings and closed loops determine too.
    status (...) of `condyle.Status`: BAD_INPUT for a start that `Mechanism.state_status` rejects, SINGULAR
    where the motion starts or ends in a singular pose; steps, rejections, evaluations (...).
    energy (..., nt): kinetic plus the potential of gravity and force elements [J]; energy_drift (...): its
    largest departure from the start, an error measure wherever no other force does work.
    constraint_residual, constraint_rate (...): largest |g| and |gdot| left at accepted steps (0 without
    constraints).
    closing_iterations (...): Newton steps of one solution of implicit couplings and loops, on average, and
    closing_most (...): the most of them (0 where nothing is solved for).
    final_time (...); events: zeros of the given events, their states as (q, u) side by side. switches: where
    other coordinates were taken on, see `simulate`.
    """

    mechanism: Mechanism
    times: np.ndarray
    q: np.ndarray
    u: np.ndarray
    status: np.ndarray
    steps: np.ndarray
    rejections: np.ndarray
    evaluations: np.ndarray
    energy: np.ndarray
    constraint_residual: np.ndarray
    constraint_rate: np.ndarray
    joint_values: np.ndarray
    closing_iterations: np.ndarray
    closing_most: np.ndarray
    final_time: np.ndarray
    events: Occurrences
    switches: tuple[Switch, ...] = ()

    @property
    def energy_drift(self) -> np.ndarray:
        """(...) max over time of |E - E(0)| [J]."""
        with np.errstate(invalid="ignore"):
            departure = np.abs(self.energy - self.energy[..., :1])
        return np.where(np.isnan(departure), 0.0, departure).max(axis=-1)

    @property
    def extrapolated(self) -> np.ndarray:
        """(...) whether some state lies outside the data of a joint's functions."""
        return np.asarray(beyond_data(self.mechanism, self.q, self.joint_values).any(axis=-1))

    def coordinate(self, name: str) -> np.ndarray:
        """(..., nt) of one joint variable, independent or not, by its full name."""
        return self.joint_values[..., self.mechanism.joint_variables.index(name)]
