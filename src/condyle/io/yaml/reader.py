"""A model from its YAML form, with every problem reported as file:line:column."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from condyle.errors import InputError, ModelError, Problem, closest
from condyle.io.yaml.form import FORMAT_VERSION, TARGETS, Form, describe, model_form
from condyle.io.yaml.tree import LARGEST_TEXT, Node, Unreadable, parse
from condyle.model import Model


def read_yaml(source: str | bytes | os.PathLike[str]) -> Model:
    """The model in a file (a path) or in text (a string with a line break, or bytes).

    Raises InputError where the file cannot be read and ModelError, listing all problems, where it is no model.
    """
    name, text = _load(source)
    try:
        tree, problems = parse(text)
    except Unreadable as error:
        raise _error(name, [error.problem]) from None
    _check_version(name, tree)
    if problems:
        raise _error(name, problems)
    try:
        form = model_form().model_validate(tree.plain())
    except ValidationError as error:
        raise _error(name, [_problem(tree, item) for item in error.errors(include_url=False)]) from None
    try:
        return _build(form, None)
    except ModelError as error:
        raise _error(name, [_located(tree, problem) for problem in error.problems]) from None


def _load(source: str | bytes | os.PathLike[str]) -> tuple[str, str]:
    if isinstance(source, bytes):
        name, data = "<bytes>", source
    elif isinstance(source, str) and "\n" in source:
        return "<text>", source
    else:
        path = Path(source)
        name = str(path)
        try:
            with open(path, "rb") as file:
                data = file.read(4 * LARGEST_TEXT + 1)
        except FileNotFoundError:
            siblings = [item.name for item in path.parent.glob("*.y*ml")] if path.parent.is_dir() else []
            raise InputError(f"no file {name!r}{closest(path.name, siblings)}") from None
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {name!r}: {error}") from None
    try:
        return name, data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text (byte {error.start}: {error.reason})") from None


def _check_version(name: str, tree: Node) -> None:
    if not isinstance(tree.value, dict):
        what = f"a map that begins with `condyle: {FORMAT_VERSION}` is needed, found {describe(tree.plain())}"
        raise _error(name, [Problem(f"{tree.line}:{tree.column}", what)])
    version = tree.value.get("condyle")
    if version is None:
        what = f"`condyle: {FORMAT_VERSION}`, the version of the format, is missing; it is the first line of a model"
        raise _error(name, [Problem(f"{tree.line}:{tree.column}", what)])
    if version.value != FORMAT_VERSION or isinstance(version.value, bool):
        what = f"condyle: format version {describe(version.plain())}; this Condyle reads version {FORMAT_VERSION}"
        if isinstance(version.value, int) and version.value > FORMAT_VERSION:
            what += ". The file was written for a newer one: update Condyle"
        raise _error(name, [Problem(f"{version.line}:{version.column}", what)])


def _build(value: Any, name: str | None) -> Any:
    """Dataclasses from validated forms; what was not written keeps the dataclass's default."""
    if isinstance(value, Form):
        given = {key: _build(getattr(value, key), None) for key in value.model_fields_set - {"type", "condyle"}}
        if name is not None:
            given["name"] = name
        return TARGETS[type(value)](**given)
    if isinstance(value, dict):
        return tuple(_build(item, key) for key, item in value.items())
    if isinstance(value, tuple):
        return tuple(_build(item, None) for item in value)
    return value


def _error(name: str, problems: list[Problem]) -> ModelError:
    return ModelError(name, [Problem(f"{name}:{problem.where}", problem.what) for problem in problems])


def _locate(tree: Node, location: tuple[int | str, ...]) -> tuple[str, tuple[int, int]]:
    """Path as written and the nearest position; words that pydantic adds for a chosen type are left out."""
    node, path, position = tree, "", (tree.line, tree.column)
    for part in location:
        if isinstance(node.value, dict) and part in node.value:
            position = node.keys[str(part)]
            node = node.value[part]
        elif isinstance(node.value, list) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            position = (node.line, node.column)
        elif isinstance(node.value, dict) and "type" in node.value and node.value["type"].value == part:
            continue
        elif isinstance(node.value, dict) and isinstance(part, str):
            path += f".{part}"
            break
        else:
            break
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path.lstrip("."), position


def _problem(tree: Node, item: Any) -> Problem:
    path, (line, column) = _locate(tree, item["loc"])
    return Problem(f"{line}:{column}", f"{path}: {item['msg']}")


def _located(tree: Node, problem: Problem) -> Problem:
    location = tuple(problem.where.replace("[", ".").replace("]", "").split("."))
    parts = tuple(int(part) if part.isdigit() else part for part in location)
    _, (line, column) = _locate(tree, parts)
    return Problem(f"{line}:{column}", str(problem))
