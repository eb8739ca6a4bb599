"""Names: present, usable in `joint.coordinate`, and each of its kind only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from condyle.errors import Problem
from condyle.model.checks.values import SECTIONS

if TYPE_CHECKING:
    from condyle.model.model import Model

_FORBIDDEN = ".[]"


def name_problems(model: Model) -> Iterator[Problem]:
    """Empty, unusable and repeated names, section by section."""
    for section in SECTIONS:
        names = [element.name for element in getattr(model, section)]
        for index, name in enumerate(names):
            what = unusable(name)
            if what:
                yield Problem(f"{section}.{name or index}", what)
        for name, count in Counter(names).items():
            if count > 1:
                yield Problem(f"{section}.{name}", f"{count} elements have this name; names must differ")
    what = unusable(model.ground)
    if what:
        yield Problem("ground", what)
    if any(body.name == model.ground for body in model.bodies):
        yield Problem(f"bodies.{model.ground}", "has the name of the ground, which is no body; rename one")


def unusable(name: str) -> str | None:
    """Why a name cannot stand in a path such as `knee.angle` or `thigh.center_of_mass[1]`."""
    if not name:
        return "the name is empty"
    found = sorted({character for character in name if character in _FORBIDDEN or not _is_visible(character)})
    if found:
        shown = ", ".join(repr(character) for character in found)
        return f"the name {name!r} contains {shown}; dots, brackets and blanks separate names in paths"
    return None


def _is_visible(character: str) -> bool:
    return character.isprintable() and not character.isspace()
