"""What was found, for a person."""

from __future__ import annotations

from typing import Any


def describe(value: Any) -> str:
    """A value in a few words: short, with its kind where that is not plain."""
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
