"""Findings of the form's validation as sentences, at the place where they stand in the file."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

from condyle.errors import Problem, closest
from condyle.io.yaml.describe import describe
from condyle.io.yaml.form import Form, model_form
from condyle.io.yaml.tree import Node

_NEEDED = {
    "model_type": "a map",
    "model_attributes_type": "a map",
    "dict_type": "a map",
    "tuple_type": "a list",
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "none_required": "nothing",
}


def located(tree: Node, findings: Iterable[Any]) -> list[tuple[tuple[str | int, ...], Problem]]:
    """Path and problem ("line:column", "path: what") of each finding of pydantic, in the file's order."""
    found: dict[tuple[Any, ...], tuple[tuple[int, int], str]] = {}
    for finding in findings:
        form, allowed = _follow(finding["loc"])
        location = _written(tree, finding["loc"])
        kind = finding["type"]
        if kind == "missing" and isinstance(finding["loc"][-1], int):
            location, kind = location[:-1], "length"
        what = _sentence(kind, finding, form, allowed)
        if kind.startswith("union_tag"):
            location = (*location, "type")
        position = tree.locate(location)
        found.setdefault((location, what), (position, what))
    ordered = sorted(found.items(), key=lambda item: item[1][0])
    return [
        (location, Problem(f"{line}:{column}", f"{_shown(location)}: {what}"))
        for (location, _), ((line, column), what) in ordered
    ]


def _sentence(kind: str, finding: Any, form: Any, allowed: list[str]) -> str:
    value, last = finding["input"], finding["loc"][-1] if finding["loc"] else ""
    if kind == "missing":
        return "is missing" if last != "type" else f"is missing{closest('', allowed)}"
    if kind == "extra_forbidden":
        return f"unknown key{closest(str(last), allowed)}"
    if kind == "union_tag_invalid":
        return f"unknown type {describe(value.get('type'))}{closest(str(value.get('type')), allowed)}"
    if kind == "union_tag_not_found":
        return f"is missing{closest('', allowed)}"
    if kind == "literal_error":
        choices = [str(choice) for choice in allowed]
        return f"found {describe(value)}{closest(str(value), choices)}"
    if kind in ("length", "too_long"):
        arguments = [argument for argument in get_args(form) if argument is not Ellipsis]
        return f"a list of {len(arguments)} is needed, found {describe(value)}"
    if kind in _NEEDED:
        return f"{_NEEDED[kind]} is needed, found {describe(value)}"
    return str(finding["msg"])


def _follow(location: tuple[str | int, ...]) -> tuple[Any, list[str]]:
    """The annotation that holds the finding's last step, and the words that may stand there."""
    holder: Any = model_form()
    current: Any = holder
    for part in location:
        holder, step = current, _step(current, part)
        if step is None:
            return holder, _words(holder)
        current = step
    if isinstance(location[-1] if location else None, int):
        return holder, []
    return (holder, _words(current)) if get_origin(current) is not tuple else (current, [])


def _step(current: Any, part: str | int) -> Any:
    if inspect.isclass(current) and issubclass(current, Form):
        field = current.model_fields.get(str(part))
        return field.annotation if field else None
    origin, arguments = get_origin(current), get_args(current)
    if origin is dict:
        return arguments[1]
    if origin is tuple and isinstance(part, int):
        return arguments[0] if Ellipsis in arguments else arguments[min(part, len(arguments) - 1)]
    if origin is not None and hasattr(current, "__metadata__"):
        return _step(arguments[0], part)
    return next((form for form in arguments if getattr(form, "kind", None) == part), None)


def _words(current: Any) -> list[str]:
    """Keys of a form, types of a choice, values of a literal."""
    if inspect.isclass(current) and issubclass(current, Form):
        return list(current.model_fields)
    if get_origin(current) is Literal:
        return [str(value) for value in get_args(current)]
    if hasattr(current, "__metadata__"):
        return _words(get_args(current)[0])
    return [form.kind for form in get_args(current) if getattr(form, "kind", None)]


def _written(tree: Node, location: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The path in the file: without the words that pydantic adds for a chosen type."""
    node: Node | None = tree
    path: list[str | int] = []
    for part in location:
        children = node.value if node is not None else None
        if isinstance(children, dict) and part in children:
            node = children[part]
        elif isinstance(children, list) and isinstance(part, int) and part < len(children):
            node = children[part]
        elif isinstance(children, dict) and "type" in children and children["type"].value == part:
            continue
        else:
            node = None
        path.append(part)
    return tuple(path)


def _shown(location: tuple[str | int, ...]) -> str:
    steps = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in location]
    return "".join(steps).lstrip(".") or "the file"
