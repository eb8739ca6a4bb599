"""What every holonomic constraint provides: residuals g = 0 of poses of bodies, or of coordinates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import casadi as ca

from condyle.spatial import Transform


class Configuration(Protocol):
    """What a constraint may look at: poses of bodies in ground, and coordinates by full name."""

    @property
    def coordinates(self) -> Mapping[str, ca.SX]:
        """Every coordinate by its full name `joint.coordinate`."""
        ...

    def pose(self, body: str) -> Transform:
        """X_GB, the body frame in ground."""
        ...

    def relative_pose(self, reference: str, body: str) -> Transform:
        """X_AB of one body in another, along the tree path between them only."""
        ...

    def relative_euler_parameters(self, reference: str, body: str) -> ca.SX:
        """p_AB (4), scalar first: the product of what the joints state, continuous in the coordinates."""
        ...


@dataclass(frozen=True)
class Constraint(ABC):
    """Equations g(q) = 0 that hold between bodies of the tree; the multipliers are conjugate to g."""

    name: str

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of scalar equations."""

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies that it touches (for the checks)."""
        return ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Full names of the coordinates that it touches (for the checks)."""
        return ()

    @abstractmethod
    def residual(self, configuration: Configuration) -> ca.SX:
        """g (size x 1); lengths in m, angles as their sines or in rad."""

    def problems(self) -> list[str]:
        """What is wrong with the constraint's own numbers, as sentences."""
        return []
