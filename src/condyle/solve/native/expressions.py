"""Expressions as LLVM text."""

from __future__ import annotations

import ast
import struct
from typing import Any

from condyle.solve.native.language import ARRAYS, Native, signature
from condyle.solve.native.scope import ELEMENT, FIELD, SCALARS, Scope, Value

_ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_COMPARE = {
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
}


def cast(scope: Scope, node: ast.AST, value: Value, kind: str) -> str:
    """A value as the LLVM type `kind`."""
    have, text = value
    if have == kind:
        return text
    if have == "i1" and kind == "i64":
        return scope.new(f"zext i1 {text} to i64")
    if have == "i64" and kind == "double":
        return scope.new(f"sitofp i64 {text} to double")
    scope.fail(node, f"a value of type {have} where {kind} is needed")


def truth(scope: Scope, node: ast.expr) -> str:
    """A value as i1."""
    kind, text = value(scope, node)
    if kind == "i1":
        return text
    return scope.new(f"icmp ne i64 {text}, 0" if kind == "i64" else f"fcmp une double {text}, 0.0")


def value(scope: Scope, node: ast.expr, void: bool = False) -> Value:
    """Type and text of an expression; void: its result is not needed."""
    if isinstance(node, ast.Constant):
        return _constant(scope, node, node.value)
    if isinstance(node, ast.Name):
        if node.id in scope.numbers:
            kind = scope.numbers[node.id]
            return kind, scope.new(f"load {kind}, ptr %v.{node.id}")
        if node.id not in scope.globals:
            scope.fail(node, f"{node.id!r} is not known here")
        return _constant(scope, node, scope.globals[node.id])
    if isinstance(node, ast.Attribute):
        note, pointer = field(scope, node)
        if note in ARRAYS:
            scope.fail(node, "an array is not a number")
        return SCALARS[note], scope.new(f"load {SCALARS[note]}, ptr {pointer}, {FIELD}")
    if isinstance(node, ast.Subscript):
        pointer, kind = element(scope, node)
        return kind, scope.new(f"load {kind}, ptr {pointer}, {ELEMENT[kind]}")
    if isinstance(node, ast.BinOp):
        return _binary(scope, node)
    if isinstance(node, ast.UnaryOp):
        return _unary(scope, node)
    if isinstance(node, ast.Compare):
        return _compare(scope, node)
    if isinstance(node, ast.BoolOp):
        return _both_or_either(scope, node)
    if isinstance(node, ast.IfExp):
        return _choose(
            scope, node, truth(scope, node.test), value(scope, node.body), value(scope, node.orelse)
        )
    if isinstance(node, ast.Call):
        return _call(scope, node, void)
    scope.fail(node, f"{type(node).__name__} is not in the language")


def _constant(scope: Scope, node: ast.AST, value: Any) -> Value:
    if isinstance(value, bool | int):
        return "i64", str(int(value))
    if isinstance(value, float):
        return "double", f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    scope.fail(node, f"{value!r} is not a number")


def _pair(scope: Scope, node: ast.AST, left: Value, right: Value) -> tuple[str, str, str]:
    """Both values in their common type."""
    kind = "double" if "double" in (left[0], right[0]) else "i64"
    widened = [v if v[0] != "i1" else ("i64", cast(scope, node, v, "i64")) for v in (left, right)]
    return kind, cast(scope, node, widened[0], kind), cast(scope, node, widened[1], kind)


