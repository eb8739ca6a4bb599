"""What every scalar function of a description provides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import casadi as ca


class Function(ABC):
    """A scalar function of one or several inputs, built from numeric leaves.

    Subclasses are final frozen dataclasses whose fields are the numbers that a user gives. A leaf may be replaced by
    a symbol (a promoted parameter), so `__call__` must accept floats and SX leaves alike.
    """

    #: Number of continuous derivatives everywhere (2 is what dynamics needs; 0 must be accepted knowingly).
    continuity: ClassVar[int] = 2

    @property
    def inputs(self) -> int:
        """How many arguments `__call__` takes."""
        return 1

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        """Range of the data per input, or None where the function is defined by a formula everywhere."""
        return None

    def problems(self) -> list[str]:
        """What is wrong with the numbers, as sentences; an empty list when the function can be built."""
        return []

    @abstractmethod
    def __call__(self, *x: ca.SX) -> ca.SX:
        """Value as an expression; derivatives follow by differentiation."""
