"""Holonomic constraints on a tree, one file per kind.

A spherical joint is `Ball`, a fixed one `Weld`, a point on an ellipsoid `PointOnSurface`.
"""

from condyle.constraints.ball import Ball
from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.constant_angle import ConstantAngle
from condyle.constraints.coupling import Coupling
from condyle.constraints.custom import Custom
from condyle.constraints.distance import Distance
from condyle.constraints.function_of_joint import FunctionOfJoint
from condyle.constraints.modified_universal import ModifiedUniversal
from condyle.constraints.point_on_surface import PointOnSurface
from condyle.constraints.revolute import Revolute
from condyle.constraints.universal import Universal
from condyle.constraints.vector_to_link import VectorToLink
from condyle.constraints.weld import Weld

__all__ = [
    "Ball",
    "Configuration",
    "ConstantAngle",
    "Constraint",
    "Coupling",
    "Custom",
    "Distance",
    "FunctionOfJoint",
    "ModifiedUniversal",
    "PointOnSurface",
    "Revolute",
    "Universal",
    "VectorToLink",
    "Weld",
]
