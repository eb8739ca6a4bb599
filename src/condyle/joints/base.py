"""What every joint provides: a pose X_PB(q) and, where speeds are not coordinate rates, a matrix N(q)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from math import inf
from typing import Any

import casadi as ca
import numpy as np

from condyle.joints.checks import coordinate_problems
from condyle.spatial import Placement, Transform


@dataclass(frozen=True)
class Coordinate:
    """Default value, range (rad or m) and lock of one coordinate; `name` is the part after the dot."""

    name: str
    default: float = 0.0
    range: tuple[float, float] = (-inf, inf)
    locked: bool = False


@dataclass(frozen=True)
class Joint(ABC):
    """The motion that a child body B is granted relative to its parent P [mobilizers, eq. 1-4].

    P is fixed on the parent by `parent_frame`, B on the child by `child_frame`. `coordinates` overrides the
    defaults of some or all coordinates, by name. Speeds u: `qdot = N(q) u`; `V = H(q) u` is the velocity of
    B in P, angular first, about B's origin, in P axes.

    A joint must state `coordinate_names` and `pose`, and `rate_matrix` where its speeds are not coordinate
    rates; `hinge` and the bias then follow by differentiation.
    """

    name: str
    parent: str
    child: str
    parent_frame: Placement = Placement()
    child_frame: Placement = Placement()
    coordinates: tuple[Coordinate, ...] = ()

    def __post_init__(self) -> None:
        for name, value in self.settled().items():
            object.__setattr__(self, name, value)
        for field in fields(self):
            object.__setattr__(self, field.name, _as_tuples(getattr(self, field.name)))
        named = (self.coordinates,) if isinstance(self.coordinates, str) else self.coordinates
        settled = tuple(Coordinate(given) if isinstance(given, str) else given for given in named)
        object.__setattr__(self, "coordinates", settled)

    def settled(self) -> dict[str, Any]:
        """Fields that are stored in another form than they may be given in."""
        return {}

    @property
    @abstractmethod
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of q in order, without the joint's own name."""

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Names of u in order; those of q, unless N is not the identity."""
        return self.coordinate_names

    @property
    def coordinate_defaults(self) -> tuple[float, ...]:
        """Default of each coordinate, where `coordinates` says nothing."""
        return (0.0,) * len(self.coordinate_names)

    @abstractmethod
    def pose(self, q: ca.SX) -> Transform:
        """X_PB(q) [eq. 1]; q (nq x 1) symbols, for joints differentiate with respect to them."""

    def equations(self, X_PB: Transform) -> ca.SX | None:
        """Implicit equations (6 - nu) of the joint in the relative pose: 0 where some q gives it.

        None: there is no closed form; a joint without equations has none (0 x 1). Lengths in m, directions by
        their cosines. As for any implicit form, poses far from the joint's may satisfy them too (a pin's axes
        may be opposed): they are meant for poses that are continued from an assembled one.
        """
        return None

    @property
    def forward(self) -> Joint:
        """The joint as it was described, before any reversal."""
        return self

    def rate_matrix(self, q: ca.SX) -> ca.SX | None:
        """N(q) (nq x nu) [eq. 4]; None stands for the identity."""
        return None

    def hinge(self, q: ca.SX) -> ca.SX | None:
        """H(q) (6 x nu), P axes, about B's origin [eq. 2]; None: derived from `pose`.

        A closed form is kept only where it makes the graph smaller; the law tests compare it with the
        derived one.
        """
        return None

    def bias(self, q: ca.SX, u: ca.SX) -> ca.SX | None:
        """Hdot u (6), the derivative of H taken in P [eq. 3]; None: derived from H, as for `hinge`."""
        return None

    def euler_parameters(self, q: ca.SX) -> ca.SX | None:
        """Euler parameters (4) of R_PB(q), continuous in q; None: the joint does not state them."""
        return None

    def turning_axes(self, R_PB: ca.SX) -> ca.SX | None:
        """Axes (3 x nu, P axes) about which its speeds turn B, from the orientation alone.

        None: some speed does not only turn, or the orientation does not tell; so by default.
        """
        return None

    @property
    def unit_groups(self) -> tuple[int, ...]:
        """Start indices in q of groups of four Euler parameters."""
        return ()

    def data_range(self, index: int) -> tuple[float, float] | None:
        """Interval of this coordinate that the data of the joint's functions cover; None: defined
        everywhere.
        """
        return None

    def own_problems(self) -> list[str]:
        """What is wrong with the numbers of this kind of joint, as sentences."""
        return []

    def problems(self) -> list[str]:
        """Everything that is wrong with this joint by itself, as sentences."""
        frames = [f"parent_frame: {problem}" for problem in self.parent_frame.problems()]
        frames += [f"child_frame: {problem}" for problem in self.child_frame.problems()]
        return [*self.own_problems(), *frames, *coordinate_problems(self)]

    def coordinate(self, index: int) -> Coordinate:
        """Default, range and lock of the coordinate with this index."""
        name = self.coordinate_names[index]
        for given in self.coordinates:
            if given.name == name:
                return given
        return Coordinate(name, self.coordinate_defaults[index])


def _as_tuples(value: Any) -> Any:
    """Lists and arrays as tuples of floats: joints are values that compare and hash."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(_as_tuples(item) for item in value) if isinstance(value, list | tuple) else value
