"""Elementary functions as LLVM text, for one double or for W lanes; a lane's bits do not depend on W.

`text("sin", 8)` defines `@condyle_sin_8(<8 x double>) -> <8 x double>`; width 1 takes and returns `double`.
`sincos` returns the struct { sine, cosine }. `texts(names, width)` merges several and declares the functions
of the C library that they fall back on.
Functions take values in radians or pure numbers; `SOURCES` states range and accuracy of each.

Every step is written as it is meant (explicit fma, no fast-math flag). A target without fused multiply-add
calls the C library's `fma`: the same bits, slowly. Rounding to nearest is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable

from condyle.errors import closest
from condyle.kernels.elementary import (
    error_function,
    exponential,
    hyperbolic,
    hypotenuse,
    inverse_hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    trigonometric,
)
from condyle.kernels.elementary.definition import Definition

_DEFINITIONS: dict[str, Definition] = {
    item.name: item
    for family in (
        trigonometric,
        inverse_trigonometric,
        exponential,
        logarithm,
        power,
        hyperbolic,
        inverse_hyperbolic,
        error_function,
        hypotenuse,
    )
    for item in family.DEFINITIONS
}

NAMES = frozenset(_DEFINITIONS)
LIBM_SYMBOLS = frozenset(symbol for item in _DEFINITIONS.values() for symbol in item.libm)
ARGUMENTS = {name: item.arguments for name, item in _DEFINITIONS.items()}
ACCURACY = {name: item.accuracy for name, item in _DEFINITIONS.items()}
SOURCES = {name: f"within {item.accuracy:g} ulp for {item.range}" for name, item in _DEFINITIONS.items()}


def definitions(names: Iterable[str], width: int) -> str:
    """LLVM definitions without declarations, each once, in a fixed order."""
    chosen = _known(names)
    return "".join(item.text(width) for name, item in _DEFINITIONS.items() if name in chosen)


def declarations(names: Iterable[str]) -> dict[str, str]:
    """C library function -> its `declare` line, for the named functions."""
    chosen = _known(names)
    used = {symbol: _DEFINITIONS[name].arguments for name in chosen for symbol in _DEFINITIONS[name].libm}
    return {
        symbol: f"declare double @{symbol}({', '.join(['double'] * used[symbol])})" for symbol in sorted(used)
    }


def texts(names: Iterable[str], width: int) -> str:
    """Declarations and definitions of several functions, without duplicates."""
    chosen = _known(names)
    return "".join(f"{line}\n" for line in declarations(chosen).values()) + definitions(chosen, width)


def text(name: str, width: int) -> str:
    """Declarations and definitions of one function."""
    return texts((name,), width)


def _known(names: Iterable[str]) -> frozenset[str]:
    chosen = frozenset(names)
    unknown = sorted(chosen - NAMES)
    if unknown:
        raise KeyError(
            "; ".join(f"no elementary function {name!r}{closest(name, sorted(NAMES))}" for name in unknown)
        )
    return chosen
