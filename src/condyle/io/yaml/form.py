"""Pydantic models of the YAML form, generated from the dataclasses of the description."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import operator
import re
import types
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal, Never, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, create_model
from pydantic_core import PydanticCustomError

import condyle.constraints
import condyle.couplings
import condyle.forces
import condyle.functions
import condyle.joints
from condyle.io.yaml.describe import describe
from condyle.io.yaml.fields import dimensions
from condyle.io.yaml.units import quantity
from condyle.model import Model
from condyle.model.hints import hints

FORMAT_VERSION = 1
FAMILIES: dict[type, Any] = {
    condyle.joints.Joint: condyle.joints,
    condyle.functions.Function: condyle.functions,
    condyle.constraints.Constraint: condyle.constraints,
    condyle.forces.Force: condyle.forces,
    condyle.couplings.Coupling: condyle.couplings,
}


class Form(BaseModel):
    """One element as written; `target` is the dataclass that it becomes, `kind` its word for `type:`."""

    model_config = ConfigDict(extra="forbid")
    target: ClassVar[type]
    kind: ClassVar[str | None] = None


def type_name(cls: type) -> str:
    """Word for `type:`, which is the class name in lower case with underscores."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", cls.__name__).lower()


@functools.cache
def kinds(family: type) -> dict[str, type]:
    """Every registered kind of a family that text can say, by its word for `type:`."""
    package = FAMILIES[family]
    found = (getattr(package, name) for name in package.__all__)
    classes = (item for item in found if inspect.isclass(item) and issubclass(item, family))
    return {type_name(cls): cls for cls in classes if dataclasses.is_dataclass(cls) and _is_sayable(cls)}


def _is_sayable(cls: type) -> bool:
    """Not abstract, and no field that must hold a Python function or expression."""
    if inspect.isabstract(cls):
        return False
    return all(_has_text_form(hints(cls)[field.name]) for field in dataclasses.fields(cls) if field.init)


def _has_text_form(hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_has_text_form(argument) for argument in arguments)
    if origin is tuple:
        return all(argument is Ellipsis or _has_text_form(argument) for argument in arguments)
    if hint in (float, int, bool, str, type(None)) or origin is Literal:
        return True
    return inspect.isclass(hint) and (hint in FAMILIES or dataclasses.is_dataclass(hint))


@functools.cache
def model_form() -> type[Form]:
    """The form of a whole file."""
    forms: dict[type, type[Form]] = {}
    choices: dict[str, Any] = {}
    for family in FAMILIES:
        members = [_form(cls, forms, family, kind) for kind, cls in kinds(family).items()]
        choices[_reference(family)] = _choice(members)
    whole = _form(Model, forms)
    for form in forms.values():
        form.model_rebuild(_types_namespace=choices)
    return whole


def _choice(members: list[type[Form]]) -> Any:
    """One of several kinds, told apart by `type`."""
    if len(members) > 1:
        return Annotated[functools.reduce(operator.or_, members), Field(discriminator="type")]
    return members[0] if members else Never


def _reference(family: type) -> str:
    return f"Any{family.__name__}"


def _form(
    cls: type, forms: dict[type, type[Form]], family: type | None = None, kind: str | None = None
) -> type[Form]:
    content: dict[str, Any] = {}
    if cls is Model:
        content["condyle"] = (Literal[1], ...)
    if kind is not None:
        content["type"] = (Literal[kind], ...)
    for field in dataclasses.fields(cls):
        # A name is the key of its element; copies that the class makes itself are not written.
        if field.init and (field.name != "name" or cls is Model) and _has_text_form(hints(cls)[field.name]):
            annotation = _annotation(hints(cls)[field.name], dimensions(field), forms)
            content[field.name] = (annotation, ... if _is_required(field) else _shown_default(field))
    summary = (inspect.getdoc(cls) or "").split("\n\n")[0].replace("\n", " ")
    name = f"{cls.__name__}{family.__name__}" if family else cls.__name__
    form: type[Form] = create_model(name, __base__=Form, __doc__=summary, **content)
    form.target, form.kind = cls, kind
    forms[cls] = form
    return form


def _is_required(field: dataclasses.Field) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _shown_default(field: dataclasses.Field) -> Any:
    """The default that the schema shows; None where JSON has no word for it."""
    try:
        json.dumps(field.default, allow_nan=False)
    except (TypeError, ValueError):
        return None
    return field.default


def _annotation(hint: Any, units: tuple[str, ...], forms: dict[type, type[Form]]) -> Any:
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
        # Families are named by text until all forms are known, which `|` does not join.
        return Union[tuple(_annotation(part, units, forms) for part in arguments if _has_text_form(part))]  # noqa: UP007
    if inspect.isclass(hint) and hint in FAMILIES:
        return _reference(hint)
    if inspect.isclass(hint) and dataclasses.is_dataclass(hint):
        return forms.get(hint) or _form(hint, forms)
    if hint in (int, bool, str):
        return Annotated[hint, Field(strict=True)]
    return hint


@functools.cache
def number(units: tuple[str, ...]) -> Any:
    """A float: a plain number in SI, or text with a unit of one of these dimensions (none means any)."""
    schema = {"quantity": "_or_".join(units) or "any"}  # spelled out once, in the schema's definitions
    return Annotated[float, BeforeValidator(_number_reader(units)), WithJsonSchema(schema)]


def _number_reader(units: tuple[str, ...]) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if isinstance(value, str):
            try:
                return quantity(value, units)
            except ValueError as error:
                raise PydanticCustomError("quantity", "{what}", {"what": str(error)}) from None
        if isinstance(value, bool) or not isinstance(value, int | float):
            found = {"found": describe(value)}
            raise PydanticCustomError("number", "a number is needed, found {found}", found)
        return float(value)

    return read
