"""How a method is laid out in memory and which compiled loop runs it: one entry per family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from condyle.solve.native.build import compiled
from condyle.solve.state import K

if TYPE_CHECKING:
    import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Form:
    """Columns are rows of `work` from K on.

    first, next: columns of f at the old and at the new state; last: number of the final stage; extra: stages
    that only dense output needs; estimates: number of error estimates; scaled: columns are rates, not
    increments; tableau: the loop's coefficient arrays; dense: the interpolant's; diagonal: of implicit stages.
    """

    loop: Callable[..., int]
    columns: int
    first: int
    next: int
    last: int
    extra: int
    estimates: int
    first_same_as_last: bool
    scaled: bool
    implicit: bool
    tableau: tuple[np.ndarray, ...]
    dense: np.ndarray
    diagonal: float = 0.0
    spare_rows: int = 0


def form_of(method: Any) -> Form:
    """The form of a method."""
    return _FAMILIES[method.family](method)


def _explicit(method: Any) -> Form:
    from condyle.solve.loops.explicit import explicit

    tableau, dense = method.tableau.compiled(K)
    return Form(
        loop=compiled(explicit),
        columns=method.tableau.columns,
        first=0,
        next=method.tableau.last,
        last=method.tableau.last,
        extra=len(method.tableau.extra),
        estimates=len(method.tableau.errors),
        first_same_as_last=method.tableau.first_same_as_last,
        scaled=True,
        implicit=False,
        tableau=tableau,
        dense=dense,
    )


_FAMILIES: dict[str, Callable[[Any], Form]] = {"explicit": _explicit}
