"""Strict JSON for the `--json` commands: one object, with a version, and never NaN."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import numpy as np

from condyle.errors import InputError, Problem

DEEPEST = 100


def json_text(result: Mapping[str, Any], *, nan: str = "raise", indent: int | None = 2) -> str:
    """The result as JSON text, with arrays as lists and numbers as the shortest text of the same double.

    `result["schema_version"]` is required. A NaN or an infinity raises InputError naming every such key;
    with `nan="null"` it becomes null, for results in which "no value" is meant.
    """
    if nan not in ("raise", "null"):
        raise InputError(f'nan must be "raise" or "null", found {nan!r}')
    version = result.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise InputError(f"schema_version must be a whole number, found {version!r}")
    problems: list[Problem] = []
    plain = _plain(result, "", problems, nan == "null")
    if problems:
        raise InputError("no strict JSON: " + "; ".join(str(problem) for problem in problems))
    return json.dumps(plain, indent=indent, allow_nan=False)


def _plain(value: Any, path: str, problems: list[Problem], nan_is_null: bool, depth: int = 0) -> Any:
    """What JSON can say, for what a result may hold."""
    if depth > DEEPEST:
        raise InputError(f"no strict JSON: {path[:80]}...: nested more than {DEEPEST} levels deep")
    if value is None or isinstance(value, str | bool | np.bool_):
        return bool(value) if isinstance(value, np.bool_) else value
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isfinite(number):
            return number
        if not nan_is_null:
            problems.append(Problem(path, f"{number} is no JSON number"))
        return None
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, PurePath):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        kept = {}
        for key, item in value.items():
            if not isinstance(key, str):
                problems.append(Problem(path or "the result", f"key {key!r} is not text"))
            kept[str(key)] = _plain(item, f"{path}.{key}".lstrip("."), problems, nan_is_null, depth + 1)
        return kept
    if isinstance(value, list | tuple):
        return [
            _plain(item, f"{path}[{index}]", problems, nan_is_null, depth + 1)
            for index, item in enumerate(value)
        ]
    problems.append(Problem(path, f"a {type(value).__name__} has no JSON form"))
    return None
