"""What drivers of the orientation of one body in another share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import casadi as ca

from condyle.drivers.base import Driver
from condyle.spatial import Placement, euler_conjugate, euler_product

if TYPE_CHECKING:
    from condyle.constraints.base import Configuration
    from condyle.joints.base import Joint

ORIENTATION = ("e0", "e1", "e2", "e3")


@dataclass(frozen=True)
class RotationalDriver(Driver):
    """The frame `child_frame` of `child` (body i of paper 000) in `parent_frame` of `parent` (body j).

    Of the placements only the rotations matter.
    """

    parent: str = ""
    child: str = ""
    parent_frame: Placement = Placement()
    child_frame: Placement = Placement()

    @classmethod
    def of(cls, joint: Joint, name: str = "", **options: Any) -> Self:
        """The driver of a joint's frames P and B, named after the joint unless `name` is given."""
        own = joint.forward
        return cls(name or own.name, own.parent, own.child, own.parent_frame, own.child_frame, **options)

    @property
    def bodies(self) -> tuple[str, ...]:
        return (self.parent, self.child)

    def relative(self, configuration: Configuration) -> ca.SX:
        """p_ij (4) of the two frames [000-18]."""
        p_ij = configuration.relative_euler_parameters(self.parent, self.child)
        first = euler_conjugate(self.parent_frame.euler_parameters())
        return euler_product(euler_product(first, p_ij), self.child_frame.euler_parameters())

    def problems(self) -> list[str]:
        found = [f"parent_frame: {text}" for text in self.parent_frame.problems()]
        found += [f"child_frame: {text}" for text in self.child_frame.problems()]
        if self.parent == self.child:
            found.append(f"parent and child are both {self.child!r}; two bodies are needed")
        return found
