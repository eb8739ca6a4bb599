"""What commands write: strict JSON or text on standard output, progress on standard error."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any


def progress(text: str) -> None:
    """One line of progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """`value` as strict JSON, alone on standard output."""
    print(json.dumps(plain(value), indent=2, allow_nan=False, ensure_ascii=True))


def plain(value: Any) -> Any:
    """`value` in JSON's own types: arrays become lists; NaN and infinity, which JSON lacks, become null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    raise TypeError(f"{type(value).__name__} has no form in JSON: {value!r}")


def cell(value: Any) -> str:
    """A value as short text for a table."""
    value = plain(value)
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "(" + ", ".join(map(cell, value)) + ")"
    if isinstance(value, dict):
        return ", ".join(f"{key} {cell(item)}" for key, item in value.items())
    return str(value)


def flatten(nested: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Nested maps as rows with dotted names."""
    rows: list[tuple[str, Any]] = []
    for name, value in nested.items():
        rows += (
            flatten(value, f"{prefix}{name}.") if isinstance(value, Mapping) else [(f"{prefix}{name}", value)]
        )
    return rows
