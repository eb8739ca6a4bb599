"""What callers pass, made into the arrays that kernels take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from condyle.errors import InputError, closest


def real_array(label: str, value: Any, names: tuple[str, ...]) -> np.ndarray:
    """Value as floats (..., len(names)); anything else is an error that names argument, finding and what is allowed."""
    allowed = f"allowed: real numbers of shape (..., {len(names)})"
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"{label}: rows of unequal length; {allowed}") from None
    if array.dtype.kind not in "fiub":
        raise InputError(f"{label}: numbers of type {array.dtype}; {allowed}")
    if array.shape[-1:] != (len(names),):
        listed = f": {', '.join(names)}" if len(names) <= 12 else ""
        raise InputError(f"{label}: shape {array.shape}; {allowed}{listed}")
    return np.asarray(array, dtype=float)


def parameter_values(given: Any, names: tuple[str, ...], defaults: np.ndarray) -> np.ndarray:
    """(..., n) from an array in the order of `names`, a mapping of some of them, or None for the model's values."""
    if given is None:
        return defaults
    if not isinstance(given, Mapping):
        return np.asarray(given, dtype=float)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise InputError("; ".join(f"unknown parameter {name!r}{closest(name, names)}" for name in unknown))
    columns = [np.asarray(given.get(name, defaults[i]), dtype=float) for i, name in enumerate(names)]
    return np.stack(np.broadcast_arrays(*columns), axis=-1) if columns else np.zeros(0)


def wrench_values(given: Mapping[str, Any] | None, bodies: tuple[str, ...]) -> tuple[tuple[str, ...], Any]:
    """The loaded bodies and their wrenches (..., 6 n) from {body: (..., 6)}; order of the mechanism's bodies."""
    if not given:
        return (), None
    unknown = [name for name in given if name not in bodies]
    if unknown:
        raise InputError("; ".join(f"wrench on unknown body {name!r}{closest(name, bodies)}" for name in unknown))
    loaded = tuple(body for body in bodies if body in given)
    columns = [np.asarray(given[body], dtype=float) for body in loaded]
    wrong = [
        f"wrench on {body!r} has shape {value.shape}, allowed is (..., 6): moment about the body's origin, then force"
        for body, value in zip(loaded, columns, strict=True)
        if value.shape[-1:] != (6,)
    ]
    if wrong:
        raise InputError("; ".join(wrong))
    leading = np.broadcast_shapes(*(value.shape[:-1] for value in columns))
    return loaded, np.concatenate([np.broadcast_to(value, (*leading, 6)) for value in columns], axis=-1)
