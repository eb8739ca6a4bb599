"""Checks that several joints share; numbers promoted to symbols are not judged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING

from condyle.errors import closest
from condyle.spatial.checks import axis_problems, finite_problems, is_finite, is_symbolic, positive_problems

if TYPE_CHECKING:
    from condyle.functions import Function
    from condyle.joints.base import Joint

__all__ = [
    "axis_problems",
    "choice_problems",
    "coordinate_problems",
    "finite_problems",
    "function_problems",
    "is_finite",
    "is_symbolic",
    "positive_problems",
    "sequence_problems",
]


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
