"""A model from its YAML form, with every problem reported as file:line:column."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from condyle.errors import InputError, ModelError, Problem, closest
from condyle.io.yaml.coordinate_units import coordinate_unit_problems
from condyle.io.yaml.describe import describe
from condyle.io.yaml.form import FORMAT_VERSION, Form, model_form
from condyle.io.yaml.messages import located
from condyle.io.yaml.tree import LARGEST_TEXT, Node, Unreadable, parse
from condyle.model import Model
from condyle.model.checks import find_problems

ROUNDS = 5  # of taking out what is wrong and looking again; each takes at least one level away
Path_ = tuple[str | int, ...]


def read_yaml(source: str | bytes | os.PathLike[str]) -> Model:
    """The model in a file (a path) or in text (a string with a line break, or bytes).

    Raises InputError where the file cannot be read, ModelError with all problems where it is no model.
    """
    name, text = _load(source)
    try:
        tree, problems = parse(text)
    except Unreadable as error:
        raise _error(name, [error.problem]) from None
    problems += _version_problems(tree)
    if problems:
        raise _error(name, problems)
    model, problems = _interpret(tree)
    if problems:
        raise _error(name, problems)
    return model


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


def _version_problems(tree: Node) -> list[Problem]:
    here = f"{tree.line}:{tree.column}"
    first = f"`condyle: {FORMAT_VERSION}`"
    if not isinstance(tree.value, dict):
        return [Problem(here, f"a map that begins with {first} is needed, found {describe(tree.plain())}")]
    version = tree.value.get("condyle")
    if version is None:
        return [Problem(here, f"{first}, the version of the format, is missing; it is a model's first line")]
    if version.value == FORMAT_VERSION and not isinstance(version.value, bool):
        return []
    what = f"condyle: format version {describe(version.plain())}, but this Condyle reads {FORMAT_VERSION}"
    if isinstance(version.value, int | float) and version.value > FORMAT_VERSION:
        what += "; the file was written for a newer one, so update Condyle"
    return [Problem(f"{version.line}:{version.column}", what)]


def _interpret(tree: Node) -> tuple[Model, list[Problem]]:
    """The model, or one that lacks what is wrong, and every problem found in it."""
    data = tree.plain()
    found: dict[Path_, Problem] = {}
    for _ in range(ROUNDS):
        try:
            form = model_form().model_validate(data)
            break
        except ValidationError as error:
            for path, problem in located(tree, error.errors(include_url=False)):
                # What was taken out in an earlier round is missing now; that is not a finding.
                if not any(_is_within(path, known) or _is_within(known, path) for known in found):
                    found[path] = problem
                data = _without(data, path)
    else:
        return Model("unreadable"), list(found.values())
    broken = {".".join(str(part) for part in path[:2]) for path in found}
    problems = list(found.values())
    model = Model.unchecked(**_Builder(tree, problems, broken).fields(form, None, ""))
    for problem in find_problems(model, broken):
        line, column = tree.locate(tree.find(problem.where))
        problems.append(Problem(f"{line}:{column}", str(problem)))
        broken.add(".".join(problem.where.split(".")[:2]))
    problems += coordinate_unit_problems(model, tree, broken)
    return model, sorted(problems, key=_order)


def _is_within(path: Path_, holder: Path_) -> bool:
    return path[: len(holder)] == holder


def _without(data: Any, path: Path_) -> Any:
    """The data without the last key on the path, so that what else is wrong can be found too."""
    holder: Any = None
    key: str | int = ""
    current = data
    for part in path:
        try:
            inside = current[part]
        except (KeyError, IndexError, TypeError):
            break
        if isinstance(current, dict):
            holder, key = current, part
        current = inside
    if holder is not None:
        holder.pop(key)
    return data


class _Builder:
    """Dataclasses from validated forms; what was not written keeps the dataclass's default."""

    def __init__(self, tree: Node, problems: list[Problem], broken: set[str]) -> None:
        self.tree, self.problems, self.broken = tree, problems, broken

    def fields(self, form: Form, name: str | None, where: str) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for key in form.model_fields_set - {"type", "condyle"}:
            given[key] = self.value(getattr(form, key), name, f"{where}.{key}".lstrip("."))
        return given

    def value(self, value: Any, name: str | None, where: str) -> Any:
        if isinstance(value, Form):
            return self.element(value, name, where)
        if isinstance(value, dict):
            built = (self.value(item, key, f"{where}.{key}") for key, item in value.items())
            return tuple(item for item in built if item is not None)
        if isinstance(value, tuple):
            return tuple(self.value(item, name, f"{where}[{index}]") for index, item in enumerate(value))
        return value

    def element(self, form: Form, name: str | None, where: str) -> Any:
        """The dataclass; a joint inside a joint has the name of the one outside."""
        given = self.fields(form, name, where)
        if any(field.name == "name" and field.init for field in dataclasses.fields(form.target)):
            given["name"] = name
        try:
            return form.target(**given)
        except (TypeError, ValueError) as error:
            line, column = self.tree.locate(self.tree.find(where))
            self.problems.append(Problem(f"{line}:{column}", f"{where}: {error}"))
            self.broken.add(".".join(where.split(".")[:2]))
            return None


def _order(problem: Problem) -> tuple[int, int]:
    line, _, column = problem.where.partition(":")
    return int(line), int(column)


def _error(name: str, problems: list[Problem]) -> ModelError:
    return ModelError(name, [Problem(f"{name}:{problem.where}", problem.what) for problem in problems])
