"""One status code for all analyses (docs: conventions, "Status")."""

from enum import IntEnum


class Status(IntEnum):
    """How the computation of one frame, state or member ended."""

    OK = 0
    NOT_CONVERGED = 1
    SINGULAR = 2
    INFEASIBLE = 3
    BAD_INPUT = 4
    INTERRUPTED = 5
    STEP_TOO_SMALL = 6
    TOO_MANY_STEPS = 7
    EVENT = 8
