"""Force elements between bodies or at coordinates, one file per kind."""

from condyle.forces.base import Action, Force, Motion, Pair, Situation
from condyle.forces.circumduction_cone import CircumductionCone
from condyle.forces.coordinate_spring import CoordinateSpring
from condyle.forces.line_spring import LineSpring
from condyle.forces.rotational_damper import RotationalDamper

__all__ = [
    "Action",
    "CircumductionCone",
    "CoordinateSpring",
    "Force",
    "LineSpring",
    "Motion",
    "Pair",
    "RotationalDamper",
    "Situation",
]
