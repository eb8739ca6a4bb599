"""Loops: compiled on the first call, calling each other and kernels by address."""

import ctypes
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

from condyle.kernels.jit import call, keep, loop

KERNEL = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.POINTER(ctypes.c_double)), ctypes.c_int64)


def kernel(function):
    """A Python function as a kernel: the callback (which must stay alive) and its address."""
    callback = KERNEL(function)
    return callback, ctypes.cast(callback, ctypes.c_void_p).value


@pytest.fixture(autouse=True)
def no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests look at compiling, not at the cache."""
    monkeypatch.setenv("CONDYLE_CACHE", "off")


@loop
def double(x: float) -> float:
    """Twice x."""
    return 2.0 * x


@loop
def run(address: int, x: np.ndarray, out: np.ndarray) -> float:
    """The kernel on x, then twice the first value."""
    args = np.empty(2, np.uintp)
    args[0] = x.ctypes.data
    args[1] = out.ctypes.data
    call(address, args.ctypes.data, x.size)
    keep(args)
    return double(out[0])


def sums(args, blocks):
    args[1][0] = sum(args[0][i] for i in range(blocks))


def products(args, blocks):
    args[1][0] = np.prod([args[0][i] for i in range(blocks)])


def test_switching_kernels_does_not_recompile() -> None:
    """The address is a run-time value: two kernels, one signature."""
    x, out = np.array([2.0, 3.0, 4.0]), np.zeros(1)
    held = [kernel(sums), kernel(products)]
    answers = [run(address, x, out) for _, address in held]
    assert answers == [18.0, 48.0]
    assert len(run.dispatcher.signatures) == 1


def test_llvm_function_by_address() -> None:
    """What kernels are: machine code made in this process, several blocks, no GIL needed."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text = """
    define void @f(ptr %args, i64 %blocks) {
      %pa = load ptr, ptr %args
      %slot = getelementptr ptr, ptr %args, i64 1
      %pb = load ptr, ptr %slot
      br label %loop
    loop:
      %i = phi i64 [0, %0], [%next, %loop]
      %a = getelementptr double, ptr %pa, i64 %i
      %x = load double, ptr %a
      %y = fmul double %x, %x
      %b = getelementptr double, ptr %pb, i64 %i
      store double %y, ptr %b
      %next = add i64 %i, 1
      %more = icmp slt i64 %next, %blocks
      br i1 %more, label %loop, label %end
    end:
      ret void
    }"""
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    address = engine.get_function_address("f")
    x, out = np.array([2.0, 3.0, 4.0]), np.zeros(3)
    assert run(address, x, out) == 8.0
    assert out.tolist() == [4.0, 9.0, 16.0]
    out[:] = 0.0
    args = np.array([x.ctypes.data, out.ctypes.data], np.uintp)
    call(address, args.ctypes.data, 3)  # the same from Python
    assert out.tolist() == [4.0, 9.0, 16.0]


@loop
def scratch(address: int, count: int, out: np.ndarray) -> float:
    """Hand an array that the loop made to the kernel, and make others before the calls."""
    x = np.full(count, 3.0)
    args = np.empty(2, np.uintp)
    args[0] = x.ctypes.data
    args[1] = out.ctypes.data
    total = 0.0
    for _ in range(3):
        other = np.full(count, 7.0)
        call(address, args.ctypes.data, count)
        total += out[0] + 0.0 * other[0]
    keep(x)
    return total


def test_keep_holds_an_array_of_the_loop() -> None:
    """Without it the second array would take the place of the first, which nothing but its address names."""
    held, address = kernel(sums)
    out = np.zeros(1)
    for count in (4, 40, 400):
        assert scratch(address, count, out) == 3 * 3.0 * count
    assert held


def test_loops_release_the_gil() -> None:
    """Two threads are inside the same loop at one time: each waits for the other's mark, in compiled code."""
    marks = np.zeros(2, np.int64)
    threads = [threading.Thread(target=meet, args=(marks, i, 1 - i, 1 << 33)) for i in (0, 1)]
    meet(np.ones(2, np.int64), 0, 1, 1)  # compiled before, so that both are there
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert marks.tolist() == [2, 2]


@loop
def meet(marks: np.ndarray, own: int, other: int, patience: int) -> None:
    """Set the own mark to 1, wait for the other's, set the own to 2."""
    marks[own] = 1
    for i in range(patience):
        if marks[other] != 0:
            marks[own] = 2
            return
        if i % 1024 == 0:  # a call the compiler cannot see through: memory is read again
            keep(np.empty(marks[own] + i % 7))


def test_arithmetic_is_that_of_numpy() -> None:
    """Division by zero is inf or NaN, a sum keeps its order (no fast-math)."""
    assert np.isinf(quotient(1.0, 0.0))
    assert np.isnan(quotient(0.0, 0.0))
    values = np.array([1e16, 1.0, -1e16, 1.0])
    assert total(values) == 1.0
    assert np.isnan(total(np.array([np.nan, 1.0])))


@loop
def quotient(a: float, b: float) -> float:
    """a / b."""
    return a / b


@loop
def total(x: np.ndarray) -> float:
    """Sum from the left."""
    s = 0.0
    for i in range(x.size):
        s += x[i]
    return s


@loop
def first_together(x: float) -> float:
    """Used by one test only, so that its first call is there."""
    return double(x) + 1.0


def test_first_call_from_many_threads() -> None:
    """One compiles, the others wait; all get the answer, once compiled."""
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(first_together(3.0))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [7.0] * 6
    assert len(first_together.dispatcher.signatures) == 1


def test_a_loop_is_still_its_function() -> None:
    """Name, text, keywords and pickling are those of the function."""
    assert (double.__name__, double.__doc__) == ("double", "Twice x.")
    assert double(x=4.0) == 8.0
    assert keep.__reduce__() == "keep"
    assert pickle.loads(pickle.dumps(keep)) is keep


def test_import_is_cheap() -> None:
    """A module with loops needs no numba until one of them is called."""
    code = """
import sys
from condyle.kernels.jit import loop
@loop
def f(x):
    return x + 1
assert "numba" not in sys.modules
assert f(1) == 2
assert "numba" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
