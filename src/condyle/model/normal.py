"""Descriptions in one form: tuples for sequences, floats for numbers, whatever the caller passed."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Union, get_args, get_origin

import numpy as np

from condyle.model.hints import hints
from condyle.spatial.placement import Vector3


def normalised(element: Any) -> Any:
    """The same element with lists and arrays as tuples and whole numbers in float fields as floats.

    What does not fit its annotation is left as it is, for the checks to report. Models that say the same are
    equal, and so are their texts.
    """
    if not dataclasses.is_dataclass(element) or isinstance(element, type):
        return element
    annotations = hints(type(element))
    changes = {}
    for field in dataclasses.fields(element):
        value = getattr(element, field.name)
        converted = _convert(value, annotations[field.name])
        if field.init and converted is not value:
            changes[field.name] = converted
    return dataclasses.replace(element, **changes) if changes else element


def normalised_vector(value: Any) -> Any:
    """Three numbers as a tuple of floats."""
    return _convert(value, Vector3)


def _convert(value: Any, hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is float:
        is_number = isinstance(value, int | np.integer | np.floating) and not isinstance(value, bool)
        return float(value) if is_number and type(value) is not float else value
    if hint is int:
        return int(value) if isinstance(value, np.integer) else value
    if origin is tuple:
        return _sequence(value, arguments)
    if origin in (Union, types.UnionType):
        for argument in arguments:
            converted = _convert(value, argument)
            if converted is not value:
                return converted
        return value
    return normalised(value)


def _sequence(value: Any, arguments: tuple[Any, ...]) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, tuple | list):
        return value
    repeated = len(arguments) == 2 and arguments[1] is Ellipsis
    kinds = (arguments[0],) * len(value) if repeated else arguments
    if len(kinds) != len(value):
        return tuple(value) if isinstance(value, list) else value
    items = tuple(_convert(item, kind) for item, kind in zip(value, kinds, strict=True))
    unchanged = isinstance(value, tuple) and all(new is old for new, old in zip(items, value, strict=True))
    return value if unchanged else items
