"""Elementary functions in LLVM text: error against mpmath, special values, equal bits in every width."""

from __future__ import annotations

import ctypes
import ctypes.util
import itertools
import math
import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

mpmath = pytest.importorskip("mpmath")
llvm = pytest.importorskip("llvmlite.binding")

from condyle.kernels import elementary  # noqa: E402

WIDTHS = (1, 2, 4, 8)
PRECISION = 320  # bits: x may be 2^20 and 2^-53 away from a multiple of pi/2


def _driver(name: str, width: int) -> str:
    """A loop over blocks of `width` lanes that applies the function to arrays a0, a1 and stores r0, r1."""
    arguments, results = elementary.ARGUMENTS[name], 2 if name == "sincos" else 1
    lanes = "double" if width == 1 else f"<{width} x double>"
    pointers = [f"a{k}" for k in range(arguments)] + [f"r{k}" for k in range(results)]
    struct = lanes if results == 1 else f"{{ {lanes}, {lanes} }}"
    body = ["entry:", "  br label %loop", "loop:", "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]"]
    body += [f"  %p{p} = getelementptr {lanes}, ptr %{p}, i64 %i" for p in pointers]
    body += [f"  %x{k} = load {lanes}, ptr %pa{k}, align 8" for k in range(arguments)]
    passed = ", ".join(f"{lanes} %x{k}" for k in range(arguments))
    body += [f"  %y = call {struct} @condyle_{name}_{width}({passed})"]
    for k in range(results):
        value = "%y"
        if results > 1:
            value = f"%y{k}"
            body += [f"  {value} = extractvalue {struct} %y, {k}"]
        body += [f"  store {lanes} {value}, ptr %pr{k}, align 8"]
    body += [
        "  %j = add i64 %i, 1",
        "  %more = icmp slt i64 %j, %n",
        "  br i1 %more, label %loop, label %end",
    ]
    heading = ", ".join(f"ptr %{p}" for p in pointers)
    return "\n".join([f"define void @run({heading}, i64 %n) {{", *body, "end:", "  ret void", "}"])


