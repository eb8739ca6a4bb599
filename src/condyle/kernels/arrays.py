"""What callers pass to a kernel: checks, batch shape, pointers and strides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from condyle.errors import InputError
from condyle.kernels.description import Ports, Shape

FLOAT = np.dtype(np.float64)

#: Results from this size on do not stay in the caches anyway.
STREAM_BYTES = 16_000_000


class Batch(NamedTuple):
    """Arguments ready for compiled code: arrays (kept alive), row strides in elements, the batch shape."""

    arrays: list[np.ndarray]
    strides: list[int]
    shape: Shape


def allowed(shape: Shape) -> str:
    """How a message writes the shapes that an argument may have."""
    return "(" + ", ".join(["...", *map(str, shape)]) + ")"


def _array(name: str, shape: Shape, value: Any, problems: list[str]) -> np.ndarray | None:
    """One argument as float64 of the right trailing shape, or None and a problem."""
    empty = math.prod(shape) == 0
    if value is None:
        if empty:
            return np.zeros(shape)
        problems.append(f"{name}: None; allowed: an array of shape {allowed(shape)}")
        return None
    try:
        array = np.asarray(value)
    except ValueError as error:
        problems.append(f"{name}: not an array ({error})")
        return None
    if empty and array.size == 0:
        return np.zeros(shape)
    if array.dtype.kind not in "fiub":
        problems.append(f"{name}: numbers of type {array.dtype}; allowed: real numbers (float64)")
        return None
    if array.ndim < len(shape) or array.shape[array.ndim - len(shape) :] != shape:
        problems.append(f"{name}: shape {array.shape}; allowed: {allowed(shape)}")
        return None
    return np.asarray(array, dtype=FLOAT)


def prepare(name: str, ports: Ports, values: Sequence[Any]) -> Batch:
    """Check the arguments against the ports; raises InputError with every problem at once."""
    if len(values) != len(ports):
        expected = ", ".join(f"{port}{allowed(shape)}" for port, shape in ports)
        raise InputError(f"{name}: {len(values)} arguments; allowed: {len(ports)}: {expected}")
    problems: list[str] = []
    arrays = [
        _array(port, shape, value, problems) for (port, shape), value in zip(ports, values, strict=True)
    ]
    checked = [array for array in arrays if array is not None]
    if problems:
        raise InputError(f"{name}: " + "; ".join(problems))
    leads = [array.shape[: array.ndim - len(shape)] for array, (_, shape) in zip(checked, ports, strict=True)]
    try:
        batch = leads[0] if len(set(leads)) == 1 else np.broadcast_shapes(*leads)
    except ValueError:
        found = ", ".join(f"{port}{array.shape}" for array, (port, _) in zip(checked, ports, strict=True))
        raise InputError(f"{name}: the leading axes do not broadcast: {found}") from None
    prepared, strides = [], []
    for array, lead, (_, shape) in zip(checked, leads, ports, strict=True):
        array, stride = _strided(array, lead, shape, batch)
        prepared.append(array)
        strides.append(stride)
    return Batch(prepared, strides, batch)


def _strided(array: np.ndarray, lead: Shape, shape: Shape, batch: Shape) -> tuple[np.ndarray, int]:
    """An array with contiguous rows a constant stride apart; copied only where it must be."""
    size = math.prod(shape)
    if lead == batch and array.flags.c_contiguous and array.flags.aligned:
        return array, size
    if math.prod(lead) == 1:
        return np.array(array, order="C"), 0
    if lead != batch and math.prod(lead) != math.prod(batch):
        array = np.broadcast_to(array, batch + shape)
    elif array.ndim == 1 + len(shape) and array.flags.aligned:
        step = array.strides[0]
        if step >= 0 and step % 8 == 0 and (len(array) == 0 or array[0].flags.c_contiguous):
            return array, step // 8
    if array.flags.c_contiguous and array.flags.aligned:
        return array, size
    return np.array(array, order="C"), size


def outputs(name: str, ports: Ports, batch: Shape, out: Any) -> list[np.ndarray]:
    """The arrays that results are written to: new ones, or the caller's, checked."""
    if out is None:
        return [_new(batch + shape) for _, shape in ports]
    given = [out] if isinstance(out, np.ndarray) else list(out)
    if len(given) != len(ports):
        raise InputError(f"{name}: out has {len(given)} arrays; allowed: {len(ports)}")
    problems = []
    for array, (port, shape) in zip(given, ports, strict=True):
        if not isinstance(array, np.ndarray) or array.dtype != FLOAT or array.shape != batch + shape:
            found = f"{array.dtype}{array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            problems.append(f"out for {port}: {found}; allowed: float64{batch + shape}")
        elif not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
            problems.append(f"out for {port}: not a writable, aligned array in C order")
    if problems:
        raise InputError(f"{name}: " + "; ".join(problems))
    return given


def apart(array: np.ndarray, others: Sequence[np.ndarray]) -> np.ndarray:
    """The array itself, or a new one like it where its memory may overlap with one of the others."""
    return np.empty_like(array) if any(np.may_share_memory(array, other) for other in others) else array


def _new(shape: Shape) -> np.ndarray:
    """An array for results, aligned to cache lines when it is large."""
    size = math.prod(shape)
    if 8 * size < STREAM_BYTES:
        return np.empty(shape)
    spare = np.empty(size + 8)
    start = -(spare.__array_interface__["data"][0] // 8) % 8
    return spare[start : start + size].reshape(shape)


def streamed(array: np.ndarray) -> int:
    """1 where a result is better written past the caches, else 0."""
    return int(array.nbytes >= STREAM_BYTES and array.__array_interface__["data"][0] % 32 == 0)
