"""Holonomic constraints on a tree, one file per kind."""

from condyle.constraints.ball import Ball
from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.coupling import Coupling
from condyle.constraints.custom import Custom
from condyle.constraints.point_on_surface import PointOnSurface
from condyle.constraints.weld import Weld

__all__ = ["Ball", "Configuration", "Constraint", "Coupling", "Custom", "PointOnSurface", "Weld"]
