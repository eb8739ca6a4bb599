"""The struct of the Newton loop: numbers and arrays that Python and the compiled loop share."""

from __future__ import annotations

from condyle.solve.native.language import Floats1, Floats2, Floats3, Ints1, Ints2

# Rows of the pointer table.
RESIDUAL, JACOBIAN = range(2)


class NewtonState:
    """Unknowns (n), residuals (m) and the Jacobian (m, n) are [row][lane]; kernels are addresses."""

    n: int
    m: int
    width: int
    n_parameters: int
    residual_kernel: int
    jacobian_kernel: int
    pointers: int
    tolerance: float
    step_tolerance: float
    max_iterations: int
    # problem and results, one row per member
    initial: Floats2
    parameters: Floats2
    order: Ints1
    queue_next: int
    queue_stop: int
    solution: Floats2
    norm: Floats1
    status: Ints1
    iterations: Ints1
    # lanes
    member: Ints1
    phase: Ints1
    stepping: Ints1
    damping: Floats1
    merit: Floats1
    promise: Floats1
    # work
    trial: Floats1
    residual: Floats1
    jacobian: Floats1
    parameter_lanes: Floats1
    accepted: Floats2
    matrix: Floats3
    pivots: Ints2
    vector: Floats2
