"""Step-size control: the next step from this step's error, and from the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Control:
    """next = step * clip(safety * error**(-1/error_order + 3/4 memory) * error_before**memory, shrink, grow).

    error: RMS over the state of (estimate / (atol + rtol * max(|y|, |y_new|))). error_order: the power of the
    step that the estimate is proportional to. memory: the weight of the previous error (0: the standard
    controller; Hairer, Norsett and Wanner II, section IV.2, the "PI" controller). After a rejection the step
    does not grow.
    """

    error_order: int
    memory: float = 0.0
    safety: float = 0.9
    shrink: float = 0.2
    grow: float = 10.0

    @property
    def exponent(self) -> float:
        """Power of the error, positive."""
        return 1.0 / self.error_order - 0.75 * self.memory
