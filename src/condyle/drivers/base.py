"""What every driver provides: residuals of poses and of targets, numbers that are prescribed over time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca

if TYPE_CHECKING:
    from condyle.constraints.base import Configuration


@dataclass(frozen=True)
class Driver(ABC):
    """Equations Phi(q, targets) = 0 that guide freedoms which the joints leave.

    A driver states Phi and nothing else: its Jacobian, nu and gamma [000-2, 3] follow by differentiation,
    with the rates and accelerations of the targets as inputs. So data of a motion never enter compiled code.
    """

    name: str

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of scalar equations."""

    @property
    @abstractmethod
    def targets(self) -> tuple[str, ...]:
        """Names of the prescribed numbers, without the driver's own name."""

    @property
    def freedoms(self) -> int:
        """Number of freedoms that it guides: `size`, unless rows repeat each other."""
        return self.size

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies that it touches; the driven one (the child) last."""
        return ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Full names of the coordinates that it touches."""
        return ()

    @property
    def orientation(self) -> bool:
        """Whether the targets are Euler parameters p* (4), which must be unit and continuous in sign."""
        return False

    @abstractmethod
    def residual(self, configuration: Configuration, targets: ca.SX) -> ca.SX:
        """Phi (size x 1)."""

    def problems(self) -> list[str]:
        """What is wrong with the driver's own numbers, as sentences."""
        return []
