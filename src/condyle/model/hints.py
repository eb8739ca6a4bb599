"""Annotations of the description's dataclasses, resolved once."""

from __future__ import annotations

from functools import cache
from typing import Any, get_type_hints


@cache
def hints(cls: type) -> dict[str, Any]:
    """Type of every field by its name."""
    return get_type_hints(cls)
