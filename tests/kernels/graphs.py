"""Random graphs, and how they are compiled and compared in these tests."""

from __future__ import annotations

import ctypes

import casadi as ca
import numpy as np

from condyle.kernels import compile as compiler
from condyle.kernels.entries import module
from condyle.kernels.instructions import lower
from condyle.kernels.target import host

#: Values at which functions are special.
HARD = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-310, 1e300, -1e300, np.inf, -np.inf, np.nan])


def exact(seed: int, operations: int = 60, calls: bool = False) -> ca.Function:
    """A random graph that is exact on small integers, whatever is fused, merged or cut."""
    rng = np.random.default_rng(seed)
    x, y = ca.SX.sym("x", 4), ca.SX.sym("y", 2, 2)
    pool = [*ca.vertsplit(x), *ca.vertsplit(ca.vec(y)), ca.SX(3), ca.SX(-2)]
    inner = exact(seed + 1, 10) if calls else None

    def pick() -> ca.SX:
        return pool[rng.integers(len(pool))]

    def bounded(value: ca.SX) -> ca.SX:
        return ca.fmin(ca.fmax(value, -1000), 1000)

    for _ in range(operations):
        a, b, c = pick(), pick(), pick()
        kind = rng.integers(14 if inner is None else 15)
        match kind:
            case 0 | 1:
                value = a + b
            case 2 | 3:
                value = a - b
            case 4 | 5:
                value = a * b
            case 6:
                value = a * b + c if rng.integers(2) else c - a * b
            case 7:
                value = a * b - b * c
            case 8:
                value = ca.if_else(a < b, c, a * b)
            case 9:
                value = ca.if_else(ca.logic_and(a <= b, ca.logic_not(b == c)), a, ca.if_else(a != c, b, 5))
            case 10:
                value = (a < b) + ca.logic_or(a, b < c)
            case 11:
                value = ca.floor(a / 4) + ca.ceil(b / 2) + ca.sign(c)
            case 12:
                value = ca.fabs(a) + a * a + 2 * b - ca.copysign(c, -1 - c * c)
            case 13:
                value = ca.fmod(a, 7) + ca.sqrt(b * b)
            case _:
                assert inner is not None
                first, second = inner(ca.vertcat(a, b, c, a), ca.blockcat([[a, b], [c, 1]]))
                value = first[rng.integers(3)] - second[0, 1]
        pool.append(bounded(value))
    last = pool[-6:]
    sparse = ca.SX(2, 3)
    sparse[0, 1], sparse[1, 0] = last[3], last[4]
    options = {"never_inline": True}
    return ca.Function(f"exact_{seed}", [x, y], [ca.vertcat(*last[:3]), sparse], options)


def smooth(seed: int, operations: int = 60) -> ca.Function:
    """A random graph with every elementary operation; its values are of no interest, their bits are."""
    rng = np.random.default_rng(seed)
    x = ca.SX.sym("x", 5)
    pool = ca.vertsplit(x)
    one = [
        ca.sin,
        ca.cos,
        ca.tan,
        ca.exp,
        ca.log,
        ca.sqrt,
        ca.fabs,
        ca.asin,
        ca.acos,
        ca.atan,
        ca.sinh,
        ca.cosh,
    ]
    one += [
        ca.tanh,
        ca.asinh,
        ca.acosh,
        ca.atanh,
        ca.erf,
        ca.floor,
        ca.sign,
        ca.log1p,
        ca.expm1,
        lambda a: 1 / a,
    ]
    two = [
        ca.atan2,
        ca.fmin,
        ca.fmax,
        ca.fmod,
        ca.hypot,
        ca.remainder,
        ca.copysign,
        ca.power,
        lambda a, b: a / b,
    ]
    two += [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: ca.if_else(a < b, a, b * a),
    ]
    for _ in range(operations):
        a, b, c = (pool[rng.integers(len(pool))] for _ in range(3))
        kind = rng.integers(4)
        if kind == 0:
            value = one[rng.integers(len(one))](a)
        elif kind == 1:
            value = two[rng.integers(len(two))](a, b)
        else:
            value = a * b + c if kind == 2 else a * 0.75 - b * c
        pool.append(value)
    return ca.Function(f"smooth_{seed}", [x], [ca.vertcat(*pool[-12:])])


def compiled(function: ca.Function, width: int, size: int = 2000) -> compiler.Code:
    """Machine code for one width, pieces of `size` instructions."""
    text = module(lower(function), width, host(), size)
    return compiler.load(compiler.object_code(text, host()), width)


def by_rows(function: ca.Function, code: compiler.Code, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Call `rows` of a code on arrays (count, elements); outputs (count, elements) in C order."""
    count = len(arrays[0])
    made = [np.full((count, function.numel_out(k)), 7.0) for k in range(function.n_out())]
    pointers = (ctypes.c_void_p * 8)(*[a.ctypes.data for a in [*arrays, *made]])
    strides = (ctypes.c_int64 * 8)(*[a.shape[1] for a in arrays])
    scratch = np.empty(16 * sum(a.shape[1] for a in [*arrays, *made]) + 8)
    aligned = scratch.ctypes.data + -scratch.ctypes.data % 64
    code.rows(ctypes.addressof(pointers), ctypes.addressof(strides), 0, count, aligned)
    return made


def by_lanes(
    function: ca.Function, code: compiler.Code, width: int, arrays: list[np.ndarray]
) -> list[np.ndarray]:
    """Call `lanes` of a code on arrays (count, elements), count a multiple of the width."""
    count = len(arrays[0])
    given = [np.ascontiguousarray(a.reshape(-1, width, a.shape[1]).swapaxes(1, 2)) for a in arrays]
    made = [np.full((count // width, function.numel_out(k), width), 7.0) for k in range(function.n_out())]
    pointers = (ctypes.c_void_p * 8)(*[a.ctypes.data for a in [*given, *made]])
    code.lanes(ctypes.addressof(pointers), count // width)
    return [a.swapaxes(1, 2).reshape(count, -1) for a in made]


def reference(function: ca.Function, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """CasADi's interpreter, row by row; arrays (count, elements) in C order."""
    rows = []
    for k in range(len(arrays[0])):
        given = [a[k].reshape(function.size_in(j)) for j, a in enumerate(arrays)]
        result = function.call([ca.DM(g) for g in given])
        rows.append([np.array(ca.DM(r)).reshape(-1) for r in result])
    return [np.array(column) for column in zip(*rows, strict=True)]


def same_bits(first: np.ndarray, second: np.ndarray) -> bool:
    """Equal bit for bit, NaN like NaN."""
    nan = np.isnan(first)
    return bool(
        np.array_equal(nan, np.isnan(second))
        and np.array_equal(first[~nan].view(np.int64), second[~nan].view(np.int64))
    )
