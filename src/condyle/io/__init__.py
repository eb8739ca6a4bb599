"""Readers and writers of models and results; no maths."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from condyle.errors import closest

# Pydantic and ruamel.yaml are imported by the reader only, so that `--json` commands do not pay for them.
_HOME = {
    "json_text": "condyle.io.json_output",
    "read_yaml": "condyle.io.yaml.reader",
    "write_yaml": "condyle.io.yaml.writer",
}
__all__ = ["json_text", "read_yaml", "write_yaml"]

if TYPE_CHECKING:
    from condyle.io.json_output import json_text
    from condyle.io.yaml.reader import read_yaml
    from condyle.io.yaml.writer import write_yaml


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"condyle.io has no {name!r}{closest(name, _HOME)}")
