"""Rotations, Euler parameters, transforms and inertia as CasADi expressions with structural zeros."""

from condyle.spatial.euler_parameters import (
    euler_parameters_from_rotation,
    euler_parameters_rate_matrix,
    rotation_from_euler_parameters,
)
from condyle.spatial.euler_product import (
    euler_conjugate,
    euler_parameters_of_sequence,
    euler_product,
    relative_euler_parameters,
)
from condyle.spatial.inertia import RigidInertia
from condyle.spatial.placement import Placement
from condyle.spatial.rotation import (
    AXES,
    axis_rotation,
    perpendiculars,
    rotation_about,
    rotation_sequence,
    sequence_from_rotation,
    unit,
)
from condyle.spatial.transform import Transform
from condyle.spatial.vectors import constant, cross, skew, vee

__all__ = [
    "AXES",
    "Placement",
    "RigidInertia",
    "Transform",
    "axis_rotation",
    "constant",
    "cross",
    "euler_conjugate",
    "euler_parameters_from_rotation",
    "euler_parameters_of_sequence",
    "euler_parameters_rate_matrix",
    "euler_product",
    "perpendiculars",
    "relative_euler_parameters",
    "rotation_about",
    "rotation_from_euler_parameters",
    "rotation_sequence",
    "sequence_from_rotation",
    "skew",
    "unit",
    "vee",
]