def _binary(scope: Scope, node: ast.BinOp) -> Value:
    left, right = value(scope, node.left), value(scope, node.right)
    if isinstance(node.op, ast.Div | ast.Pow):
        a, b = (cast(scope, node, item, "double") for item in (left, right))
        if isinstance(node.op, ast.Div):
            return "double", scope.new(f"fdiv double {a}, {b}")
        return "double", scope.new(f"call double @pow(double {a}, double {b})")
    kind, a, b = _pair(scope, node, left, right)
    if isinstance(node.op, ast.FloorDiv | ast.Mod):
        if kind != "i64":
            scope.fail(node, "// and % are for integers")
        return kind, scope.new(f"{'sdiv' if isinstance(node.op, ast.FloorDiv) else 'srem'} i64 {a}, {b}")
    name = _ARITHMETIC.get(type(node.op))
    if name is None:
        scope.fail(node, f"{type(node.op).__name__} is not in the language")
    return kind, scope.new(f"f{name} double {a}, {b}" if kind == "double" else f"{name} nsw i64 {a}, {b}")


def _unary(scope: Scope, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return "i1", scope.new(f"xor i1 {truth(scope, node.operand)}, true")
    if isinstance(node.op, ast.USub):
        if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int | float):
            return _constant(scope, node, -node.operand.value)
        kind, text = value(scope, node.operand)
        return kind, scope.new(f"fneg double {text}" if kind == "double" else f"sub nsw i64 0, {text}")
    scope.fail(node, f"{type(node.op).__name__} is not in the language")


def _compare(scope: Scope, node: ast.Compare) -> Value:
    result = ""
    left = value(scope, node.left)
    for operation, item in zip(node.ops, node.comparators, strict=True):
        right = value(scope, item)
        if left[0] == right[0] == "i1":
            kind, a, b = "i1", left[1], right[1]
        else:
            kind, a, b = _pair(scope, node, left, right)
        whole, real = _COMPARE[type(operation)]
        test = scope.new(
            f"fcmp {real} double {a}, {b}" if kind == "double" else f"icmp {whole} {kind} {a}, {b}"
        )
        result = test if not result else scope.new(f"and i1 {result}, {test}")
        left = right
    return "i1", result


def _both_or_either(scope: Scope, node: ast.BoolOp) -> Value:
    """Short-circuit: the right side may be an index that only makes sense if the left side holds."""
    both = isinstance(node.op, ast.And)
    slot, end = f"%v.{scope.label('logic')}", scope.label("end")
    scope.head.append(f"{slot} = alloca i1")
    for index, item in enumerate(node.values):
        test = truth(scope, item)
        scope.body.append(f"store i1 {test}, ptr {slot}")
        if index < len(node.values) - 1:
            more = scope.label("more")
            scope.body.append(f"br i1 {test}, label %{more if both else end}, label %{end if both else more}")
            scope.place(more)
    scope.jump(end)
    scope.place(end)
    return "i1", scope.new(f"load i1, ptr {slot}")


def _choose(scope: Scope, node: ast.AST, test: str, first: Value, second: Value) -> Value:
    kind, a, b = _pair(scope, node, first, second)
    return kind, scope.new(f"select i1 {test}, {kind} {a}, {kind} {b}")


def _call(scope: Scope, node: ast.Call, void: bool) -> Value:
    if not isinstance(node.func, ast.Name) or node.keywords:
        scope.fail(node, "only plain calls of functions by name")
    name, found = node.func.id, scope.globals.get(node.func.id)
    if isinstance(found, Native):
        return _call_native(scope, node, found, void)
    values = [value(scope, item) for item in node.args]
    if name == "call":
        address, arguments, blocks = (cast(scope, node, item, "i64") for item in values)
        function, pointer = (scope.new(f"inttoptr i64 {item} to ptr") for item in (address, arguments))
        scope.body.append(f"call void {function}(ptr {pointer}, i64 {blocks})")
        return "void", ""
    if name == "sqrt":
        return "double", scope.new(
            f"call double @llvm.sqrt.f64(double {cast(scope, node, values[0], 'double')})"
        )
    if name == "abs":
        return "double", scope.new(
            f"call double @llvm.fabs.f64(double {cast(scope, node, values[0], 'double')})"
        )
    if name == "float":
        return "double", cast(scope, node, values[0], "double")
    if name == "int":
        kind, text = values[0]
        return "i64", scope.new(f"fptosi double {text} to i64") if kind == "double" else cast(
            scope, node, values[0], "i64"
        )
    if name in ("min", "max"):
        # As Python: the first unless a later one is strictly beyond it.
        best = values[0]
        for other in values[1:]:
            kind, a, b = _pair(scope, node, best, other)
            order = {"min": ("slt", "olt"), "max": ("sgt", "ogt")}[name][kind == "double"]
            test = scope.new(f"{'fcmp' if kind == 'double' else 'icmp'} {order} {kind} {b}, {a}")
            best = kind, scope.new(f"select i1 {test}, {kind} {b}, {kind} {a}")
        return best
    scope.fail(node, f"{name!r} is no native function")


