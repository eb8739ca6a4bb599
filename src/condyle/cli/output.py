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
    print(json.dumps(plain(value), indent=2, allow_nan=False, ensure_ascii=False))


def plain(value: Any) -> Any:
    """`value` in JSON's own types: arrays become lists; NaN and infinity, which JSON lacks, become null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    raise TypeError(f"{type(value).__name__} has no form in JSON: {value!r}")
