"""Checks of states that callers give."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.compiled.mechanism import Mechanism
from condyle.errors import InputError

_UNIT_TOLERANCE = 1e-3


def checked_state(mechanism: Mechanism, q: Any, u: Any) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) as float arrays; wrong shapes and Euler parameters far from unit length are errors that list all findings.

    Euler parameters within 1e-3 of unit length are scaled to it; NaN and infinity pass (a member gets a status for them).
    """
    found: list[str] = []
    arrays = []
    for label, value, names in (("q", q, mechanism.coordinates), ("u", u, mechanism.speeds)):
        try:
            array = np.array(value, dtype=float)
        except (TypeError, ValueError):
            raise InputError(f"{label} must be numbers, found {type(value).__name__}") from None
        if array.shape[-1:] != (len(names),):
            found.append(f"{label} has shape {array.shape}, allowed is (..., {len(names)}): {', '.join(names)}")
        arrays.append(array)
    if found:
        raise InputError("; ".join(found))
    for start in mechanism.tree.unit_groups:
        group = arrays[0][..., start : start + 4]
        length = np.linalg.norm(group, axis=-1, keepdims=True)
        if np.any(np.abs(length - 1) > _UNIT_TOLERANCE):
            worst = float(length.flat[np.nanargmax(np.abs(length - 1))])
            names = ", ".join(mechanism.coordinates[start : start + 4])
            found.append(f"Euler parameters {names} have length {worst:.6g}; they must be unit (within {_UNIT_TOLERANCE})")
        else:
            arrays[0][..., start : start + 4] = group / length
    if found:
        raise InputError("; ".join(found))
    return arrays[0], arrays[1]
