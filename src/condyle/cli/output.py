"""What commands write: strict JSON or text on standard output, progress on standard error."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any

#: Entries of a list that text shows; JSON has them all.
LONGEST = 12


def progress(text: str) -> None:
    """One line of progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def print_json(result: Mapping[str, Any]) -> None:
    """A result as strict JSON, alone on standard output; NaN and infinity become null."""
    from condyle.io import json_text

    print(json_text(result, nan="null"))


def cell(value: Any) -> str:
    """A value as short text for a table; of long lists, the shape."""
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        value = value.tolist()
    if is_long(value):
        return " x ".join(map(str, extent(value))) + " values"
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(cell, value)) + ")"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {cell(item)}" for key, item in value.items())
    return str(value)


def is_long(value: Any) -> bool:
    """Whether a value has more entries than text shows."""
    return math.prod(extent(value.tolist() if hasattr(value, "tolist") else value)) > LONGEST


def extent(value: Any) -> tuple[int, ...]:
    """Lengths of nested lists, as far as the first entries tell."""
    return (len(value), *extent(value[0])) if isinstance(value, (list, tuple)) and value else ()


def flatten(nested: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Nested maps as rows with dotted names."""
    rows: list[tuple[str, Any]] = []
    for name, value in nested.items():
        rows += (
            flatten(value, f"{prefix}{name}.") if isinstance(value, Mapping) else [(f"{prefix}{name}", value)]
        )
    return rows
