"""The struct of the loop that follows a solution: numbers and arrays that Python and the compiled loop
share.
"""

from __future__ import annotations

from condyle.solve.native.language import Floats1, Floats2, Ints1


class ClosingState:
    """Given coordinates (nq), unknowns (nz) are [row][lane] where the kernel reads them; kernel is an
    address.
    """

    nq: int
    nz: int
    width: int
    n_parameters: int
    n_units: int
    kernel: int
    pointers: int
    max_steps: int
    # problem and results, one row per member
    start: Floats2
    goal: Floats2
    initial: Floats2
    parameters: Floats2
    units: Ints1
    order: Ints1
    queue_next: int
    queue_stop: int
    solution: Floats2
    reached: Floats1
    status: Ints1
    iterations: Ints1
    most: Ints1
    # lanes
    member: Ints1
    phase: Ints1
    tries: Ints1
    corrections: Ints1
    place: Floats1
    place_before: Floats1
    size: Floats1
    side: Floats1
    # work
    q: Floats1
    z: Floats1
    step: Floats1
    branch: Floats1
    parameter_lanes: Floats1
    accepted: Floats2
    accepted_before: Floats2
