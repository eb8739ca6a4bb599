"""Back onto the manifold: Euler parameters to unit length, constraints to the tolerance."""

from __future__ import annotations

from math import sqrt

from condyle.kernels.by_address import call
from condyle.solve.loops.sweeps import copy_lane
from condyle.solve.native.language import native
from condyle.solve.state import NOT_CONVERGED, POINTER_BYTES, RESIDUAL, SINGULAR, SPARE, State

ITERATIONS = 20


@native
def normalise(s: State, row: int) -> None:
    """Scale each group of four Euler parameters of the masked lanes to unit length."""
    for group in range(s.n_units):
        first = s.units[group] * s.width
        for lane in range(s.width):
            if s.masked[lane]:
                at = first + lane
                square = 0.0
                for entry in range(at, at + 4 * s.width, s.width):
                    square += s.work[row, entry] * s.work[row, entry]
                scale = 1.0 / sqrt(square)
                for entry in range(at, at + 4 * s.width, s.width):
                    s.work[row, entry] *= scale


@native
def project(s: State, kernel: int, pointers: int, row: int, tolerance: float) -> None:
    """Newton steps of the masked lanes until their residual is within the tolerance.

    A lane that does not get there in 20 steps fails. flow[RESIDUAL] is left at the residual of the states
    that
    are kept: a lane that is done is evaluated again, unchanged, while others move.
    """
    for lane in range(s.width):
        s.searching[lane] = s.masked[lane]
    for iteration in range(ITERATIONS + 1):
        call(kernel, s.pointers + POINTER_BYTES * pointers, 1)
        moving = 0
        for lane in range(s.width):
            if s.searching[lane]:
                residual = s.flow[RESIDUAL, lane]
                if residual <= tolerance:
                    s.searching[lane] = 0
                elif iteration == ITERATIONS or residual != residual:
                    s.searching[lane] = 0
                    s.failed[lane] = NOT_CONVERGED if residual == residual else SINGULAR
                else:
                    copy_lane(s, SPARE, row, lane)
                    s.changed[lane] = 1
                    moving += 1
        if moving == 0:
            break
