"""Checks that several joints share; numbers promoted to symbols are not judged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite, isnan, sqrt
from numbers import Real
from typing import TYPE_CHECKING, Any

import casadi as ca

from condyle.errors import closest

if TYPE_CHECKING:
    from condyle.functions import Function
    from condyle.joints.base import Joint


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


def sequence_problems(sequence: str, length: int) -> list[str]:
    """A body-fixed sequence names `length` axes, neighbours different."""
    if len(sequence) != length or set(sequence) - set("xyz"):
        return [f"sequence must be {length} letters out of x, y, z, found {sequence!r}"]
    if any(first == second for first, second in pairwise(sequence)):
        return [f"sequence {sequence!r} turns twice in succession about one axis; neighbours must differ"]
    return []


def choice_problems(label: str, value: str, allowed: Sequence[str]) -> list[str]:
    """A field with a fixed list of values."""
    return [] if value in allowed else [f"unknown {label} {value!r}{closest(value, allowed)}"]


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


def coordinate_problems(joint: Joint) -> list[str]:
    """What is wrong with the defaults, ranges and locks that were given for the coordinates."""
    found: list[str] = []
    names = joint.coordinate_names
    given = [coordinate.name for coordinate in joint.coordinates]
    for name in dict.fromkeys(given):
        if name not in names:
            found.append(f"no coordinate {name!r}{closest(name, names)}")
        if given.count(name) > 1:
            found.append(f"coordinate {name!r} is given {given.count(name)} times")
    # With N not the identity a coordinate has no speed of its own that a lock could hold at zero.
    lockable = joint.speed_names == names and not joint.unit_groups
    for coordinate in joint.coordinates:
        label, (lower, upper) = f"coordinate {coordinate.name!r}", coordinate.range
        found += finite_problems(f"{label}: default", coordinate.default)
        if coordinate.locked and not lockable:
            found.append(
                f"{label} cannot be locked: the speeds of this joint are not the rates of its coordinates"
            )
        if is_symbolic(lower, upper, coordinate.default):
            continue
        if isnan(lower) or isnan(upper) or lower > upper:
            found.append(f"{label}: range ({lower}, {upper}) is empty; lower must not exceed upper")
        elif coordinate.default < lower or coordinate.default > upper:
            found.append(f"{label}: default {coordinate.default} lies outside its range ({lower}, {upper})")
    for start in joint.unit_groups:
        values = [joint.coordinate(start + k).default for k in range(4)]
        if not is_symbolic(*values) and abs(sum(value * value for value in values) - 1.0) > 1e-9:
            found.append(f"default Euler parameters {tuple(values)} do not have length 1")
    return found


def function_problems(label: str, function: Function) -> list[str]:
    """A function's own findings, with the field that holds it."""
    return [f"{label}: {problem}" for problem in function.problems()]
