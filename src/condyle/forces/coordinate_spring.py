"""Linear spring and damper at one coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.forces.base import Action, Force, Situation, not_negative_problems


@final
@dataclass(frozen=True)
class CoordinateSpring(Force):
    """The generalised force -stiffness (q - rest) - damping qdot at `coordinate` (full name "knee.angle").

    At an angle [rad]: stiffness [N m/rad], damping [N m s/rad]; at a length [m]: [N/m], [N s/m].
    """

    coordinate: str = ""
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def act(self, situation: Situation) -> Action:
        stretch = situation.coordinates[self.coordinate] - self.rest
        resistance = self.damping * situation.rates[self.coordinate]
        stored = 0.5 * self.stiffness * stretch * stretch
        return Action((), {self.coordinate: -self.stiffness * stretch - resistance}, ca.SX(stored))

    def problems(self) -> list[str]:
        found = [] if self.coordinate else ["coordinate is missing: give its full name, such as 'knee.angle'"]
        for label in ("stiffness", "damping"):
            found += not_negative_problems(label, getattr(self, label))
        return found