@cache
def compiled(name: str, width: int) -> Callable[..., tuple[np.ndarray, ...]]:
    """The function on arrays, compiled for this machine; arrays are padded to whole blocks."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(elementary.text(name, width) + _driver(name, width))
    module.verify()
    features = llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=2, codemodel="jitdefault"
    )
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    address = engine.get_function_address("run")
    arguments, results = elementary.ARGUMENTS[name], 2 if name == "sincos" else 1
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (arguments + results), ctypes.c_int64)(address)

    def run(*values: np.ndarray, engine: object = engine) -> tuple[np.ndarray, ...]:
        size = values[0].size
        blocks = -(-size // width)
        padded = [np.concatenate([value, np.full(blocks * width - size, 0.5)]) for value in values]
        out = [np.empty(blocks * width) for _ in range(results)]
        function(*[array.ctypes.data for array in (*padded, *out)], blocks)
        return tuple(array[:size] for array in out)

    return run


def ulps(values: np.ndarray, exact: list) -> np.ndarray:
    """Error in units in the last place of the exact value."""
    errors = []
    for value, reference in zip(values.tolist(), exact, strict=True):
        unit = math.ulp(min(abs(float(reference)), 1.7e308))
        errors.append(float(abs(mpmath.mpf(value) - reference) / unit))
    return np.array(errors)


def worst(name: str, function: Callable, *points: np.ndarray, result: int = 0) -> float:
    """Largest error in ulp of the 8-lane function at the points."""
    with mpmath.workprec(PRECISION):
        exact = [function(*map(mpmath.mpf, row)) for row in zip(*(p.tolist() for p in points), strict=True)]
        return float(ulps(compiled(name, 8)(*points)[result], exact).max())


def same_bits(name: str, *points: np.ndarray) -> None:
    """Every width gives the same bits (any NaN equals any NaN), whatever stands in the neighbouring lanes."""
    reference = compiled(name, 1)(*points)
    for width in WIDTHS[1:]:
        for one, other in zip(reference, compiled(name, width)(*points), strict=True):
            either_nan = np.isnan(one) & np.isnan(other)
            assert ((one.view(np.int64) == other.view(np.int64)) | either_nan).all()


SPECIAL = np.array(
    [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        2.2250738585072014e-308,
        1e-300,
        1e-20,
        np.inf,
        -np.inf,
        np.nan,
        1e300,
        0.5,
        1.0,
        -1.0,
    ]
)


def angles() -> np.ndarray:
    """Angles within 2^20: uniform, near zero, and the doubles around multiples of pi/2 and pi/4."""
    random = np.random.default_rng(1)
    last = int(2**20 * 2 / math.pi)
    k = np.unique(np.concatenate([np.arange(200), random.integers(0, last, 1500), last - np.arange(50)]))
    with mpmath.workprec(PRECISION):
        nearest = np.array([float(int(i) * mpmath.pi / 2) for i in k])
        quarter = np.array([float((2 * int(i) + 1) * mpmath.pi / 4) for i in k[:300]])
    around = np.concatenate([nearest, quarter])
    around = np.concatenate([around, np.nextafter(around, 0), np.nextafter(around, 1e9)])
    spread = np.concatenate([random.uniform(-7, 7, 3000), random.uniform(-(2**20), 2**20, 1000)])
    small = 2.0 ** random.uniform(-1074, 0, 300)
    points = np.concatenate([around, -around[::5], spread, small, SPECIAL[:7], [2.0**20, -(2.0**20)]])
    return points[np.abs(points) <= 2**20]


def worst_reduction() -> np.ndarray:
    """The doubles up to 2^20 that come nearest to a multiple of pi/2, in relative terms."""
    last = int(2**20 * 2 / math.pi)
    k = np.arange(1, last + 1, dtype=np.int64)
    # k times 33-bit pieces of pi/2 is exact, so the remainder of the nearest double shows
    pieces = []
    with mpmath.workprec(PRECISION):
        rest = mpmath.pi / 2
        for bits in (32, 65, 98):
            pieces.append(float(mpmath.floor(mpmath.ldexp(rest, bits)) / mpmath.mpf(2) ** bits))
            rest -= pieces[-1]
    high, middle, low = (k * piece for piece in pieces)
    nearest = high + (middle + low)
    remainder = np.abs(((high - nearest) + middle) + low)
    return nearest[np.argsort(remainder)[:200]]


@pytest.mark.parametrize("points", [angles, worst_reduction])
def test_sine_and_cosine_within_two_ulp(points: Callable[[], np.ndarray]) -> None:
    """sin, cos and both results of sincos, up to 2^20 and beside the multiples of pi/2."""
    x = points()
    assert worst("sin", mpmath.sin, x) <= 1.5
    assert worst("cos", mpmath.cos, x) <= 1.5
    sine, cosine = compiled("sincos", 8)(x)
    assert (sine == compiled("sin", 8)(x)[0]).all() and (cosine == compiled("cos", 8)(x)[0]).all()


def test_sine_and_cosine_special_values() -> None:
    """Beyond 2^20 as the C library, NaN and infinities give NaN, sin(-0) is -0."""
    x = np.array([2.0**20 + 1, -1e300, 1e22, 0.3, 3e8])
    assert compiled("sin", 8)(x)[0][[0, 1, 2, 4]].tolist() == [math.sin(v) for v in x[[0, 1, 2, 4]]]
    assert compiled("cos", 8)(x)[0][[0, 1, 2, 4]].tolist() == [math.cos(v) for v in x[[0, 1, 2, 4]]]
    assert np.isnan(compiled("sincos", 4)(np.array([np.inf, -np.inf, np.nan]))).all()
    assert np.signbit(compiled("sin", 2)(np.array([-0.0, 0.0]))[0]).tolist() == [True, False]


@pytest.mark.parametrize("name", ["sin", "cos", "sincos"])
def test_sine_and_cosine_same_bits_in_every_width(name: str) -> None:
    """Lanes out of range, NaN and ordinary lanes mixed in one vector."""
    x = np.concatenate([angles(), np.repeat(SPECIAL, 3), [0.1, 1e30, 0.2, 0.3]])
    same_bits(name, np.random.default_rng(2).permutation(x))


def sizes(low: float, high: float, count: int = 700, signs: tuple[int, ...] = (1, -1)) -> np.ndarray:
    """Numbers whose binary exponents are uniform between low and high."""
    random = np.random.default_rng(3)
    return 2.0 ** random.uniform(low, high, count) * random.choice(signs, count)


def spread(low: float, high: float, count: int = 1000) -> np.ndarray:
    """Uniform numbers and the ends."""
    return np.concatenate([np.random.default_rng(4).uniform(low, high, count), [low, high]])


def beside(*centres: float) -> np.ndarray:
    """Numbers at all distances from the centres, on both sides, and their immediate neighbours."""
    offsets = np.concatenate([sizes(-52, -1, 150), [0.0]])
    return np.concatenate([centre * (1 + offsets) for centre in centres] + [np.nextafter(centres, -np.inf)])


def pairs(*ranges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of the plane: each range shuffled against itself."""
    random = np.random.default_rng(5)
    return np.concatenate([random.permutation(item) for item in ranges]), np.concatenate(ranges)


