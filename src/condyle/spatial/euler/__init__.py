"""Euler parameters p = (e0, e): matrices, rates, products, rows of constraints, forces, angles.

Every formula is written once and holds for CasADi expressions and for NumPy arrays with leading axes.
"""

from condyle.spatial.euler.continuous_sign import with_continuous_sign
from condyle.spatial.euler.forces import (
    parameter_force,
    parameter_force_from_body,
    torque,
    torque_in_body,
)
from condyle.spatial.euler.least_rotation import least_rotation
from condyle.spatial.euler.matrices import G, L, L_star, R_star, bar, plus, tilde
from condyle.spatial.euler.normality import Normality, dependent_parameter
from condyle.spatial.euler.orientation import (
    centripetal,
    orientation,
    orientation_of_axis,
    orientation_rate,
    point_acceleration,
    point_matrix,
)
from condyle.spatial.euler.rates import (
    angular_acceleration,
    angular_acceleration_in_body,
    angular_velocity,
    angular_velocity_in_body,
    rate,
    rate_from_body,
    second_rate,
    second_rate_from_body,
)
from condyle.spatial.euler.relative import (
    conjugate,
    product,
    relative,
    relative_rate,
    relative_second_rate,
)
from condyle.spatial.euler.rows import (
    along_parameters,
    angular_bias,
    angular_rows,
    parameter_bias,
    parameter_rows,
    rows_in_body_axes,
    rows_in_ground_axes,
)
from condyle.spatial.euler.sequences import (
    SEQUENCES,
    parameters_from_sequence,
    rate_matrix,
    regularity,
    sequence_from_parameters,
)

__all__ = [
    "SEQUENCES",
    "G",
    "L",
    "L_star",
    "Normality",
    "R_star",
    "along_parameters",
    "angular_acceleration",
    "angular_acceleration_in_body",
    "angular_bias",
    "angular_rows",
    "angular_velocity",
    "angular_velocity_in_body",
    "bar",
    "centripetal",
    "conjugate",
    "dependent_parameter",
    "least_rotation",
    "orientation",
    "orientation_of_axis",
    "orientation_rate",
    "parameter_bias",
    "parameter_force",
    "parameter_force_from_body",
    "parameter_rows",
    "parameters_from_sequence",
    "plus",
    "point_acceleration",
    "point_matrix",
    "product",
    "rate",
    "rate_from_body",
    "rate_matrix",
    "regularity",
    "relative",
    "relative_rate",
    "relative_second_rate",
    "rows_in_body_axes",
    "rows_in_ground_axes",
    "second_rate",
    "second_rate_from_body",
    "sequence_from_parameters",
    "tilde",
    "torque",
    "torque_in_body",
    "with_continuous_sign",
]
