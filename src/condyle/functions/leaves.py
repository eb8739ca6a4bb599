"""Numbers of a function: plain floats, or SX where a user promoted one to a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from numbers import Real
from typing import Any

import casadi as ca

from condyle.errors import closest


def symbolic(value: Any) -> bool:
    """Whether a leaf, or any leaf of nested sequences, is an expression and not a number."""
    if isinstance(value, (tuple, list)):
        return any(symbolic(item) for item in value)
    return isinstance(value, ca.SX)


def leaves(values: Any) -> Any:
    """Tuples of floats from nested sequences or arrays; what is no number stays, for `problems`."""
    if isinstance(values, Real):
        return float(values)
    if isinstance(values, (ca.SX, str)) or not hasattr(values, "__iter__"):
        return values
    return tuple(leaves(value) for value in values)


def finite_problems(label: str, value: Any) -> list[str]:
    """Which entries, nested ones too, are not finite numbers."""
    if isinstance(value, (tuple, list)):
        return [found for k, item in enumerate(value) for found in finite_problems(f"{label}[{k}]", item)]
    if isinstance(value, ca.SX) or (isinstance(value, Real) and isfinite(value)):
        return []
    return [f"{label} must be a finite number, found {value!r}"]


def increasing_problems(label: str, values: Sequence[Any]) -> list[str]:
    """Where abscissae do not strictly increase; promoted ones cannot be judged."""
    found = []
    for index, (before, here) in enumerate(pairwise(values), start=1):
        if isinstance(before, float) and isinstance(here, float) and not here > before:
            found.append(f"{label} must strictly increase, but {label}[{index}] = {here} follows {before}")
    return found


def choice_problems(label: str, value: str, allowed: Sequence[str]) -> list[str]:
    """A field with a fixed list of values."""
    return [] if value in allowed else [f"unknown {label} {value!r}{closest(str(value), allowed)}"]
