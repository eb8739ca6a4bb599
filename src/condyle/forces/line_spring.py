"""Spring and damper along the line between two points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import casadi as ca

from condyle.forces.base import Action, Force, Pair, Situation, not_negative_problems, pair_problems
from condyle.spatial import constant, cross
from condyle.spatial.placement import Vector3

_MET = 1e-24  # squared distance [m^2] below which the line has no direction


@final
@dataclass(frozen=True)
class LineSpring(Force):
    """A tension stiffness (l - rest) + damping dl/dt between a point of `reference` and one of `body`.

    point_a on `reference`, point_b on `body`, each in its body's axes [m]; l: their distance. stiffness
    [N/m], damping [N s/m], rest [m]. Where the points meet, the line has no direction and nothing acts.
    """

    reference: str = ""
    body: str = ""
    point_a: Vector3 = (0.0, 0.0, 0.0)
    point_b: Vector3 = (0.0, 0.0, 0.0)
    stiffness: float = field(default=0.0, metadata={"dimension": "stiffness"})
    damping: float = field(default=0.0, metadata={"dimension": "damping"})
    rest: float = field(default=0.0, metadata={"dimension": "length"})

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.reference, self.body)

    def act(self, situation: Situation) -> Action:
        X = situation.relative_pose(self.reference, self.body)
        arm = ca.mtimes(X.R, constant(self.point_b))
        d = X.p + arm - constant(self.point_a)
        square = ca.dot(d, d)
        apart = square > _MET
        length = ca.sqrt(ca.if_else(apart, square, _MET))
        stretch = length - self.rest
        tension = self.stiffness * stretch
        if isinstance(self.damping, ca.SX) or self.damping:
            motion = situation.relative_velocity(self.reference, self.body)
            tension = tension + self.damping * ca.dot(d, motion.linear + cross(motion.angular, arm)) / length
        force = -ca.if_else(apart, tension / length, 0) * d
        stored = 0.5 * self.stiffness * stretch * stretch
        return Action((Pair(self.reference, self.body, cross(arm, force), force),), potential=ca.SX(stored))

    def problems(self) -> list[str]:
        found = pair_problems(self.reference, self.body)
        for label in ("stiffness", "damping", "rest"):
            found += not_negative_problems(label, getattr(self, label))
        return found
