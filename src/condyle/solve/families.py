"""How a method is laid out in memory and which compiled loop runs it: one entry per family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from condyle.solve.native.build import compiled
from condyle.solve.state import K
from condyle.solve.tableau import sparse_rows

if TYPE_CHECKING:
    import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Form:
    """Columns are rows of `work` from K on.

    first, next: columns of f at the old and at the new state; last: number of the final stage; extra: stages
    that only dense output needs; estimates: number of error estimates; tableau: starts, columns, weights and
    nodes of the loop; dense: coefficients of the interpolant; diagonal, couplings, slopes: of implicit
    stages;
    spare_rows: rows of `work` that the loop needs beyond the columns.
    """

    loop: Callable[..., int]
    columns: int
    first: int
    next: int
    last: int
    tableau: tuple[np.ndarray, ...]
    dense: np.ndarray
    extra: int = 0
    estimates: int = 1
    first_same_as_last: bool = False
    implicit: bool = False
    diagonal: float = 0.0
    couplings: np.ndarray | None = None
    slopes: np.ndarray | None = None
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
        tableau=tableau,
        dense=dense,
    )


def _rosenbrock(method: Any) -> Form:
    import numpy as np

    from condyle.solve.loops.rosenbrock import rosenbrock

    stages = len(method.b)
    starts, columns, weights = sparse_rows([(), *method.a, method.b, method.error], K)
    dense = np.zeros((stages, 3))
    for column in range(stages):
        first, second = (float(row[column]) if column < len(row) else 0.0 for row in method.output)
        # t b + t (1 - t) (first + t second)
        dense[column] = [float(method.b[column]) + first, second - first, -second]
    couplings = np.zeros((stages, stages))
    for stage, row in enumerate(method.couplings):
        couplings[stage, : len(row)] = [float(value) for value in row]
    return Form(
        loop=compiled(rosenbrock),
        columns=stages + 2,
        first=stages,
        next=stages + 1,
        last=stages,
        implicit=True,
        tableau=(starts, columns, weights, np.array([float(node) for node in method.nodes])),
        dense=dense,
        diagonal=method.diagonal,
        couplings=couplings,
        slopes=np.array([float(value) for value in method.slopes]),
    )


def _tr_bdf2(method: Any) -> Form:
    import numpy as np

    from condyle.solve.loops.tr_bdf2 import tr_bdf2

    b, d, middle = method.weights, method.diagonal, method.nodes[1]
    # The second stage is guessed with the rate extrapolated along a line through the first two.
    beyond = (1.0 - middle) / middle
    rows = [
        (),
        (d,),
        b[:2],
        (middle,),
        (b[0] - d * beyond, b[1] + d * (1.0 + beyond)),
        tuple(x - y for x, y in zip(b, method.companion, strict=True)),
    ]
    starts, columns, weights = sparse_rows(rows, K)
    # A parabola through the three states of the step: rates of stiff components are too poor for a cubic.
    dense = np.zeros((3, 2))
    for column in range(3):
        first = (d if column < 2 else 0.0) / (middle * (middle - 1.0))
        second = b[column] / (1.0 - middle)
        dense[column] = [-first - middle * second, first + second]
    return Form(
        loop=compiled(tr_bdf2),
        columns=3,
        first=0,
        next=2,
        last=2,
        first_same_as_last=True,
        implicit=True,
        tableau=(starts, columns, weights, np.array(method.nodes)),
        dense=dense,
        diagonal=d,
        spare_rows=1,
    )


def _sundials(method: Any) -> Form:
    import numpy as np

    return Form(loop=_none, columns=0, first=0, next=0, last=0, tableau=(), dense=np.zeros((0, 0)))


def _none(*_: Any) -> int:
    raise AssertionError("CVODES has no loop of ours")


_FAMILIES: dict[str, Callable[[Any], Form]] = {
    "explicit": _explicit,
    "sundials": _sundials,
    "rosenbrock": _rosenbrock,
    "tr_bdf2": _tr_bdf2,
}