def _call_native(scope: Scope, node: ast.Call, callee: Native, void: bool) -> Value:
    parameters, returns = signature(callee)
    if len(parameters) != len(node.args):
        scope.fail(node, f"{callee.name} takes {len(parameters)} arguments")
    texts = []
    for (_, note), item in zip(parameters, node.args, strict=True):
        if note in SCALARS:
            texts.append(f"{SCALARS[note]} {cast(scope, node, value(scope, item), SCALARS[note])}")
        elif note in ARRAYS:
            pointer, pitches, _ = array(scope, item)
            texts.append(", ".join([f"ptr {pointer}", *(f"i64 {pitch}" for pitch in pitches)]))
        else:
            assert isinstance(item, ast.Name)
            texts.append(f"ptr %p.{item.id}")
    kind = SCALARS.get(returns, "void")
    text = f'call {kind} @"{callee.name}"({", ".join(texts)})'
    if kind == "void" or void:
        scope.body.append(text)
        return kind, ""
    return kind, scope.new(text)


def field(scope: Scope, node: ast.Attribute) -> tuple[str, str]:
    """Annotation and address of a field of a struct."""
    if not isinstance(node.value, ast.Name) or node.value.id not in scope.structs:
        scope.fail(node, "only fields of a struct parameter")
    struct = scope.structs[node.value.id]
    if node.attr not in struct:
        scope.fail(node, f"the struct has no field {node.attr!r}")
    note, offset = struct[node.attr]
    return note, scope.new(f"getelementptr inbounds i8, ptr %p.{node.value.id}, i64 {8 * offset}")


def array(scope: Scope, node: ast.expr) -> tuple[str, list[str], str]:
    """Address, pitches and element type."""
    if isinstance(node, ast.Name):
        if node.id not in scope.arrays:
            scope.fail(node, f"{node.id!r} is no array")
        return scope.arrays[node.id]
    if not isinstance(node, ast.Attribute):
        scope.fail(node, "this is no array")
    note, pointer = field(scope, node)
    if note not in ARRAYS:
        scope.fail(node, f"{node.attr!r} is no array")
    element, axes = ARRAYS[note]
    start = scope.new(f"load ptr, ptr {pointer}, {FIELD}")
    pitches = []
    for axis in range(axes - 1):
        at = scope.new(f"getelementptr inbounds i8, ptr {pointer}, i64 {8 * (axis + 1)}")
        pitches.append(scope.new(f"load i64, ptr {at}, {FIELD}"))
    return start, pitches, element


def element(scope: Scope, node: ast.Subscript) -> tuple[str, str]:
    """Address and type of an element."""
    start, pitches, kind = array(scope, node.value)
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if len(indices) != len(pitches) + 1:
        scope.fail(node, f"{len(indices)} indices for an array of {len(pitches) + 1} axes")
    total = ""
    for index, pitch in zip(indices, [*pitches, ""], strict=True):
        text = cast(scope, node, value(scope, index), "i64")
        if pitch:
            text = scope.new(f"mul nsw i64 {text}, {pitch}")
        total = scope.new(f"add nsw i64 {total}, {text}") if total else text
    return scope.new(f"getelementptr inbounds {kind}, ptr {start}, i64 {total}"), kind
