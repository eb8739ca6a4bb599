"""A model as YAML text: one line per element, plain numbers in SI units, floats exact."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from numbers import Integral, Real
from typing import Any

from condyle.errors import InputError
from condyle.files import write_atomically
from condyle.io.yaml.form import FAMILIES, FORMAT_VERSION, kinds, type_name
from condyle.io.yaml.tree import resolve
from condyle.model import Model

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*([ .+*/-]+[A-Za-z0-9_]+)*")
_SECTIONS = ("bodies", "frames", "joints", "constraints", "couplings", "loops", "forces", "markers")


def write_yaml(model: Model, path: str | os.PathLike[str] | None = None) -> str:
    """The model as text that `read_yaml` reads back to an equal model; also written to `path` where given."""
    lines = [f"condyle: {FORMAT_VERSION}", f"name: {_scalar(model.name, 'name')}"]
    defaults = {field.name: field.default for field in dataclasses.fields(Model)}
    for field in ("gravity", "ground"):
        if getattr(model, field) != defaults[field]:
            lines.append(f"{field}: {_flow(getattr(model, field), field)}")
    for section in _SECTIONS:
        elements = getattr(model, section)
        if elements:
            lines += ["", f"{section}:"]
            for element in elements:
                place = f"{section}.{element.name}"
                lines.append(f"  {_scalar(element.name, place)}: {_flow(element, place)}")
    text = "\n".join(lines) + "\n"
    if path is not None:
        write_atomically(path, text)
    return text


def _flow(value: Any, place: str) -> str:
    if dataclasses.is_dataclass(value):
        return _element(value, place)
    if isinstance(value, tuple | list):
        if value and all(hasattr(item, "name") and dataclasses.is_dataclass(item) for item in value):
            items = (f"{_scalar(item.name, place)}: {_flow(item, f'{place}.{item.name}')}" for item in value)
            return "{" + ", ".join(items) + "}"
        return "[" + ", ".join(_flow(item, f"{place}[{index}]") for index, item in enumerate(value)) + "]"
    return _scalar(value, place)


def _element(element: Any, place: str) -> str:
    """A flow map of the fields that differ from their defaults; `name` is the key outside."""
    parts = []
    family = next((family for family in FAMILIES if isinstance(element, family)), None)
    if family is not None:
        kind = type_name(type(element))
        if kind not in kinds(family):
            article = "an" if kind[0] in "aeiou" else "a"
            what = f"{article} {type(element).__name__} holds a formula in Python, which a file cannot"
            raise InputError(f"{place}: {what}; take a function made of numbers")
        parts.append(f"type: {kind}")
    for field in dataclasses.fields(element):
        value = getattr(element, field.name)
        if field.name != "name" and field.init and not _is_default(field, value):
            parts.append(f"{field.name}: {_flow(value, f'{place}.{field.name}')}")
    return "{" + ", ".join(parts) + "}"


def _is_default(field: dataclasses.Field, value: Any) -> bool:
    default = field.default
    if field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    # -0.0 equals 0.0, but is not the same number.
    return default is not dataclasses.MISSING and value == default and repr(value) == repr(default)


def _scalar(value: Any, place: str) -> str:
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
    raise InputError(f"{place}: a {type(value).__name__} cannot be written to YAML")


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
