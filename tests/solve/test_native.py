"""The compiler of native functions: compiled and interpreted results are the same bits."""

from __future__ import annotations

import sys
import time
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.kernels import cache
from condyle.kernels.target import Target, host
from condyle.solve import RK4, DormandPrince853, Event, integrate, native
from condyle.solve.loops.explicit import explicit
from condyle.solve.loops.newton import newton
from condyle.solve.loops.rosenbrock import rosenbrock
from condyle.solve.loops.tr_bdf2 import tr_bdf2
from condyle.solve.native.build import compiled
from condyle.solve.native.language import Floats1, Floats2, Ints1
from condyle.solve.native.language import native as mark
from condyle.solve.native.scope import TranslationError
from condyle.solve.native.translate import module_text

from ..kernels.object_files import undefined
from .systems import pendulum, system

FACTOR = 3
HALF = 0.5


class Struct:
    count: int
    rate: float
    numbers: Ints1
    values: Floats1
    table: Floats2


@mark
def poke(table: Floats2, row: int, value: float) -> float:
    """An array as a parameter."""
    before = table[row, 1]
    table[row, 1] = value
    return before


@mark
def everything(s: Struct, argument: int) -> int:
    """Every construct of the language at least once."""
    total = 0
    for index in range(s.count):
        if index == 1:
            continue
        if index > 4 and not s.rate < 0.0:
            break
        total += FACTOR * index - s.numbers[index] // 2 + s.numbers[index] % 2
    for index in range(s.count - 1, -1, -2):
        s.values[index] -= HALF * index
    for index in range(0, s.count, 3):
        s.values[index] *= -s.rate
    step = 0
    while True:
        step += 1
        if step >= argument or s.values[0] > 1e6:
            break
        s.values[0] = abs(s.values[0]) ** 1.5 + sqrt(abs(s.values[1])) / (1 + step)
    values = s.values
    s.rate = poke(s.table, 1, max(values[0], values[1], 0.25)) + min(values[2], float(step))
    # The index is out of range unless the left side guards it.
    inside = argument < s.count and s.numbers[argument] > 0
    s.numbers[0] = inside
    s.table[0, 0] += 1 if 0 < argument <= 4 else 2
    s.count = int(s.rate) + (step != argument)
    if inside or s.values[1] == 0.0:
        return total
    return -total


def filled(seed):
    rng = np.random.default_rng(seed)
    s = Struct()
    s.count, s.rate = 7, float(rng.normal())
    s.numbers = rng.integers(0, 50, 7)
    s.values = rng.normal(size=7)
    s.table = rng.normal(size=(2, 3))
    return s


@given(st.integers(0, 10**6), st.integers(0, 9))
def test_compiled_equals_interpreted(seed, argument):
    """Integers, floats, branches, loops and calls give the same bits as Python."""
    a, b = filled(seed), filled(seed)
    assert everything(a, argument) == compiled(everything)(b, argument)
    assert (a.count, a.rate) == (b.count, b.rate)
    for name in ("numbers", "values", "table"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name


@mark
def wrong_type(s: Struct, argument: int) -> int:
    total = 0
    total = s.rate
    return total


@mark
def wrong_name(s: Struct, argument: int) -> int:
    return s.cuont


@mark
def wrong_construct(s: Struct, argument: int) -> int:
    with s:
        pass
    return 0


@pytest.mark.parametrize(
    ("function", "text"),
    [(wrong_type, "double where i64"), (wrong_name, "no field 'cuont'"), (wrong_construct, "With is not in")],
)
def test_errors_name_the_line(function, text):
    """What is not in the language is refused with function and line."""
    with pytest.raises(TranslationError, match=text) as caught:
        module_text(function)
    assert function.name in str(caught.value) and "line" in str(caught.value)


def test_loops_run_uncompiled(monkeypatch):
    """Without LLVM the integrator runs as plain Python on arrays, with the same bits, events too."""
    falling = system(
        lambda y, t, p: [y[1], -p - 0.1 * y[1]], 2, 1, events=lambda y, t, p: [y[0] - 0.3, y[1] + 2]
    )
    arguments = (falling, [[1.0, 0.0], [2.0, 0.5], [1.5, -1.0]], np.linspace(0, 0.9, 7))
    options = dict(p=[9.81], method=DormandPrince853(), events=[Event(-1), Event(0, terminal=True)], lanes=2)
    machine = integrate(*arguments, **options)
    native.build._compiled.cache_clear()
    with monkeypatch.context() as without_llvm:
        without_llvm.setitem(sys.modules, "llvmlite", None)
        python = integrate(*arguments, **options)
    native.build._compiled.cache_clear()
    assert len(machine.events.time) >= 3
    for name in ("states", "steps", "evaluations", "final_state", "final_time", "status"):
        assert np.array_equal(getattr(machine, name), getattr(python, name), equal_nan=True), name
    assert np.array_equal(machine.events.state, python.events.state)


def test_machine_code_is_cached(tmp_path, monkeypatch):
    """A second process, or a second load, finds the object; without a cache it compiles."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("CONDYLE_CACHE", str(tmp_path))
    native.build._compiled.cache_clear()
    integrate(pendulum(), [1.0, 0.0], [0, 1], p=[1.0])
    assert [record.kind for record in cache.entries()].count("native") == 1
    compiles = []
    monkeypatch.setattr(native.build, "object_code", lambda text, target: compiles.append(text))
    native.build._compiled.cache_clear()
    integrate(pendulum(), [1.0, 0.0], [0, 1], p=[1.0])
    assert not compiles
    native.build._compiled.cache_clear()


@pytest.mark.parametrize("loop", [explicit, rosenbrock, tr_bdf2, newton], ids=lambda loop: loop.name)
def test_loops_compile_quickly(loop):
    """A cold loop takes at most 2.5 s of processor time."""
    begin = time.process_time()
    native.build.object_code(module_text(loop), host())
    assert time.process_time() - begin < 2.5


@pytest.mark.parametrize(
    "target",
    [
        Target("x86_64-pc-windows-msvc", "x86-64-v3", "+avx2,+fma"),
        Target("arm64-apple-darwin", "apple-m1", ""),
        Target("aarch64-unknown-linux-gnu", "generic", ""),
    ],
    ids=lambda target: target.triple,
)
def test_objects_for_other_machines(target):
    """Loops ask for `pow` of the C library and nothing else."""
    symbols = undefined(native.build.object_code(module_text(tr_bdf2), target))
    assert {symbol.removeprefix("_") for symbol in symbols} - {"fltused", "_fltused"} == {"pow"}


def test_overhead_of_a_step_is_small():
    """A step of RK4 with 68 states costs at most 1 us beside its kernel alone, 0.4 us in lanes."""
    shrinking = system(lambda y, t, p: -p * y, 68, 1)
    if shrinking.rhs.interpreted:
        pytest.skip("an interpreted kernel hides what the loop costs")
    for lanes, bound in ((1, 1e-6), (8, 0.4e-6)):
        seconds = []
        for _ in range(5):
            begin = time.process_time()
            integrate(shrinking, np.ones((lanes, 68)), [0, 1], p=[1.0], method=RK4(), step=1e-4, lanes=lanes)
            seconds.append((time.process_time() - begin) / 1e4 / lanes)
        assert min(seconds) < bound
