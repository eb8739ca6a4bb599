"""Objects for machines that we are not on: they ask for the C library's mathematics and nothing else."""

from __future__ import annotations

import casadi as ca
import pytest

from condyle.kernels import elementary, libm
from condyle.kernels.compile import object_code
from condyle.kernels.entries import module
from condyle.kernels.instructions import lower
from condyle.kernels.target import Target

from .graphs import exact, smooth
from .object_files import undefined

MATHEMATICS = elementary.LIBM_SYMBOLS | libm.ARITY.keys()
#: What old x86 processors without FMA and SSE4.1 need besides.
OLD = {"fma", "floor", "ceil", "rint", "trunc"}

TARGETS = {
    "windows": (Target("x86_64-pc-windows-msvc", "x86-64-v3", "+avx2,+fma"), 4, {"_fltused"}),
    "windows old": (Target("x86_64-pc-windows-msvc", "x86-64", ""), 2, {"_fltused", *OLD}),
    "macos arm": (Target("arm64-apple-darwin", "apple-m1", ""), 2, set()),
    "linux arm": (Target("aarch64-unknown-linux-gnu", "generic", ""), 2, set()),
    "linux": (Target("x86_64-unknown-linux-gnu", "x86-64-v4", "+avx512f,+fma"), 8, set()),
    "linux old": (Target("x86_64-unknown-linux-gnu", "x86-64", ""), 2, OLD),
}


def large() -> ca.Function:
    """A graph with calls, pieces, a large output and large frames."""
    x = ca.SX.sym("x", 5)
    y = smooth(1, 300)(x)[0]
    a, b = exact(1, 200)(x[:4], ca.reshape(x[1:], 2, 2))
    return ca.Function("large", [x], [ca.repmat(y, 1, 60), a, b, ca.sin(x), ca.erf(x)])


@pytest.mark.parametrize("name", TARGETS)
def test_undefined_symbols_are_known(name: str) -> None:
    """No run-time library of a compiler, no __chkstk, no memcpy: only functions of the C library."""
    target, lanes, more = TARGETS[name]
    assert target.lanes == lanes
    program = lower(large())
    for width in (1, lanes):
        symbols = undefined(object_code(module(program, width, target, 150), target))
        if "apple" in target.triple:
            symbols = {symbol.removeprefix("_") for symbol in symbols}
        assert "sin" in symbols
        assert symbols <= MATHEMATICS | more


def test_the_symbol_reader_sees_what_is_missing() -> None:
    """The readers of the three formats find a symbol that is not there."""
    text = "declare void @elsewhere()\ndefine void @here() {\n  call void @elsewhere()\n  ret void\n}\n"
    for target, _, more in TARGETS.values():
        symbols = undefined(object_code(f'target triple = "{target.triple}"\n{text}', target))
        assert {symbol.lstrip("_") for symbol in symbols - more} == {"elsewhere"}


def test_windows_touches_the_stack_before_it_is_used() -> None:
    """The exported functions have no frame of their own and touch the stack first."""
    target = TARGETS["windows"][0]
    text = module(lower(large()), 4, target, 150)
    for entry in ("lanes", "rows"):
        start = text.index(f"define void @condyle_{entry}_4(")
        assert text[start:].splitlines()[1] == "  call void @condyle_touch()"
    assert "condyle_touch" not in module(lower(large()), 4, TARGETS["linux"][0])
