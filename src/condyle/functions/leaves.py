"""Numbers of a function: plain floats, or SX where a user promoted one to a parameter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

import casadi as ca


def symbolic(value: Any) -> bool:
    """Whether a leaf, or any leaf of nested sequences, is an expression and not a number."""
    if isinstance(value, (tuple, list)):
        return any(symbolic(item) for item in value)
    return isinstance(value, ca.SX)


def leaves(values: Iterable[Any]) -> tuple[Any, ...]:
    """A tuple of Python floats (expressions and nested sequences kept), from a tuple, list or array."""
    return tuple(_leaf(value) for value in values)


def _leaf(value: Any) -> Any:
    if isinstance(value, (ca.SX, str)):
        return value
    if hasattr(value, "__len__"):
        return leaves(value)
    return float(value)


def finite_problems(label: str, values: Sequence[Any]) -> list[str]:
    """Which entries are not finite numbers."""
    found = []
    for index, value in enumerate(values):
        if isinstance(value, (tuple, list)):
            found += finite_problems(f"{label}[{index}]", value)
        elif not isinstance(value, ca.SX) and not (isinstance(value, (int, float)) and isfinite(value)):
            found.append(f"{label}[{index}] is {value!r}; a finite number is needed")
    return found


def increasing_problems(label: str, values: Sequence[Any]) -> list[str]:
    """Where abscissae do not strictly increase; promoted ones cannot be judged."""
    found = []
    for index in range(1, len(values)):
        before, here = values[index - 1], values[index]
        if not symbolic((before, here)) and not here > before:
            found.append(f"{label} must strictly increase; {label}[{index}] = {here} follows {before}")
    return found
