"""One function under translation: its names, and the LLVM text so far."""

from __future__ import annotations

import ast
from typing import NoReturn

from condyle.errors import CondyleError
from condyle.solve.native.language import ARRAYS, Native, fields, signature

#: LLVM types of numbers, by annotation.
SCALARS = {"int": "i64", "float": "double"}

# Numbers of the struct and array elements of either type never overlap: said to LLVM so that it keeps
# addresses and sizes in registers across stores.
METADATA = """
!0 = !{!"condyle"}
!1 = !{!"field", !0}
!2 = !{!"floats", !0}
!3 = !{!"integers", !0}
!4 = !{!1, !1, i64 0}
!5 = !{!2, !2, i64 0}
!6 = !{!3, !3, i64 0}
"""
FIELD, ELEMENT = "!tbaa !4", {"double": "!tbaa !5", "i64": "!tbaa !6"}

Value = tuple[str, str]  # LLVM type, text


class TranslationError(CondyleError):
    """A native function uses what the language does not have; the message says where."""


class Scope:
    """Names and text of one function. Final.

    numbers: LLVM type of each local number (in memory until LLVM moves it to registers); arrays: address,
    pitches, element type; structs: fields of each struct parameter; loops: where `continue` and `break` go.
    """

    def __init__(self, item: Native) -> None:
        self.item = item
        self.globals = item.function.__globals__
        self.parameters, returns = signature(item)
        self.returns = SCALARS.get(returns, "void")
        self.head: list[str] = []
        self.body: list[str] = []
        self.count = 0
        self.numbers: dict[str, str] = {}
        self.arrays: dict[str, tuple[str, list[str], str]] = {}
        self.structs: dict[str, dict[str, tuple[str, int]]] = {}
        self.loops: list[tuple[str, str]] = []

    def fail(self, node: ast.AST, what: str) -> NoReturn:
        """Raise with function and line."""
        line = self.item.function.__code__.co_firstlineno
        raise TranslationError(f"{self.item.name} (line {getattr(node, 'lineno', line)}): {what}")

    def new(self, text: str) -> str:
        """The name of a new value."""
        self.count += 1
        self.body.append(f"%t{self.count} = {text}")
        return f"%t{self.count}"

    def label(self, name: str) -> str:
        """A label, or a name, that is used nowhere else."""
        self.count += 1
        return f"{name}{self.count}"

    def jump(self, target: str) -> None:
        """End a block."""
        self.body.append(f"br label %{target}")

    def place(self, label: str) -> None:
        """Begin a block."""
        self.body.append(f"{label}:")

    def declare(self, name: str, kind: str) -> None:
        """Room for a local number."""
        self.numbers[name] = kind
        self.head.append(f"%v.{name} = alloca {kind}")


def layout_of(struct: type) -> dict[str, tuple[str, int]]:
    """Field -> (annotation, offset in words): one word for a number; address and pitches for an array."""
    result, offset = {}, 0
    for name, note in fields(struct).items():
        result[name] = (note, offset)
        offset += ARRAYS[note][1] if note in ARRAYS else 1
    return result
