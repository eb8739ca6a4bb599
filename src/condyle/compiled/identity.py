"""A key that says whether a cached object belongs to this model, this graph code and this question."""

from __future__ import annotations

import hashlib
import os
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

_GRAPH_CODE = (
    "spatial",
    "functions",
    "joints",
    "constraints",
    "drivers",
    "forces",
    "couplings",
    "model",
    "mechanism",
    "dynamics",
    "compiled",
)


@lru_cache(maxsize=1)
def code_stamp() -> bytes:
    """Changes whenever a file that takes part in tracing changes (its name, size or time of change)."""
    root = Path(__file__).parent.parent
    entries = []
    for package in _GRAPH_CODE:
        for folder, _, names in os.walk(root / package):
            for name in names:
                if name.endswith(".py"):
                    path = os.path.join(folder, name)
                    status = os.stat(path)
                    entries.append(f"{path[len(str(root)) :]} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(entries)).encode()).digest()


def canonical(value: Any) -> str | None:
    """Text that is equal for equal descriptions only; None if a part (a Python callable) has no such text."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = [(field.name, canonical(getattr(value, field.name))) for field in fields(value)]
        if any(text is None for _, text in parts):
            return None
        return f"{type(value).__qualname__}({','.join(f'{name}={text}' for name, text in parts)})"
    if isinstance(value, (tuple, list)):
        items = [canonical(item) for item in value]
        return None if None in items else "[" + ",".join(item for item in items if item is not None) + "]"
    if isinstance(value, ca.Function):
        return hashlib.sha256(value.serialize().encode()).hexdigest()
    if isinstance(value, dict):
        return canonical(sorted(value.items()))
    if isinstance(value, (str, int, float, bool)) or value is None:
        return repr(value)
    if isinstance(value, np.ndarray | np.generic) and value.size == 1:
        return repr(value.item())
    return None


def graph_key(model_text: str | None, *parts: Any) -> bytes | None:
    """Key of one kernel; None where the model cannot be told from others."""
    if model_text is None:
        return None
    digest = hashlib.sha256(code_stamp())
    digest.update(model_text.encode())
    digest.update(repr(parts).encode())
    return digest.digest()
