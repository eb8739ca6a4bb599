"""Native functions to LLVM text: one walk over each function's syntax tree."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from typing import Any, NoReturn

from condyle.errors import CondyleError
from condyle.solve.native.language import ARRAYS, Native, fields

_SCALARS = {"int": "i64", "float": "double"}
_ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_COMPARE = {
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
}

# Numbers of the struct, array elements of either type and array addresses never overlap: said to LLVM so that
# it keeps addresses and sizes in registers across stores.
_METADATA = """
!0 = !{!"condyle"}
!1 = !{!"field", !0}
!2 = !{!"floats", !0}
!3 = !{!"integers", !0}
!4 = !{!1, !1, i64 0}
!5 = !{!2, !2, i64 0}
!6 = !{!3, !3, i64 0}
"""
_FIELD, _ELEMENT = "!tbaa !4", {"double": "!tbaa !5", "i64": "!tbaa !6"}

Value = tuple[str, str]  # LLVM type, text


class TranslationError(CondyleError):
    """A native function uses what the language does not have; the message says where."""


def module_text(entry: Native) -> str:
    """LLVM text of `i64 @condyle_loop(ptr struct, i64 argument)`, which calls `entry`, and of all that it calls."""
    functions = reachable(entry)
    parts = [_Function(item).text() for item in functions]
    parts.append(
        f"define i64 @condyle_loop(ptr noalias %struct, i64 %argument) nounwind {{\n"
        f'  %r = call i64 @"{entry.name}"(ptr %struct, i64 %argument)\n  ret i64 %r\n}}'
    )
    parts.append("declare double @llvm.fabs.f64(double)\ndeclare double @llvm.sqrt.f64(double)")
    parts.append("declare double @pow(double, double) nounwind memory(none)")
    return "\n".join(parts) + _METADATA


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


def signature(item: Native) -> tuple[list[tuple[str, str]], str]:
    """[(parameter, annotation)] and the return annotation."""
    notes = item.function.__annotations__
    names = item.function.__code__.co_varnames[: item.function.__code__.co_argcount]
    return [(name, _note(notes.get(name))) for name in names], _note(notes.get("return"))


def _note(annotation: Any) -> str:
    return getattr(annotation, "__name__", str(annotation))


class _Function:
    """Translation of one function. Final."""

    def __init__(self, item: Native) -> None:
        self.item = item
        self.globals = item.function.__globals__
        self.parameters, returns = signature(item)
        self.returns = _SCALARS.get(returns, "void")
        self.head: list[str] = []
        self.body: list[str] = []
        self.count = 0
        self.numbers: dict[str, str] = {}
        self.arrays: dict[str, tuple[str, list[str], str]] = {}
        self.structs: dict[str, dict[str, tuple[str, int]]] = {}
        self.loops: list[tuple[str, str]] = []

    def text(self) -> str:
        arguments = []
        for name, note in self.parameters:
            if note in _SCALARS:
                arguments.append(f"{_SCALARS[note]} %p.{name}")
                self.declare(name, _SCALARS[note])
                self.body.append(f"store {_SCALARS[note]} %p.{name}, ptr %v.{name}")
            elif note in ARRAYS:
                element, axes = ARRAYS[note]
                arguments.append(f"ptr %p.{name}")
                arguments += [f"i64 %p.{name}.{axis}" for axis in range(axes - 1)]
                self.arrays[name] = (f"%p.{name}", [f"%p.{name}.{axis}" for axis in range(axes - 1)], element)
            else:
                arguments.append(f"ptr %p.{name}")
                self.structs[name] = layout_of(self.globals[note])
        for statement in _definition(self.item.function).body:
            self.statement(statement)
        self.body.append(
            "ret void" if self.returns == "void" else f"ret {self.returns} {_zero(self.returns)}"
        )
        lines = "\n".join("  " + line if not line.endswith(":") else line for line in self.head + self.body)
        return f'define internal {self.returns} @"{self.item.name}"({", ".join(arguments)}) noinline nounwind
        {{\nentry:\n{lines}\n}}'

    # Text -------------------------------------------------------------------------------------------------

    def fail(self, node: ast.AST, what: str) -> NoReturn:
        line = self.item.function.__code__.co_firstlineno
        raise TranslationError(f"{self.item.name} (line {getattr(node, 'lineno', line)}): {what}")

    def new(self, text: str) -> str:
        self.count += 1
        self.body.append(f"%t{self.count} = {text}")
        return f"%t{self.count}"

    def label(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    def jump(self, target: str) -> None:
        self.body.append(f"br label %{target}")

    def place(self, label: str) -> None:
        self.body.append(f"{label}:")

    def declare(self, name: str, kind: str) -> None:
        self.numbers[name] = kind
        self.head.append(f"%v.{name} = alloca {kind}")

    # Statements -------------------------------------------------------------------------------------------

    def statement(self, node: ast.stmt) -> None:
        handler = getattr(self, f"on_{type(node).__name__.lower()}", None)
        if handler is None:
            self.fail(node, f"{type(node).__name__} is not in the language")
        handler(node)

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def on_pass(self, node: ast.Pass) -> None:
        pass

    def on_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value, void=True)

    def on_assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Attribute):
            field = self.field(node.value)
            if field[0] in ARRAYS:
                self.arrays[target.id] = self.array(node.value)
                return
        self.store(target, self.value(node.value))

    def on_augassign(self, node: ast.AugAssign) -> None:
        load = ast.copy_location(_loaded(node.target), node)
        self.store(node.target, self.value(ast.copy_location(ast.BinOp(load, node.op, node.value), node)))

    def store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            if target.id not in self.numbers:
                self.declare(target.id, "i64" if value[0] == "i1" else value[0])
            kind = self.numbers[target.id]
            self.body.append(f"store {kind} {self.cast(target, value, kind)}, ptr %v.{target.id}")
        elif isinstance(target, ast.Subscript):
            pointer, kind = self.element(target)
            self.body.append(
                f"store {kind} {self.cast(target, value, kind)}, ptr {pointer}, {_ELEMENT[kind]}"
            )
        elif isinstance(target, ast.Attribute):
            note, pointer = self.field(target)
            kind = _SCALARS[note]
            self.body.append(f"store {kind} {self.cast(target, value, kind)}, ptr {pointer}, {_FIELD}")
        else:
            self.fail(target, "this cannot be assigned to")

    def on_if(self, node: ast.If) -> None:
        then, other, end = self.label("then"), self.label("else"), self.label("end")
        self.body.append(f"br i1 {self.truth(node.test)}, label %{then}, label %{other}")
        self.place(then)
        self.block(node.body)
        self.jump(end)
        self.place(other)
        self.block(node.orelse)
        self.jump(end)
        self.place(end)

    def on_while(self, node: ast.While) -> None:
        test, body, end = self.label("test"), self.label("body"), self.label("end")
        self.jump(test)
        self.place(test)
        self.body.append(f"br i1 {self.truth(node.test)}, label %{body}, label %{end}")
        self.place(body)
        self.loops.append((test, end))
        self.block(node.body)
        self.loops.pop()
        self.jump(test)
        self.place(end)

    def on_for(self, node: ast.For) -> None:
        call = node.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            self.fail(node, "for needs range(...)")
        if not isinstance(node.target, ast.Name):
            self.fail(node, "for needs one name")
        bounds = [self.cast(node, self.value(item), "i64") for item in call.args]
        start = bounds[0] if len(bounds) > 1 else "0"
        stop = bounds[1] if len(bounds) > 1 else bounds[0]
        step = bounds[2] if len(bounds) > 2 else "1"
        order = "sgt" if step.startswith("-") else "slt"
        counter = f"%v.{self.label('counter')}"
        self.head.append(f"{counter} = alloca i64")
        if node.target.id not in self.numbers:
            self.declare(node.target.id, "i64")
        test, body, again, end = (self.label(name) for name in ("test", "body", "again", "end"))
        self.body.append(f"store i64 {start}, ptr {counter}")
        self.jump(test)
        self.place(test)
        now = self.new(f"load i64, ptr {counter}")
        self.body.append(f"br i1 {self.new(f'icmp {order} i64 {now}, {stop}')}, label %{body}, label %{end}")
        self.place(body)
        self.body.append(f"store i64 {now}, ptr %v.{node.target.id}")
        self.loops.append((again, end))
        self.block(node.body)
        self.loops.pop()
        self.jump(again)
        self.place(again)
        self.body.append(f"store i64 {self.new(f'add nsw i64 {now}, {step}')}, ptr {counter}")
        self.jump(test)
        self.place(end)

    def on_break(self, node: ast.Break) -> None:
        self.jump(self.loops[-1][1])
        self.place(self.label("dead"))

    def on_continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1][0])
        self.place(self.label("dead"))

    def on_return(self, node: ast.Return) -> None:
        if node.value is None:
            self.body.append("ret void")
        else:
            self.body.append(f"ret {self.returns} {self.cast(node, self.value(node.value), self.returns)}")
        self.place(self.label("dead"))

    # Expressions ------------------------------------------------------------------------------------------

    def cast(self, node: ast.AST, value: Value, kind: str) -> str:
        have, text = value
        if have == kind:
            return text
        if have == "i1" and kind == "i64":
            return self.new(f"zext i1 {text} to i64")
        if have == "i64" and kind == "double":
            return self.new(f"sitofp i64 {text} to double")
        self.fail(node, f"a value of type {have} where {kind} is needed")

    def truth(self, node: ast.expr) -> str:
        kind, text = self.value(node)
        if kind == "i1":
            return text
        return self.new(f"icmp ne i64 {text}, 0" if kind == "i64" else f"fcmp une double {text}, 0.0")

    def value(self, node: ast.expr, void: bool = False) -> Value:
        if isinstance(node, ast.Constant):
            return self.constant(node, node.value)
        if isinstance(node, ast.Name):
            if node.id in self.numbers:
                kind = self.numbers[node.id]
                return kind, self.new(f"load {kind}, ptr %v.{node.id}")
            if node.id not in self.globals:
                self.fail(node, f"{node.id!r} is not known here")
            return self.constant(node, self.globals[node.id])
        if isinstance(node, ast.Attribute):
            note, pointer = self.field(node)
            if note in ARRAYS:
                self.fail(node, "an array is not a number")
            return _SCALARS[note], self.new(f"load {_SCALARS[note]}, ptr {pointer}, {_FIELD}")
        if isinstance(node, ast.Subscript):
            pointer, kind = self.element(node)
            return kind, self.new(f"load {kind}, ptr {pointer}, {_ELEMENT[kind]}")
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.Compare):
            return self.compare(node)
        if isinstance(node, ast.BoolOp):
            return self.both_or_either(node)
        if isinstance(node, ast.IfExp):
            return self.choose(node, self.truth(node.test), self.value(node.body), self.value(node.orelse))
        if isinstance(node, ast.Call):
            return self.call(node, void)
        self.fail(node, f"{type(node).__name__} is not in the language")

    def constant(self, node: ast.AST, value: Any) -> Value:
        if isinstance(value, bool | int):
            return "i64", str(int(value))
        if isinstance(value, float):
            import struct

            return "double", f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        self.fail(node, f"{value!r} is not a number")

    def pair(self, node: ast.AST, left: Value, right: Value) -> tuple[str, str, str]:
        """Both values in their common type."""
        kind = "double" if "double" in (left[0], right[0]) else "i64"
        widened = [v if v[0] != "i1" else ("i64", self.cast(node, v, "i64")) for v in (left, right)]
        return kind, self.cast(node, widened[0], kind), self.cast(node, widened[1], kind)

    def binary(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Div | ast.Pow):
            a, b = (self.cast(node, item, "double") for item in (left, right))
            if isinstance(node.op, ast.Div):
                return "double", self.new(f"fdiv double {a}, {b}")
            return "double", self.new(f"call double @pow(double {a}, double {b})")
        kind, a, b = self.pair(node, left, right)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            if kind != "i64":
                self.fail(node, "// and % are for integers")
            return kind, self.new(f"{'sdiv' if isinstance(node.op, ast.FloorDiv) else 'srem'} i64 {a}, {b}")
        name = _ARITHMETIC.get(type(node.op))
        if name is None:
            self.fail(node, f"{type(node.op).__name__} is not in the language")
        return kind, self.new(f"f{name} double {a}, {b}" if kind == "double" else f"{name} nsw i64 {a}, {b}")

    def unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return "i1", self.new(f"xor i1 {self.truth(node.operand)}, true")
        if isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant):
                return self.constant(node, -node.operand.value)
            kind, text = self.value(node.operand)
            return kind, self.new(f"fneg double {text}" if kind == "double" else f"sub nsw i64 0, {text}")
        self.fail(node, f"{type(node.op).__name__} is not in the language")

    def compare(self, node: ast.Compare) -> Value:
        result = ""
        left = self.value(node.left)
        for operation, item in zip(node.ops, node.comparators, strict=True):
            right = self.value(item)
            if left[0] == right[0] == "i1":
                kind, a, b = "i1", left[1], right[1]
            else:
                kind, a, b = self.pair(node, left, right)
            whole, real = _COMPARE[type(operation)]
            test = self.new(
                f"fcmp {real} double {a}, {b}" if kind == "double" else f"icmp {whole} {kind} {a}, {b}"
            )
            result = test if not result else self.new(f"and i1 {result}, {test}")
            left = right
        return "i1", result

    def both_or_either(self, node: ast.BoolOp) -> Value:
        """Short-circuit: the right side may be an index that only makes sense if the left side holds."""
        both = isinstance(node.op, ast.And)
        slot, end = f"%v.{self.label('logic')}", self.label("end")
        self.head.append(f"{slot} = alloca i1")
        for index, item in enumerate(node.values):
            test = self.truth(item)
            self.body.append(f"store i1 {test}, ptr {slot}")
            if index < len(node.values) - 1:
                more = self.label("more")
                self.body.append(
                    f"br i1 {test}, label %{more if both else end}, label %{end if both else more}"
                )
                self.place(more)
        self.jump(end)
        self.place(end)
        return "i1", self.new(f"load i1, ptr {slot}")

    def choose(self, node: ast.AST, test: str, first: Value, second: Value) -> Value:
        kind, a, b = self.pair(node, first, second)
        return kind, self.new(f"select i1 {test}, {kind} {a}, {kind} {b}")

    def call(self, node: ast.Call, void: bool) -> Value:
        if not isinstance(node.func, ast.Name) or node.keywords:
            self.fail(node, "only plain calls of functions by name")
        name, found = node.func.id, self.globals.get(node.func.id)
        if isinstance(found, Native):
            return self.call_native(node, found, void)
        values = [self.value(item) for item in node.args]
        if name == "call":
            address, arguments, blocks = (self.cast(node, item, "i64") for item in values)
            function, pointer = (self.new(f"inttoptr i64 {item} to ptr") for item in (address, arguments))
            self.body.append(f"call void {function}(ptr {pointer}, i64 {blocks})")
            return "void", ""
        if name == "sqrt":
            return "double", self.new(
                f"call double @llvm.sqrt.f64(double {self.cast(node, values[0], 'double')})"
            )
        if name == "abs":
            return "double", self.new(
                f"call double @llvm.fabs.f64(double {self.cast(node, values[0], 'double')})"
            )
        if name == "float":
            return "double", self.cast(node, values[0], "double")
        if name == "int":
            kind, text = values[0]
            return "i64", self.new(f"fptosi double {text} to i64") if kind == "double" else self.cast(
                node, values[0], "i64"
            )
        if name in ("min", "max"):
            # As Python: the first unless a later one is strictly beyond it.
            best = values[0]
            for other in values[1:]:
                kind, a, b = self.pair(node, best, other)
                order = {"min": ("slt", "olt"), "max": ("sgt", "ogt")}[name][kind == "double"]
                test = self.new(f"{'fcmp' if kind == 'double' else 'icmp'} {order} {kind} {b}, {a}")
                best = kind, self.new(f"select i1 {test}, {kind} {b}, {kind} {a}")
            return best
        self.fail(node, f"{name!r} is no native function")

    def call_native(self, node: ast.Call, callee: Native, void: bool) -> Value:
        parameters, returns = signature(callee)
        if len(parameters) != len(node.args):
            self.fail(node, f"{callee.name} takes {len(parameters)} arguments")
        texts = []
        for (_, note), item in zip(parameters, node.args, strict=True):
            if note in _SCALARS:
                texts.append(f"{_SCALARS[note]} {self.cast(node, self.value(item), _SCALARS[note])}")
            elif note in ARRAYS:
                pointer, pitches, _ = self.array(item)
                texts.append(", ".join([f"ptr {pointer}", *(f"i64 {pitch}" for pitch in pitches)]))
            else:
                assert isinstance(item, ast.Name)
                texts.append(f"ptr %p.{item.id}")
        kind = _SCALARS.get(returns, "void")
        text = f'call {kind} @"{callee.name}"({", ".join(texts)})'
        if kind == "void" or void:
            self.body.append(text)
            return kind, ""
        return kind, self.new(text)

    # Struct and arrays ------------------------------------------------------------------------------------

    def field(self, node: ast.Attribute) -> tuple[str, str]:
        """Annotation and address of a field of a struct."""
        if not isinstance(node.value, ast.Name) or node.value.id not in self.structs:
            self.fail(node, "only fields of a struct parameter")
        struct = self.structs[node.value.id]
        if node.attr not in struct:
            self.fail(node, f"the struct has no field {node.attr!r}")
        note, offset = struct[node.attr]
        return note, self.new(f"getelementptr inbounds i8, ptr %p.{node.value.id}, i64 {8 * offset}")

    def array(self, node: ast.expr) -> tuple[str, list[str], str]:
        """Address, pitches and element type."""
        if isinstance(node, ast.Name):
            if node.id not in self.arrays:
                self.fail(node, f"{node.id!r} is no array")
            return self.arrays[node.id]
        if not isinstance(node, ast.Attribute):
            self.fail(node, "this is no array")
        note, pointer = self.field(node)
        if note not in ARRAYS:
            self.fail(node, f"{node.attr!r} is no array")
        element, axes = ARRAYS[note]
        start = self.new(f"load ptr, ptr {pointer}, {_FIELD}")
        pitches = []
        for axis in range(axes - 1):
            at = self.new(f"getelementptr inbounds i8, ptr {pointer}, i64 {8 * (axis + 1)}")
            pitches.append(self.new(f"load i64, ptr {at}, {_FIELD}"))
        return start, pitches, element

    def element(self, node: ast.Subscript) -> tuple[str, str]:
        """Address and type of an element."""
        start, pitches, kind = self.array(node.value)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(indices) != len(pitches) + 1:
            self.fail(node, f"{len(indices)} indices for an array of {len(pitches) + 1} axes")
        total = ""
        for index, pitch in zip(indices, [*pitches, ""], strict=True):
            text = self.cast(node, self.value(index), "i64")
            if pitch:
                text = self.new(f"mul nsw i64 {text}, {pitch}")
            total = self.new(f"add nsw i64 {total}, {text}") if total else text
        return self.new(f"getelementptr inbounds {kind}, ptr {start}, i64 {total}"), kind


def layout_of(struct: type) -> dict[str, tuple[str, int]]:
    """Field -> (annotation, offset in words): a number takes one word, an array its address and its pitches."""
    result, offset = {}, 0
    for name, note in fields(struct).items():
        result[name] = (note, offset)
        offset += ARRAYS[note][1] if note in ARRAYS else 1
    return result


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    assert isinstance(target, ast.Attribute)
    return ast.Attribute(target.value, target.attr, ast.Load())


def _zero(kind: str) -> str:
    return "0" if kind == "i64" else "0.0"
