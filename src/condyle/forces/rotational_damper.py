"""Viscous resistance to the rotation of one body in another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from condyle.forces.base import Action, Force, Pair, Situation, not_negative_problems, pair_problems


@final
@dataclass(frozen=True)
class RotationalDamper(Force):
    """The moment -coefficient (w_body - w_reference) on `body`, its opposite on `reference` [ankle, eq. 34].

    The whole relative angular velocity counts, not its part along the joint's axes. coefficient: [N m s].
    """

    reference: str = ""
    body: str = ""
    coefficient: float = field(default=0.0, metadata={"dimension": "rotational_damping"})

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.reference, self.body)

    def act(self, situation: Situation) -> Action:
        w = situation.relative_velocity(self.reference, self.body).angular
        return Action((Pair(self.reference, self.body, -self.coefficient * w),))

    def problems(self) -> list[str]:
        found = pair_problems(self.reference, self.body)
        return found + not_negative_problems("coefficient", self.coefficient)
