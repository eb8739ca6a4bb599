"""Errors name the element, what was found, what is allowed and the closest match, all problems at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


class CondyleError(Exception):
    """Base of every error that Condyle raises on purpose."""


class InputError(CondyleError, ValueError):
    """A caller's array, option or file does not fit; the message says how."""


@dataclass(frozen=True)
class Problem:
    """One finding: where (an element's path, or file:line:column) and what."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class ModelError(CondyleError, ValueError):
    """A description that cannot be built; `problems` lists every finding."""

    def __init__(self, title: str, problems: Iterable[Problem]) -> None:
        self.title = title
        self.problems = tuple(problems)
        count = len(self.problems)
        lines = [f"{title}: {count} problem{'s' if count != 1 else ''}"]
        lines += [f"  {problem}" for problem in self.problems]
        super().__init__("\n".join(lines))


def closest(name: str, allowed: Iterable[str]) -> str:
    """Text that follows "unknown name": the nearest allowed name, or the list when it is short."""
    names = [str(item) for item in allowed]
    lowered = {item.lower(): item for item in names}
    match = difflib.get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.6)
    if match:
        return f"; did you mean {lowered[match[0]]!r}?"
    if not names:
        return "; there is none to choose from"
    shown = ", ".join(repr(item) for item in names[:12]) + (", ..." if len(names) > 12 else "")
    return f"; allowed: {shown}"
