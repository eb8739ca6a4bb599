"""Which function each call instruction of an SX function calls.

CasADi's instruction interface tells the operands of a call but not its callee. The printed algorithm does:
its k-th line reads `[@5,[@6,@7]] = name([@0,@2],@4);` (pinned by a golden test, hence casadi>=3.8,<3.9).
"""

from __future__ import annotations

import re
from typing import Any

_CALL = re.compile(r"^\[.*\] = (\w+)\(.*\);$")


def algorithm(function: Any) -> list[str]:
    """The printed instructions, one line each, in the order of the instruction interface."""
    text = function.str(True)
    head, found, body = text.partition("\nAlgorithm:\n")
    if not found:
        raise ValueError(f"CasADi prints {function.name()!r} without an algorithm: {head!r}")
    return body.splitlines()


def callees(function: Any) -> dict[int, Any]:
    """Instruction number -> casadi.Function, for every call instruction."""
    import casadi

    lines = algorithm(function)
    if len(lines) != function.n_instructions():
        raise ValueError(f"CasADi prints {len(lines)} lines for {function.n_instructions()} instructions")
    found = {}
    for k, line in enumerate(lines):
        if function.instruction_id(k) == casadi.OP_CALL:
            match = _CALL.match(line)
            if match is None:
                raise ValueError(f"not a call: {line!r}")
            found[k] = function.get_function(match[1])
    return found
