"""Numbers out of functions, the graph built once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np

from condyle.functions import Chebyshev, CubicStep, Function, PeriodicCubicSpline, Scaled


def numeric(function: Function, order: tuple[int, ...]) -> Callable[..., np.ndarray]:
    """A derivative as a function of arrays."""
    symbols = [ca.SX.sym(f"x{k}") for k in range(function.inputs)]
    value = function(*symbols)
    for symbol, count in zip(symbols, order, strict=True):
        for _ in range(count):
            value = ca.jacobian(value, symbol)
    graph = ca.Function("derivative", symbols, [ca.densify(value)])

    def evaluated(*x: Any) -> np.ndarray:
        if np.size(x[0]) == 0:
            return np.empty(0)
        return np.array(graph(*(np.reshape(item, (1, -1)) for item in x))).ravel()

    return evaluated


def orders(inputs: int, total: int) -> list[tuple[int, ...]]:
    """Every tuple of derivative orders of this sum."""
    if inputs == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in orders(inputs - 1, total - k)]


def knots(function: Function) -> list[np.ndarray]:
    """Per input, where pieces meet."""
    inner = function.function if isinstance(function, Scaled) else function
    if isinstance(inner, Chebyshev):
        return [np.array(interval) for interval in inner.intervals]
    names = ("x", "y")[: inner.inputs]
    return [np.array(getattr(inner, name, ())) if inner.domain else np.empty(0) for name in names]


def breaks(function: Function) -> list[np.ndarray]:
    """Knots, also of kinds that are defined everywhere."""
    if isinstance(function, CubicStep):
        return [np.array([function.start, function.start + function.width])]
    if isinstance(function, PeriodicCubicSpline):
        return [np.concatenate([np.array(function.x) + k * function.period for k in range(-9, 10)])]
    return knots(function)


def operations(graph: ca.Function) -> int:
    """Instructions that compute: no constants, inputs and outputs."""
    silent = (ca.OP_CONST, ca.OP_INPUT, ca.OP_OUTPUT)
    return sum(graph.instruction_id(k) not in silent for k in range(graph.n_instructions()))


def with_symbols(value: Any, symbols: list[ca.SX], numbers: list[float]) -> Any:
    """The same description with every float replaced by a symbol, as a promoted parameter is."""
    if isinstance(value, float):
        symbols.append(ca.SX.sym(f"p{len(symbols)}"))
        numbers.append(value)
        return symbols[-1]
    if isinstance(value, tuple):
        return tuple(with_symbols(item, symbols, numbers) for item in value)
    if isinstance(value, Function):
        names = [field.name for field in dataclasses.fields(value)]
        return dataclasses.replace(
            value, **{name: with_symbols(getattr(value, name), symbols, numbers) for name in names}
        )
    return value
