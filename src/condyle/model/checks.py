"""Everything that can be wrong with a description, found in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condyle.errors import ModelError, Problem

if TYPE_CHECKING:
    from condyle.model.model import Model


def check(model: Model) -> None:
    """Raise ModelError with all problems of the model, or return."""
    problems: list[Problem] = []
    if problems:
        raise ModelError(f"model {model.name!r}", problems)
