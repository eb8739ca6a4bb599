"""CasADi's interpreter in place of machine code: asked for, or where something is missing."""

from __future__ import annotations

import ctypes
import warnings

import casadi as ca
import numpy as np
import pytest

from condyle.errors import InputError
from condyle.kernels import build, source

from .graphs import exact


def test_the_interpreter_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shapes, batches, out, threads and addresses are those of compiled kernels."""
    monkeypatch.setenv("CONDYLE_BACKEND", "llvm")
    compiled = build(lambda: exact(7, calls=True), None, "compiled")
    monkeypatch.setenv("CONDYLE_BACKEND", "casadi")
    interpreted = build(lambda: exact(7, calls=True), None, "interpreted")
    assert interpreted.interpreted and not compiled.interpreted
    assert interpreted.inputs == compiled.inputs
    assert interpreted.outputs == compiled.outputs
    rng = np.random.default_rng(0)
    for batch in ((), (3,), (2, 9)):
        x = rng.integers(-9, 9, (*batch, 4)), rng.integers(-9, 9, (2, 2))
        for threads in (1, 2):
            for one, other in zip(interpreted(*x, threads=threads), compiled(*x), strict=True):
                np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("width", [1, 4])
def test_its_address_is_a_callback(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled loops call the interpreter like a compiled kernel, null pointers included."""
    monkeypatch.setenv("CONDYLE_BACKEND", "casadi")
    x, none = ca.SX.sym("x", 2), ca.SX.sym("none", 0)
    kernel = build(lambda: ca.Function("f", [x, none], [2 * x]), None, "f")
    a = np.arange(6.0 * width).reshape(3, 2, width)
    result = np.zeros_like(a)
    pointers = (ctypes.c_void_p * 3)(a.ctypes.data, None, result.ctypes.data)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(kernel.address(width))
    function(ctypes.addressof(pointers), 3)
    np.testing.assert_array_equal(result, 2 * a)


def test_unknown_operations_fall_back_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """One warning names the kernel and the operation; the result is CasADi's."""
    monkeypatch.setenv("CONDYLE_BACKEND", "llvm")
    x = ca.SX.sym("x")
    function = ca.Function("f", [x], [ca.erfinv(x)])
    with pytest.warns(RuntimeWarning, match="inverse runs on CasADi's interpreter: f: "):
        kernel = build(lambda: function, b"unknown", "inverse")
    assert kernel(np.array([0.5])) == float(function(0.5))


def test_a_missing_llvmlite_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without llvmlite everything works, and one warning says why it is slow."""
    monkeypatch.setenv("CONDYLE_BACKEND", "")
    monkeypatch.setattr(source.importlib.util, "find_spec", lambda name: None)
    source._llvm_found.cache_clear()
    try:
        with pytest.warns(RuntimeWarning, match="llvmlite is not installed"):
            assert build(lambda: exact(2), None, "f").interpreted
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert build(lambda: exact(2), None, "f").interpreted
    finally:
        source._llvm_found.cache_clear()


def test_an_unknown_backend_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The closest allowed name is suggested."""
    monkeypatch.setenv("CONDYLE_BACKEND", "casdi")
    with pytest.raises(InputError, match="did you mean 'casadi'"):
        build(lambda: exact(2), None, "f")
