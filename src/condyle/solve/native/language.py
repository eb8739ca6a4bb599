"""Compiled loops in a small part of Python: `@native` functions over one struct of numbers and arrays.

    class Memory:                       # the struct: annotations are its fields
        count: int
        rate: float
        state: Floats1

    @native
    def decay(m: Memory, steps: int) -> int: ...

The text is Python and runs as Python on NumPy arrays (that is how the compiler is tested, and what runs
where LLVM is missing); compiled, it is translated to LLVM text in one pass. All loops of an integrator cost
less than a second that way; their type inference and lowering in numba took more than ten.

The language: parameters are `int`, `float`, a struct or arrays; local numbers get their type from their first
assignment; `if`, `while`, `for ... in range`, `break`, `continue`, `return`; arithmetic, comparisons, `and`,
`or`, `not`; `abs`, `min`, `max`, `sqrt`, `int`, `float`; calls of other native functions and of kernels
(`condyle.kernels.by_address.call`); module constants that are numbers; `name = m.field` names an array.
Differences from Python: both sides of `a if c else b` are evaluated; `//` and `%` are for numbers >= 0;
division by zero gives infinity; indices are not checked. Floating-point operations are neither reordered nor
fused, so results do not depend on the machine's vector width.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

#: Arrays of a struct or of a parameter, by number of axes; the last axis is contiguous.
Floats1 = np.ndarray
Floats2 = np.ndarray
Floats3 = np.ndarray
Ints1 = np.ndarray
Ints2 = np.ndarray

#: Annotation -> (element type, axes).
ARRAYS = {
    "Floats1": ("double", 1),
    "Floats2": ("double", 2),
    "Floats3": ("double", 3),
    "Ints1": ("i64", 1),
    "Ints2": ("i64", 2),
}


class Native:
    """A function that the compiler may translate; called from Python it runs as Python. Final."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.__doc__ = function.__doc__

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


def native(function: F) -> F:
    """Decorator: mark a function as one of the small language."""
    return cast(F, Native(function))


def fields(struct: type) -> dict[str, str]:
    """Name -> annotation of a struct's fields, in order."""
    return {name: str(kind) for name, kind in struct.__annotations__.items()}


def signature(item: Native) -> tuple[list[tuple[str, str]], str]:
    """[(parameter, annotation)] and the return annotation."""
    notes = item.function.__annotations__
    names = item.function.__code__.co_varnames[: item.function.__code__.co_argcount]
    return [(name, _note(notes.get(name))) for name in names], _note(notes.get("return"))


def _note(annotation: Any) -> str:
    return getattr(annotation, "__name__", str(annotation))
