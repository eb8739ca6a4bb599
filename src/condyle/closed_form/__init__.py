"""The closed form of the empirical paper (H. Ehsani, 2016/2023), with its own names, as a reference.

Joints of one degree of freedom whose variables are functions f_j(q); derivatives of matrices by Kronecker
products. The dynamics that Condyle compiles are found another way (`condyle.dynamics`); tests compare the
two.
"""

from condyle.closed_form.calculus import (
    derivative,
    differential,
    differential_from_transpose,
    of_kronecker,
    of_multiple,
    of_product,
)
from condyle.closed_form.dynamics import (
    Equations,
    equations,
    gravity_force,
    gravity_force_of,
    mass_matrix,
    mass_matrix_of,
    point_force,
    velocity_matrix,
    velocity_matrix_of,
)
from condyle.closed_form.frame import Frame
from condyle.closed_form.kinematics import Kinematics
from condyle.closed_form.matrices import elementary, kron, permutation, tilde, vec
from condyle.closed_form.multibody import Multibody, RigidBody
from condyle.closed_form.points import (
    acceleration,
    angular_velocity,
    position,
    velocity,
    virtual_displacement,
)
from condyle.closed_form.projection import eliminated, gamma_of, project
from condyle.closed_form.variables import JointVariables

__all__ = [
    "Equations",
    "Frame",
    "JointVariables",
    "Kinematics",
    "Multibody",
    "RigidBody",
    "acceleration",
    "angular_velocity",
    "derivative",
    "differential",
    "differential_from_transpose",
    "elementary",
    "eliminated",
    "equations",
    "gamma_of",
    "gravity_force",
    "gravity_force_of",
    "kron",
    "mass_matrix",
    "mass_matrix_of",
    "of_kronecker",
    "of_multiple",
    "of_product",
    "permutation",
    "point_force",
    "position",
    "project",
    "tilde",
    "vec",
    "velocity",
    "velocity_matrix",
    "velocity_matrix_of",
    "virtual_displacement",
]
