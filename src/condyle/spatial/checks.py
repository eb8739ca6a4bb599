"""Checks of numbers that joints and constraints share; numbers promoted to symbols are not judged."""

from __future__ import annotations

from math import isfinite, sqrt
from numbers import Real
from typing import Any

import casadi as ca


def is_symbolic(*values: Any) -> bool:
    """Whether any of these numbers has been promoted to a symbol."""
    return any(isinstance(value, ca.SX) for value in values)


def is_finite(value: Any) -> bool:
    """Whether this is a finite number (not a word, not None)."""
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)


def axis_problems(label: str, axis: Any) -> list[str]:
    """An axis must be a unit vector; a promoted (symbolic) one is normalised where it is used."""
    if not isinstance(axis, tuple) or len(axis) != 3:
        return [f"{label} must be three numbers such as (0, 0, 1), found {axis!r}"]
    if is_symbolic(*axis):
        return []
    if not all(is_finite(component) for component in axis):
        return [f"{label} must be three finite numbers, found {axis}"]
    length = sqrt(sum(component * component for component in axis))
    if abs(length - 1.0) <= 1e-12:
        return []
    if length == 0.0:
        return [f"{label} is the zero vector; a unit vector is needed"]
    suggestion = tuple(component / length for component in axis)
    return [f"{label} {axis} has length {length:.9g}, not 1; the unit vector is {suggestion}"]


def finite_problems(label: str, value: Any) -> list[str]:
    """A number must be finite."""
    if is_symbolic(value) or is_finite(value):
        return []
    return [f"{label} must be a finite number, found {value!r}"]


def positive_problems(label: str, value: Any) -> list[str]:
    """A length must be positive and finite."""
    if is_symbolic(value) or (is_finite(value) and value > 0):
        return []
    return [f"{label} must be a positive number, found {value!r}"]
