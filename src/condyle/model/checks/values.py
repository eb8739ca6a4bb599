"""Whether every field holds what its annotation says, with finite numbers."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Iterator
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

import casadi as ca

from condyle.constraints.base import Constraint
from condyle.couplings.base import Coupling
from condyle.errors import Problem
from condyle.forces.base import Force
from condyle.functions.base import Function
from condyle.joints.base import Coordinate, Joint
from condyle.model.body import Body, Frame, Marker
from condyle.model.hints import hints

if TYPE_CHECKING:
    from condyle.model.model import Model

SECTIONS: dict[str, type] = {
    "bodies": Body,
    "joints": Joint,
    "constraints": Constraint,
    "forces": Force,
    "couplings": Coupling,
    "loops": Joint,
    "frames": Frame,
    "markers": Marker,
}


def shape_problems(model: Model) -> Iterator[Problem]:
    """Elements that are no body, joint, ... at all, and names that are no text."""
    for field in ("name", "ground"):
        yield from _judge(getattr(model, field), str, field)
    for section, kind in SECTIONS.items():
        for index, element in enumerate(getattr(model, section)):
            where = f"{section}[{index}]"
            if not isinstance(element, kind):
                yield Problem(where, f"must be a {kind.__name__}, found {_shown(element)}")
                continue
            for name, hint in hints(type(element)).items():
                if hint is str:
                    yield from _judge(getattr(element, name), str, f"{where}.{name}")


def value_problems(model: Model) -> Iterator[Problem]:
    """One problem per field that does not fit, in the order of the description."""
    yield from _judge(model.gravity, tuple[float, float, float], "gravity")
    for section in SECTIONS:
        for index, element in enumerate(getattr(model, section)):
            yield from _fields(element, f"{section}.{element.name or index}")


def _fields(element: Any, where: str) -> Iterator[Problem]:
    annotations = hints(type(element))
    for field in dataclasses.fields(element):
        if field.name == "range" and isinstance(element, Coordinate):
            yield from _range(element.range, f"{where}.range")
        else:
            yield from _judge(getattr(element, field.name), annotations[field.name], f"{where}.{field.name}")


def _judge(value: Any, hint: Any, where: str) -> Iterator[Problem]:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is float:
        if not isinstance(value, ca.SX) and not _is_finite(value):
            yield Problem(where, f"must be a finite number, found {_shown(value)}")
    elif hint in (int, str, bool):
        if type(value) is not hint:
            word = {int: "a whole number", str: "text", bool: "true or false"}[hint]
            yield Problem(where, f"must be {word}, found {_shown(value)}")
    elif origin is tuple:
        yield from _tuple(value, arguments, where)
    elif origin in (Union, types.UnionType):
        found = [list(_judge(value, argument, where)) for argument in arguments]
        if all(found):
            yield from found[0]
    elif hint is type(None):
        if value is not None:
            yield Problem(where, f"must be left out, found {_shown(value)}")
    elif inspect.isclass(hint) and (issubclass(hint, Function | Joint) or dataclasses.is_dataclass(hint)):
        if not isinstance(value, hint):
            yield Problem(where, f"must be a {hint.__name__}, found {_shown(value)}")
        elif dataclasses.is_dataclass(value):
            yield from _fields(value, where)


def _tuple(value: Any, arguments: tuple[Any, ...], where: str) -> Iterator[Problem]:
    if not isinstance(value, tuple):
        yield Problem(where, f"must be a tuple, found {_shown(value)}")
        return
    kinds = arguments
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        kinds = (arguments[0],) * len(value)
    if len(value) != len(kinds):
        yield Problem(where, f"must have {len(kinds)} entries, found {len(value)}")
        return
    for index, (item, kind) in enumerate(zip(value, kinds, strict=True)):
        name = getattr(item, "name", None)
        yield from _judge(item, kind, f"{where}.{name}" if isinstance(name, str) else f"{where}[{index}]")


def _range(value: Any, where: str) -> Iterator[Problem]:
    """Limits may be infinite."""
    if not isinstance(value, tuple) or len(value) != 2:
        yield Problem(where, f"must be (lower, upper), found {_shown(value)}")
    elif not all(isinstance(limit, ca.SX) or (_is_number(limit) and not isnan(limit)) for limit in value):
        yield Problem(where, f"must be two numbers, found {_shown(value)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    return _is_number(value) and isfinite(value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
