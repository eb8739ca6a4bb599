"""How constraints are kept in a simulation, whose equations hold them at the level of accelerations only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import casadi as ca

from condyle.errors import InputError


@dataclass(frozen=True)
class Stabilisation(ABC):
    """What an integrator does to states, and what the equations gddot = ... are given besides 0."""

    #: Whether accepted states are moved onto g = 0.
    projects_positions: ClassVar[bool]
    #: Whether accepted speeds are moved onto gdot = 0.
    projects_velocities: ClassVar[bool]

    @abstractmethod
    def feedback(self, residual: ca.SX, rate: ca.SX) -> ca.SX | None:
        """Wanted gddot (m) where residual g and rate gdot (m) are not 0; None: 0."""


@final
@dataclass(frozen=True)
class Projection(Stabilisation):
    """Accepted states are moved onto the constraints, positions by Newton steps and speeds by a linear one,
    both smallest in the kinetic metric.
    """

    projects_positions: ClassVar[bool] = True
    projects_velocities: ClassVar[bool] = True

    def feedback(self, residual: ca.SX, rate: ca.SX) -> ca.SX | None:
        return None


@final
@dataclass(frozen=True)
class VelocityProjection(Stabilisation):
    """Accepted speeds are moved onto gdot = 0; positions drift by what the integrator errs."""

    projects_positions: ClassVar[bool] = False
    projects_velocities: ClassVar[bool] = True

    def feedback(self, residual: ca.SX, rate: ca.SX) -> ca.SX | None:
        return None


@final
@dataclass(frozen=True)
class Baumgarte(Stabilisation):
    """gddot + 2 alpha gdot + beta^2 g = 0 [1/s]: a violation decays as a damped oscillator [ankle, eq. 1].

    alpha = beta is critical damping. No state is moved, so that the equations are plain differential
    equations for any integrator.
    """

    alpha: float = 5.0
    beta: float = 5.0

    projects_positions: ClassVar[bool] = False
    projects_velocities: ClassVar[bool] = False

    def __post_init__(self) -> None:
        wrong = [
            f"{name} is {value!r}"
            for name, value in (("alpha", self.alpha), ("beta", self.beta))
            if not (isinstance(value, (int, float)) and 0 <= value < float("inf"))
        ]
        if wrong:
            raise InputError(f"Baumgarte: {'; '.join(wrong)}; allowed: finite numbers that are not negative")

    def feedback(self, residual: ca.SX, rate: ca.SX) -> ca.SX | None:
        return -2 * self.alpha * rate - self.beta**2 * residual


@final
@dataclass(frozen=True)
class Unstabilised(Stabilisation):
    """Nothing: violations grow with time, to show what the others do."""

    projects_positions: ClassVar[bool] = False
    projects_velocities: ClassVar[bool] = False

    def feedback(self, residual: ca.SX, rate: ca.SX) -> ca.SX | None:
        return None


def checked_stabilisation(given: object) -> Stabilisation:
    """The given one; anything else is an error that names the kinds."""
    if not isinstance(given, Stabilisation):
        kinds = ", ".join(kind.__name__ for kind in (Projection, VelocityProjection, Baumgarte, Unstabilised))
        raise InputError(f"stabilisation is {given!r}; allowed: one of {kinds}, as in Baumgarte(5.0, 5.0)")
    return given
