"""Pydantic models of the YAML form, generated from the dataclasses of the description."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, create_model
from pydantic_core import PydanticCustomError

import condyle.constraints
import condyle.functions
import condyle.joints
from condyle.io.yaml.fields import dimensions
from condyle.io.yaml.units import EXAMPLES, quantity
from condyle.model import Model

FORMAT_VERSION = 1
_FAMILIES: dict[type, Any] = {
    condyle.joints.Joint: condyle.joints,
    condyle.functions.Function: condyle.functions,
    condyle.constraints.Constraint: condyle.constraints,
}


class Form(BaseModel):
    """One element as it is written; `target` is the dataclass that it becomes."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


TARGETS: dict[type[Form], type] = {}


def type_name(cls: type) -> str:
    """Word for `type:` - the class name in lower case with underscores."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()


def kinds(family: type) -> dict[str, type]:
    """Every registered kind of joint, function or constraint, by its word for `type:`."""
    package = _FAMILIES[family]
    found = (getattr(package, name) for name in package.__all__)
    classes = [item for item in found if inspect.isclass(item) and issubclass(item, family)]
    return {type_name(item): item for item in classes if dataclasses.is_dataclass(item) and not inspect.isabstract(item)}


@cache
def model_form() -> type[Form]:
    """The form of a whole file."""
    namespace: dict[str, Any] = {}
    forms: list[type[Form]] = []
    for family in _FAMILIES:
        members = [_form(cls, forms, kind) for kind, cls in kinds(family).items()]
        namespace[_reference(family)] = _choice(members)
    whole = _form(Model, forms, None)
    for form in forms:
        form.model_rebuild(_types_namespace=namespace)
    return whole


def _choice(members: list[type[Form]]) -> Any:
    if len(members) > 1:
        return Annotated[Union[tuple(members)], Field(discriminator="type")]
    return members[0] if members else dict[str, Any]


def _reference(family: type) -> str:
    return f"Any{family.__name__}"


def _form(cls: type, forms: list[type[Form]], kind: str | None, keyed: bool = True) -> type[Form]:
    hints = get_type_hints(cls)
    content: dict[str, Any] = {}
    if cls is Model:
        content["condyle"] = (Literal[1], ...)
    if kind is not None:
        content["type"] = (Literal[kind], ...)
    for field in dataclasses.fields(cls):
        if not field.init or (field.name == "name" and cls is not Model):
            continue
        annotation = _annotation(hints[field.name], dimensions(field), forms)
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        content[field.name] = (annotation, ... if required else None)
    summary = (inspect.getdoc(cls) or "").split("\n\n")[0].replace("\n", " ")
    form: type[Form] = create_model(f"{cls.__name__}Form", __base__=Form, __doc__=summary, **content)
    TARGETS[form] = cls
    forms.append(form)
    return form


def _annotation(hint: Any, units: tuple[str, ...], forms: list[type[Form]]) -> Any:
    """The pydantic annotation of one field; named elements become maps keyed by their name."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is float:
        return number(units)
    if origin is tuple:
        inner = arguments[0]
        if inspect.isclass(inner) and "name" in getattr(inner, "__dataclass_fields__", {}):
            return dict[str, _annotation(inner, units, forms)]
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple[_annotation(inner, units, forms), ...]
        return tuple[tuple(_annotation(part, units, forms) for part in arguments)]
    if origin in (Union, types.UnionType):
        return Union[tuple(_annotation(part, units, forms) for part in arguments)]
    if inspect.isclass(hint) and hint in _FAMILIES:
        return _reference(hint)
    if dataclasses.is_dataclass(hint) and inspect.isclass(hint):
        known = next((form for form, target in TARGETS.items() if target is hint), None)
        return known or _form(hint, forms, None)
    if hint in (int, bool, str):
        return Annotated[hint, Field(strict=True)]
    return hint


@cache
def number(units: tuple[str, ...]) -> Any:
    """A float: a plain number in SI, or text with a unit of one of the dimensions (any, when none is named)."""
    with_unit = [name for name in (units or tuple(EXAMPLES)) if name != "dimensionless"]
    examples = [EXAMPLES[name] for name in with_unit]
    schema: dict[str, Any] = {"type": "number"}
    if examples:
        schema = {"type": ["number", "string"], "examples": [1.5, *examples], "pattern": r"^\s*[-+.0-9].*[A-Za-z]"}
    return Annotated[float, BeforeValidator(_number_reader(units)), WithJsonSchema(schema)]


def _number_reader(units: tuple[str, ...]) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if isinstance(value, str):
            try:
                return quantity(value, units)
            except ValueError as error:
                raise PydanticCustomError("quantity", "{what}", {"what": str(error)}) from None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PydanticCustomError("number", "a number is needed, found {found}", {"found": describe(value)})
        return float(value)

    return read


def describe(value: Any) -> str:
    """What was found, for a person: short, with its kind."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"{value}".lower()
    if isinstance(value, dict):
        return "a map" if value else "an empty map"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
