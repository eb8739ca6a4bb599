"""A model as YAML text: one line per element, plain numbers in SI units, floats exact."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from numbers import Integral, Real
from typing import Any

from condyle.constraints import Constraint
from condyle.errors import InputError
from condyle.files import write_atomically
from condyle.functions import Function
from condyle.io.yaml.form import FORMAT_VERSION, type_name
from condyle.io.yaml.tree import resolve
from condyle.joints import Joint
from condyle.model import Model

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*([ .+*/-]+[A-Za-z0-9_]+)*")
_SECTIONS = ("bodies", "frames", "joints", "constraints", "markers")


def write_yaml(model: Model, path: str | os.PathLike[str] | None = None) -> str:
    """The model as text that `read_yaml` reads back to an equal model; also written to `path` where given."""
    lines = [f"condyle: {FORMAT_VERSION}", f"name: {_scalar(model.name)}"]
    defaults = {field.name: field.default for field in dataclasses.fields(Model)}
    for field in ("gravity", "ground"):
        if getattr(model, field) != defaults[field]:
            lines.append(f"{field}: {_flow(getattr(model, field))}")
    for section in _SECTIONS:
        elements = getattr(model, section)
        if elements:
            lines += ["", f"{section}:"]
            lines += [f"  {_scalar(element.name)}: {_flow(element)}" for element in elements]
    text = "\n".join(lines) + "\n"
    if path is not None:
        write_atomically(path, text)
    return text


def _flow(value: Any) -> str:
    if dataclasses.is_dataclass(value):
        return _element(value)
    if isinstance(value, tuple | list):
        if value and all(hasattr(item, "name") and dataclasses.is_dataclass(item) for item in value):
            return "{" + ", ".join(f"{_scalar(item.name)}: {_flow(item)}" for item in value) + "}"
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value)


def _element(element: Any) -> str:
    """A flow map of the fields that differ from their defaults; `name` is the key outside."""
    parts = []
    if isinstance(element, Joint | Function | Constraint):
        parts.append(f"type: {type_name(type(element))}")
    for field in dataclasses.fields(element):
        value = getattr(element, field.name)
        if field.name == "name" or not field.init or _is_default(field, value):
            continue
        parts.append(f"{field.name}: {_flow(value)}")
    return "{" + ", ".join(parts) + "}"


def _is_default(field: dataclasses.Field, value: Any) -> bool:
    if field.default_factory is not dataclasses.MISSING:
        return bool(value == field.default_factory())
    return field.default is not dataclasses.MISSING and bool(value == field.default)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return _number(float(value))
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) and resolve(value) == value else _quoted(value)
    raise InputError(f"a {type(value).__name__} cannot be written to YAML: {value!r}")


def _number(value: float) -> str:
    """The shortest text that reads back to the same double."""
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def _quoted(text: str) -> str:
    escaped = []
    for character in text:
        if character in '"\\':
            escaped.append("\\" + character)
        elif character.isprintable():
            escaped.append(character)
        else:
            escaped.append(f"\\U{ord(character):08x}")
    return '"' + "".join(escaped) + '"'
