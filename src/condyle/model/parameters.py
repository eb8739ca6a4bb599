"""Numeric leaves of a model by name, and models in which some of them are symbols.

A path is `element.field[index]`: `thigh.mass`, `thigh.center_of_mass[0]`, `knee.axis[2]`, `knee.tx.y[3]`,
`knee.parent_frame.translation[1]`, `heel.position[0]`, `gravity[1]`. Whatever has a name is found by it.
Components may also be written `.x`, and `thigh.inertia.xy`. A reversed joint's leaves are those of the joint
inside. Should two elements of different kinds share a whole path, the later one is told apart by its section:
`markers.heel.position[0]`, a form that is accepted for every leaf. Defaults, ranges and whole numbers are no
leaves: they shape the description, not the equations.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import casadi as ca

from condyle.errors import ModelError, Problem, closest
from condyle.joints.base import Coordinate, Joint
from condyle.model.checks.values import SECTIONS
from condyle.model.model import Model

_Visit = Callable[[str, Any], Any]
_COMPONENTS = MappingProxyType(
    {
        name: index
        for names in (("x", "y", "z"), ("xx", "yy", "zz", "xy", "xz", "yz"))
        for index, name in enumerate(names)
    }
)


def leaves(model: Model) -> dict[str, float]:
    """Value of every leaf that can be promoted, by its path, in the order of the description."""
    found: dict[str, float] = {}

    def note(path: str, value: Any) -> Any:
        if isinstance(value, float):
            found[path] = value
        return value

    _rebuilt(model, note)
    return found


def resolve(model: Model, paths: list[str] | tuple[str, ...]) -> dict[str, str]:
    """The leaf's own path for each given one; ModelError names the unknown and repeated ones."""
    known = leaves(model)
    found: dict[str, str] = {}
    problems = []
    for path in paths:
        canonical = next((form for form in _spellings(path) if form in known), None)
        if canonical is None:
            problems.append(Problem(path, f"no such number in the model{_suggestion(path, known)}"))
        elif canonical in found.values():
            problems.append(Problem(path, "is named twice"))
        else:
            found[path] = canonical
    if problems:
        raise ModelError(f"parameters of model {model.name!r}", problems)
    return found


def promote(model: Model, symbols: Mapping[str, ca.SX]) -> Model:
    """A copy with symbols in place of these leaves; it is not checked again."""
    canonical = {path: symbols[given] for given, path in resolve(model, tuple(symbols)).items()}
    return _rebuilt(model, lambda path, value: canonical.get(path, value))


def _spellings(path: str) -> list[str]:
    """The path as given, then with its section left out and a component's letter as an index."""
    forms = [path]
    section, _, rest = path.partition(".")
    if section in SECTIONS and rest:
        forms.append(rest)
    for form in tuple(forms):
        head, _, last = form.rpartition(".")
        if head and last in _COMPONENTS:
            forms.append(f"{head}[{_COMPONENTS[last]}]")
    return forms


def _suggestion(path: str, known: Mapping[str, float]) -> str:
    """The closest leaf; of a known element, its own leaves first."""
    element = path.partition(".")[0].partition("[")[0]
    own = [name for name in known if name.partition(".")[0].partition("[")[0] == element]
    return closest(path, own or known)


def _rebuilt(model: Model, visit: _Visit) -> Model:
    seen: set[str] = set()
    fields = {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}
    for section in SECTIONS:
        elements = []
        for element in fields[section]:
            paths = _paths(element)
            qualified = f"{section}.{element.name}" if seen.intersection(paths) else element.name
            seen.update(paths)
            elements.append(_replaced(element, qualified, visit))
        fields[section] = tuple(elements)
    fields["gravity"] = _replaced(fields["gravity"], "gravity", visit)
    return Model.unchecked(**fields)


def _paths(element: Any) -> list[str]:
    paths: list[str] = []

    def note(path: str, value: Any) -> Any:
        paths.append(path)
        return value

    _replaced(element, element.name, note)
    return paths


def _replaced(value: Any, path: str, visit: _Visit) -> Any:
    """The value with each leaf replaced by what `visit` returns for it; itself where nothing changes."""
    if isinstance(value, float | ca.SX):
        return visit(path, value)
    if isinstance(value, tuple):
        items = tuple(
            _replaced(item, f"{path}{_step(item, index)}", visit) for index, item in enumerate(value)
        )
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if not dataclasses.is_dataclass(value) or isinstance(value, type | Coordinate):
        return value
    changes = {}
    for field in dataclasses.fields(value):
        old = getattr(value, field.name)
        # A joint inside a joint is the same joint to its user.
        inside = path if isinstance(old, Joint) else f"{path}.{field.name}"
        new = _replaced(old, inside, visit) if field.init else old
        if new is not old:
            changes[field.name] = new
    return dataclasses.replace(value, **changes) if changes else value


def _step(item: Any, index: int) -> str:
    name = getattr(item, "name", None)
    return f".{name}" if isinstance(name, str) else f"[{index}]"