def powers() -> tuple[np.ndarray, np.ndarray]:
    """Bases and exponents whose result stays a number: ordinary, extreme, near one, and subnormal results."""
    base = np.concatenate([spread(0.01, 5.0), sizes(-1022, 1023, signs=(1,)), beside(1.0, 2.0, 0.5)])
    logarithm = np.where(base == 1, 1, np.log(base))
    exponent = np.random.default_rng(6).uniform(-1, 1, base.size) * 709 / np.abs(logarithm)
    ordinary = np.random.default_rng(7).uniform(-5, 5, base.size)
    ordinary = np.where((ordinary * logarithm > -745) & (ordinary * logarithm < 709), ordinary, 1)
    return np.concatenate([base, base]), np.concatenate([exponent, ordinary])


TINY = np.array([5e-324, 1e-310, 2.2250738585072014e-308, 1e-300, 1e-20, 1e-9, 0.0])
TINY = np.concatenate([TINY, -TINY])
INNER = np.concatenate([spread(-1, 1), beside(0.5, -0.5), 1 - sizes(-53, 0, signs=(1,)), TINY])
EVERY_SIZE = np.concatenate([TINY, spread(-4, 4), sizes(-60, 1023)])
CASES: dict[str, tuple[Callable, Callable[[], tuple[np.ndarray, ...]]]] = {
    "tan": (mpmath.tan, lambda: (np.concatenate([angles()[::2], worst_reduction()]),)),
    "asin": (mpmath.asin, lambda: (INNER,)),
    "acos": (mpmath.acos, lambda: (np.concatenate([INNER, -INNER]),)),
    "atan": (mpmath.atan, lambda: (np.concatenate([EVERY_SIZE, beside(0.41421356, 2.41421356, 1.0)]),)),
    "atan2": (
        mpmath.atan2,
        lambda: pairs(spread(-3, 3), sizes(-5, 5), sizes(-500, 500), sizes(-1074, 1023), beside(1.0, -2.0)),
    ),
    "sinh": (mpmath.sinh, lambda: (np.concatenate([TINY, spread(-1, 1), spread(-710.47, 710.47)]),)),
    "cosh": (mpmath.cosh, lambda: (np.concatenate([TINY, spread(-1, 1), spread(-710.47, 710.47)]),)),
    "tanh": (mpmath.tanh, lambda: (np.concatenate([EVERY_SIZE, spread(-23, 23)]),)),
    "asinh": (mpmath.asinh, lambda: (EVERY_SIZE,)),
    "acosh": (
        mpmath.acosh,
        lambda: (1 + np.concatenate([[0.0], sizes(-52, 1022, signs=(1,)), spread(0, 3)]),),
    ),
    "atanh": (mpmath.atanh, lambda: (INNER[np.abs(INNER) < 1],)),
    "exp": (mpmath.exp, lambda: (np.concatenate([TINY, spread(-1, 1), spread(-745.1, 709.78)]),)),
    "expm1": (mpmath.expm1, lambda: (np.concatenate([TINY, spread(-1, 1), spread(-60, 709.78)]),)),
    "log": (
        mpmath.log,
        lambda: (np.concatenate([sizes(-1074, 1023, signs=(1,)), beside(1.0, 0.7071, 1.4142)]),),
    ),
    "log1p": (
        mpmath.log1p,
        lambda: (np.concatenate([EVERY_SIZE[EVERY_SIZE > -1], sizes(-53, 0, 300, (1,)) - 1]),),
    ),
    "pow": (mpmath.power, powers),
    "erf": (mpmath.erf, lambda: (np.concatenate([EVERY_SIZE, spread(-6, 6), beside(1.0, -1.0)]),)),
    "hypot": (mpmath.hypot, lambda: pairs(spread(-3, 3), sizes(-20, 20), sizes(-1074, 1022))),
}


