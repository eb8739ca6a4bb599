"""Checks of states that callers give."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.compiled.arguments import common_shape, real_array
from condyle.compiled.mechanism import Mechanism
from condyle.compiled.state_status import UNIT_TOLERANCE
from condyle.errors import InputError


def checked_state(mechanism: Mechanism, q: Any, u: Any) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) as new float arrays; wrong shapes and Euler parameters far from unit length are errors.

    Euler parameters within 1e-3 of unit length are scaled to it; NaN and infinity pass (a member gets a
    status for them).
    """
    found: list[str] = []
    arrays = []
    for label, value, names in (("q", q, mechanism.coordinates), ("u", u, mechanism.speeds)):
        try:
            arrays.append(real_array(label, value, names).copy())
        except InputError as error:
            found.append(str(error))
    if found:
        raise InputError("; ".join(found))
    common_shape({"q": arrays[0].shape[:-1], "u": arrays[1].shape[:-1]})
    for start in mechanism.unit_groups:
        group = arrays[0][..., start : start + 4]
        length = np.linalg.norm(group, axis=-1, keepdims=True)
        with np.errstate(invalid="ignore"):
            departure = np.abs(length - 1)
        if np.any(departure > UNIT_TOLERANCE):
            worst = float(length.flat[np.nanargmax(departure)])
            names = ", ".join(mechanism.coordinates[start : start + 4])
            found.append(
                f"q: Euler parameters {names} have length {worst:.6g}; allowed: 1 within {UNIT_TOLERANCE}"
            )
        else:
            arrays[0][..., start : start + 4] = group / length
    if found:
        raise InputError("; ".join(found))
    return arrays[0], arrays[1]
