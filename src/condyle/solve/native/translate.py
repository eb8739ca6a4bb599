"""Native functions to LLVM text."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from typing import Any

from condyle.solve.native.language import ARRAYS, Native
from condyle.solve.native.scope import METADATA, SCALARS, Scope, layout_of
from condyle.solve.native.statements import block


def module_text(entry: Native) -> str:
    """LLVM text of `i64 @condyle_loop(ptr struct, i64 argument)`: `entry` and all that it calls."""
    parts = [_function_text(item) for item in reachable(entry)]
    parts.append(
        f"define i64 @condyle_loop(ptr noalias %struct, i64 %argument) nounwind {{\n"
        f'  %r = call i64 @"{entry.name}"(ptr %struct, i64 %argument)\n  ret i64 %r\n}}'
    )
    parts.append("declare double @llvm.fabs.f64(double)\ndeclare double @llvm.sqrt.f64(double)")
    parts.append("declare double @pow(double, double) nounwind memory(none)")
    return "\n".join(parts) + METADATA


def reachable(entry: Native) -> list[Native]:
    """`entry` and the native functions that it calls, directly or not."""
    found, waiting = [], [entry]
    while waiting:
        item = waiting.pop()
        if item in found:
            continue
        found.append(item)
        names = item.function.__code__.co_names
        waiting += [
            value for name in names if isinstance(value := item.function.__globals__.get(name), Native)
        ]
    return found


@functools.cache
def _definitions(path: str) -> dict[str, ast.FunctionDef]:
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _definition(function: Any) -> ast.FunctionDef:
    if "<locals>" not in function.__qualname__:
        return _definitions(inspect.getfile(function))[function.__name__]
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def _function_text(item: Native) -> str:
    scope = Scope(item)
    arguments = []
    for name, note in scope.parameters:
        if note in SCALARS:
            arguments.append(f"{SCALARS[note]} %p.{name}")
            scope.declare(name, SCALARS[note])
            scope.body.append(f"store {SCALARS[note]} %p.{name}, ptr %v.{name}")
        elif note in ARRAYS:
            element, axes = ARRAYS[note]
            pitches = [f"%p.{name}.{axis}" for axis in range(axes - 1)]
            arguments += [f"ptr %p.{name}", *(f"i64 {pitch}" for pitch in pitches)]
            scope.arrays[name] = (f"%p.{name}", pitches, element)
        else:
            arguments.append(f"ptr %p.{name}")
            scope.structs[name] = layout_of(scope.globals[note])
    block(scope, _definition(item.function).body)
    zero = {"void": "", "i64": " 0", "double": " 0.0"}[scope.returns]
    scope.body.append(f"ret {scope.returns}{zero}")
    lines = [line if line.endswith(":") else "  " + line for line in scope.head + scope.body]
    # Not inlined: a call costs nothing beside a kernel's, copies would cost compile time. No builtins: else
    # LLVM would make calls of memcpy, for which not every system has an answer.
    attributes = 'noinline nounwind "no-builtins"'
    head = f'define internal {scope.returns} @"{item.name}"({", ".join(arguments)}) {attributes} {{'
    return "\n".join([head, "entry:", *lines, "}"])