def test_every_function_is_tested() -> None:
    """The table of cases and the functions above cover all names."""
    assert CASES.keys() | {"sin", "cos", "sincos"} == elementary.NAMES
    assert elementary.SOURCES.keys() == elementary.NAMES


@pytest.mark.parametrize("name", sorted(CASES))
def test_accuracy(name: str) -> None:
    """Within the stated number of units in the last place over the stated range."""
    function, points = CASES[name]
    assert worst(name, function, *points()) <= elementary.ACCURACY[name]


@pytest.mark.parametrize("name", sorted(CASES))
def test_same_bits_in_every_width(name: str) -> None:
    """Ordinary and special values side by side."""
    points = [np.concatenate([item, np.resize(SPECIAL, 40), item[:3]]) for item in CASES[name][1]()]
    order = np.random.default_rng(8).permutation(points[0].size)
    same_bits(name, *[item[order] for item in points])


@pytest.mark.parametrize("name", sorted(CASES))
def test_special_values_as_in_the_c_library(name: str) -> None:
    """NaN, infinities, signed zeros, edges of the domain, overflow: what the C library gives."""
    edges = [0.75, -0.75, 2.0, -2.0, 3.0, -3.0, 1.5, 710.0, 710.49, -711.0, 746.0, -746.0, 1e5, -1e300]
    values = np.concatenate([SPECIAL, edges, [np.nextafter(1, 2), 1.7e308, -1.7e308]])
    arguments = elementary.ARGUMENTS[name]
    points = np.array(list(itertools.product(values.tolist(), repeat=arguments))).T
    library = ctypes.CDLL(ctypes.util.find_library("m"))[name]
    library.restype, library.argtypes = ctypes.c_double, [ctypes.c_double] * arguments
    expected = np.array([library(*row) for row in points.T.tolist()])
    found = compiled(name, 8)(*[np.ascontiguousarray(row) for row in points])[0]
    assert (np.isnan(found) == np.isnan(expected)).all()
    number = ~np.isnan(expected)
    found, expected = found[number], expected[number]
    assert (np.signbit(found) == np.signbit(expected)).all()
    assert (np.isinf(found) == np.isinf(expected)).all()
    found, expected = found[np.isfinite(expected)], expected[np.isfinite(expected)]
    assert (np.abs(found - expected) <= 4 * np.spacing(np.abs(expected))).all()


def test_texts_merge_without_duplicates() -> None:
    """All functions, several widths, four targets: undefined symbols are the stated ones."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    every = sorted(elementary.NAMES)
    text = elementary.texts([*every, *every], 1) + "".join(
        elementary.definitions(every, width) for width in (2, 8)
    )
    calls = [_driver(name, 8).replace("@run(", f"@run_{name}(") for name in every]
    for triple, features in (
        ("x86_64-pc-windows-msvc", "+avx2,+fma"),
        ("x86_64-unknown-linux-gnu", "+avx512f,+avx512dq,+fma"),
        ("aarch64-apple-darwin", ""),
        ("aarch64-unknown-linux-gnu", ""),
    ):
        module = llvm.parse_assembly(f'target triple = "{triple}"\n' + text + "\n".join(calls))
        machine = llvm.Target.from_triple(triple).create_target_machine(features=features, opt=1)
        assembly = machine.emit_assembly(module)
        words = set(re.findall(r"(?<!\w)_?([a-z]+\d*)(?!\w)", assembly))
        assert elementary.LIBM_SYMBOLS <= words, triple
        assert not words & {"fma", "rint", "floor", "sincos", "ldexp", "memcpy", "exp", "log", "sqrt"}, triple


def test_unknown_name_is_explained() -> None:
    """The closest name is offered."""
    with pytest.raises(KeyError, match="asinh"):
        elementary.text("arsinh", 4)
