"""Which function each call instruction of an SX function calls.

CasADi's instruction interface tells the operands of a call but not its callee. The printed algorithm does:
its k-th line reads `[@5,[@6,@7]] = name([@0,@2],@4);` (pinned by a golden test, hence casadi>=3.8,<3.9).
"""

from __future__ import annotations

import re
from typing import Any

from condyle.kernels.program import UnknownOperation

_CALL = re.compile(r"^\[.*\] = (\w+)\(.*\);$")


def algorithm(function: Any) -> list[str]:
    """The printed instructions, one line each, in the order of the instruction interface."""
    _, found, body = function.str(True).partition("\nAlgorithm:\n")
    lines = body.splitlines()
    if not found or len(lines) != function.n_instructions():
        raise UnknownOperation(f"CasADi prints {function.name()} in a form that is not known here")
    return lines


def callees(function: Any) -> dict[int, Any]:
    """Instruction number -> casadi.Function, for every call instruction."""
    import casadi

    named: dict[str, Any] = {}
    for callee in function.find_functions(0):
        other = named.setdefault(callee.name(), callee)
        if callee.__hash__() != other.__hash__() and callee.serialize() != other.serialize():
            raise UnknownOperation(
                f"{function.name()} calls two functions that are both named {callee.name()}"
            )
    found = {}
    for k, line in enumerate(algorithm(function)):
        if function.instruction_id(k) == casadi.OP_CALL:
            match = _CALL.match(line)
            if match is None or match[1] not in named:
                raise UnknownOperation(f"CasADi prints a call as {line!r}")
            found[k] = named[match[1]]
    return found
