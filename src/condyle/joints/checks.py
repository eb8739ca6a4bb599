"""Checks that several joints share."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt
from typing import Any

import casadi as ca


def axis_problems(label: str, axis: Sequence[Any]) -> list[str]:
    """An axis must be a unit vector; a promoted (symbolic) one is normalised where it is used."""
    if any(isinstance(component, ca.SX) for component in axis):
        return []
    length = sqrt(sum(component * component for component in axis))
    if len(axis) != 3 or not isfinite(length):
        return [f"{label} must be three finite numbers, found {tuple(axis)}"]
    if abs(length - 1.0) <= 1e-12:
        return []
    if length == 0.0:
        return [f"{label} is the zero vector; a unit vector is needed"]
    suggestion = tuple(component / length for component in axis)
    return [f"{label} {tuple(axis)} has length {length:.9g}, not 1; the unit vector is {suggestion}"]
