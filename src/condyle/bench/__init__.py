"""Speed and memory beside other engines, ratios in one run: `condyle bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condyle.bench.runner import run

__all__ = ["run"]


def __getattr__(name: str) -> Any:
    if name == "run":
        from condyle.bench.runner import run

        return run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
