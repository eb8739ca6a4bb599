"""Statements as LLVM text."""

from __future__ import annotations

import ast
from collections.abc import Callable

from condyle.solve.native.expressions import array, cast, element, field, truth, value
from condyle.solve.native.language import ARRAYS
from condyle.solve.native.scope import ELEMENT, FIELD, SCALARS, Scope, Value


def statement(scope: Scope, node: ast.stmt) -> None:
    """Append the text of one statement."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        scope.fail(node, f"{type(node).__name__} is not in the language")
    handler(scope, node)


def block(scope: Scope, statements: list[ast.stmt]) -> None:
    """Append the text of statements."""
    for node in statements:
        statement(scope, node)


def _on_pass(scope: Scope, node: ast.Pass) -> None:
    pass


def _on_expr(scope: Scope, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        value(scope, node.value, void=True)


def _on_assign(scope: Scope, node: ast.Assign) -> None:
    target = node.targets[0]
    if isinstance(target, ast.Name) and isinstance(node.value, ast.Attribute):
        note, _ = field(scope, node.value)
        if note in ARRAYS:
            scope.arrays[target.id] = array(scope, node.value)
            return
    _store(scope, target, value(scope, node.value))


def _on_augassign(scope: Scope, node: ast.AugAssign) -> None:
    load = ast.copy_location(_loaded(node.target), node)
    _store(scope, node.target, value(scope, ast.copy_location(ast.BinOp(load, node.op, node.value), node)))


def _store(scope: Scope, target: ast.expr, value: Value) -> None:
    if isinstance(target, ast.Name):
        if target.id not in scope.numbers:
            scope.declare(target.id, "i64" if value[0] == "i1" else value[0])
        kind = scope.numbers[target.id]
        scope.body.append(f"store {kind} {cast(scope, target, value, kind)}, ptr %v.{target.id}")
    elif isinstance(target, ast.Subscript):
        pointer, kind = element(scope, target)
        scope.body.append(f"store {kind} {cast(scope, target, value, kind)}, ptr {pointer}, {ELEMENT[kind]}")
    elif isinstance(target, ast.Attribute):
        note, pointer = field(scope, target)
        kind = SCALARS[note]
        scope.body.append(f"store {kind} {cast(scope, target, value, kind)}, ptr {pointer}, {FIELD}")
    else:
        scope.fail(target, "this cannot be assigned to")


def _on_if(scope: Scope, node: ast.If) -> None:
    then, other, end = scope.label("then"), scope.label("else"), scope.label("end")
    scope.body.append(f"br i1 {truth(scope, node.test)}, label %{then}, label %{other}")
    scope.place(then)
    block(scope, node.body)
    scope.jump(end)
    scope.place(other)
    block(scope, node.orelse)
    scope.jump(end)
    scope.place(end)


def _on_while(scope: Scope, node: ast.While) -> None:
    test, body, end = scope.label("test"), scope.label("body"), scope.label("end")
    scope.jump(test)
    scope.place(test)
    scope.body.append(f"br i1 {truth(scope, node.test)}, label %{body}, label %{end}")
    scope.place(body)
    scope.loops.append((test, end))
    block(scope, node.body)
    scope.loops.pop()
    scope.jump(test)
    scope.place(end)


def _on_for(scope: Scope, node: ast.For) -> None:
    call = node.iter
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
        scope.fail(node, "for needs range(...)")
    if not isinstance(node.target, ast.Name):
        scope.fail(node, "for needs one name")
    bounds = [cast(scope, node, value(scope, item), "i64") for item in call.args]
    start = bounds[0] if len(bounds) > 1 else "0"
    stop = bounds[1] if len(bounds) > 1 else bounds[0]
    step = bounds[2] if len(bounds) > 2 else "1"
    order = "sgt" if step.startswith("-") else "slt"
    counter = f"%v.{scope.label('counter')}"
    scope.head.append(f"{counter} = alloca i64")
    if node.target.id not in scope.numbers:
        scope.declare(node.target.id, "i64")
    test, body, again, end = (scope.label(name) for name in ("test", "body", "again", "end"))
    scope.body.append(f"store i64 {start}, ptr {counter}")
    scope.jump(test)
    scope.place(test)
    now = scope.new(f"load i64, ptr {counter}")
    scope.body.append(f"br i1 {scope.new(f'icmp {order} i64 {now}, {stop}')}, label %{body}, label %{end}")
    scope.place(body)
    scope.body.append(f"store i64 {now}, ptr %v.{node.target.id}")
    scope.loops.append((again, end))
    block(scope, node.body)
    scope.loops.pop()
    scope.jump(again)
    scope.place(again)
    scope.body.append(f"store i64 {scope.new(f'add nsw i64 {now}, {step}')}, ptr {counter}")
    scope.jump(test)
    scope.place(end)


def _on_break(scope: Scope, node: ast.Break) -> None:
    scope.jump(scope.loops[-1][1])
    scope.place(scope.label("dead"))


def _on_continue(scope: Scope, node: ast.Continue) -> None:
    scope.jump(scope.loops[-1][0])
    scope.place(scope.label("dead"))


def _on_return(scope: Scope, node: ast.Return) -> None:
    if node.value is None:
        scope.body.append("ret void")
    else:
        scope.body.append(f"ret {scope.returns} {cast(scope, node, value(scope, node.value), scope.returns)}")
    scope.place(scope.label("dead"))


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    assert isinstance(target, ast.Attribute)
    return ast.Attribute(target.value, target.attr, ast.Load())


_HANDLERS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Pass: _on_pass,
    ast.Expr: _on_expr,
    ast.Assign: _on_assign,
    ast.AugAssign: _on_augassign,
    ast.If: _on_if,
    ast.While: _on_while,
    ast.For: _on_for,
    ast.Break: _on_break,
    ast.Continue: _on_continue,
    ast.Return: _on_return,
}
