"""What every force element provides: wrenches between bodies, or generalised forces, of the state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import casadi as ca

from condyle.spatial import Transform


@dataclass(frozen=True)
class Motion:
    """Of a body in a reference, in the reference's axes: angular velocity, velocity of the body's origin."""

    angular: ca.SX
    linear: ca.SX


class Situation(Protocol):
    """What a force may look at. Only relative motions: so the same force serves any choice of coordinates."""

    @property
    def coordinates(self) -> Mapping[str, ca.SX]:
        """Every coordinate by its full name `joint.coordinate`."""
        ...

    @property
    def rates(self) -> Mapping[str, ca.SX]:
        """qdot of every coordinate by its full name."""
        ...

    def relative_pose(self, reference: str, body: str) -> Transform:
        """X_AB of one body in another, along the tree path between them only."""
        ...

    def relative_velocity(self, reference: str, body: str) -> Motion:
        """The motion that belongs to this pose."""
        ...


@dataclass(frozen=True)
class Pair:
    """`moment` [N m] about the origin of `body` and `force` [N] through it, in axes of `reference`.

    They act on `body`, the opposite wrench acts on `reference`.
    """

    reference: str
    body: str
    moment: ca.SX
    force: ca.SX = field(default_factory=lambda: ca.SX(3, 1))


@dataclass(frozen=True)
class Action:
    """What a force does in one state.

    generalised: [N m or N] by full name of the coordinate at which it acts; its power is force times rate.
    potential: energy [J] that its conservative part stores.
    """

    pairs: tuple[Pair, ...] = ()
    generalised: Mapping[str, ca.SX] = field(default_factory=dict)
    potential: ca.SX = field(default_factory=lambda: ca.SX(1, 1))


@dataclass(frozen=True)
class Force(ABC):
    """A force element; it acts in every quantity that loads enter, in either formulation."""

    name: str

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies that it touches (for the checks)."""
        return ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Full names of the coordinates that it touches (for the checks)."""
        return ()

    @abstractmethod
    def act(self, situation: Situation) -> Action:
        """Loads and stored energy, once differentiable."""

    def problems(self) -> list[str]:
        """What is wrong with the force's own numbers, as sentences."""
        return []


def pair_problems(reference: str, body: str) -> list[str]:
    """A pair needs two bodies."""
    missing = [label for label, name in (("reference", reference), ("body", body)) if not name]
    if missing:
        return [f"{label} is missing: name a body or the ground" for label in missing]
    return [f"reference and body are both {body!r}; they must differ"] if reference == body else []


def not_negative_problems(label: str, value: object) -> list[str]:
    """A coefficient must not be negative; promoted ones are not judged."""
    wrong = not isinstance(value, ca.SX) and not value >= 0  # type: ignore[operator]
    return [f"{label} must not be negative, found {value}"] if wrong else []
