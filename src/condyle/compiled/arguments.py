"""What callers pass, made into the arrays that kernels take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from condyle.errors import InputError, closest


def real_array(label: str, value: Any, names: tuple[str, ...]) -> np.ndarray:
    """Value as floats (..., len(names)); else an error that names argument, finding and what is allowed."""
    allowed = f"allowed: real numbers of shape (..., {len(names)})"
    array = _real(label, value, allowed)
    if array.shape[-1:] != (len(names),):
        listed = f": {', '.join(names)}" if 0 < len(names) <= 12 else ""
        raise InputError(f"{label}: shape {array.shape}; {allowed}{listed}")
    return array


def _real(label: str, value: Any, allowed: str) -> np.ndarray:
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"{label}: rows of unequal length; {allowed}") from None
    if array.dtype.kind not in "fiub":
        raise InputError(f"{label}: {type(value).__name__} of type {array.dtype}; {allowed}")
    return np.asarray(array, dtype=float)


def common_shape(named: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Batch shape of several arguments, from the leading axes of each."""
    try:
        return np.broadcast_shapes(*named.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in named.items())
        raise InputError(f"leading axes do not broadcast: {listed}") from None


def parameter_values(given: Any, names: tuple[str, ...], defaults: np.ndarray) -> np.ndarray:
    """(..., n) from an array in the order of `names`, a mapping of some, or None for the model's values."""
    if given is None:
        return defaults
    if not isinstance(given, Mapping):
        if not names and np.size(given):
            raise InputError("parameters were given, but none was promoted when the model was compiled")
        return real_array("parameters", given, names) if names else defaults
    unknown = [name for name in given if name not in names]
    if unknown:
        raise InputError("; ".join(f"unknown parameter {name!r}{closest(name, names)}" for name in unknown))
    columns = {
        name: _real(
            f"parameter {name!r}", given.get(name, default), "allowed: a real number or an array of them"
        )
        for name, default in zip(names, defaults, strict=True)
    }
    shape = common_shape({name: column.shape for name, column in columns.items()})
    return (
        np.stack([np.broadcast_to(column, shape) for column in columns.values()], axis=-1)
        if columns
        else defaults
    )


def wrench_values(given: Mapping[str, Any] | None, bodies: tuple[str, ...]) -> tuple[tuple[str, ...], Any]:
    """The loaded bodies, in the mechanism's order, and their wrenches (..., 6 n) from {body: (..., 6)}."""
    if not given:
        return (), None
    unknown = [name for name in given if name not in bodies]
    if unknown:
        listed = (f"wrench on unknown body {name!r}{closest(name, bodies)}" for name in unknown)
        raise InputError("; ".join(listed))
    loaded = tuple(body for body in bodies if body in given)
    allowed = "allowed: (..., 6), moment about the body's origin and force, ground axes"
    columns = {body: _real(f"wrench on {body!r}", given[body], allowed) for body in loaded}
    wrong = [
        f"wrench on {body!r}: shape {value.shape}; {allowed}"
        for body, value in columns.items()
        if value.shape[-1:] != (6,)
    ]
    if wrong:
        raise InputError("; ".join(wrong))
    leading = common_shape({f"wrench on {body!r}": value.shape[:-1] for body, value in columns.items()})
    return loaded, np.concatenate(
        [np.broadcast_to(value, (*leading, 6)) for value in columns.values()], axis=-1
    )
