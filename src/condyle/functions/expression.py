"""Any formula that CasADi can differentiate."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any, final

import casadi as ca

from condyle.functions.base import Function
from condyle.functions.leaves import finite_problems, leaves

_KINKED = {
    ca.OP_FABS: "fabs",
    ca.OP_SIGN: "sign",
    ca.OP_FLOOR: "floor",
    ca.OP_CEIL: "ceil",
    ca.OP_FMIN: "fmin",
    ca.OP_FMAX: "fmax",
    ca.OP_COPYSIGN: "copysign",
    ca.OP_FMOD: "fmod",
    ca.OP_REMAINDER: "remainder",
}


@final
@dataclass(frozen=True, eq=False)
class Expression(Function):
    """y = formula(x..., parameters...), `arguments` inputs x, then the parameters (which can be promoted).

    `formula` is a casadi.Function, or a Python callable that accepts SX and is traced at once; either way
    the field then holds an SX function, which pickles and has a stable text. A model's file cannot hold it.
    It must be C2 where the model moves. One that uses fabs, sign, floor, ceil, fmin, fmax or the like is
    taken to have kinks, unless `smooth` says that it has two continuous derivatives all the same; branches
    (if_else) are not checked.
    """

    formula: Any
    arguments: int = 1
    parameters: tuple[float, ...] = ()
    smooth: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", leaves(self.parameters))
        graph, trouble = _traced(self.formula, self.arguments + len(self.parameters))
        if not trouble:
            object.__setattr__(self, "formula", graph)

    @property
    def inputs(self) -> int:
        return self.arguments

    @property
    def continuity(self) -> int:
        return 0 if self.kinks and not self.smooth else 2

    @property
    def kinks(self) -> tuple[str, ...]:
        """Operations of the formula whose value or slope jumps."""
        if not isinstance(self.formula, ca.Function):
            return ()
        graphs = [self.formula, *self.formula.find_functions()]
        found = {graph.instruction_id(k) for graph in graphs for k in range(graph.n_instructions())}
        return tuple(name for operation, name in _KINKED.items() if operation in found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        text = self.formula.serialize() if isinstance(self.formula, ca.Function) else self.formula
        return (text, self.arguments, self.parameters, self.smooth)

    def problems(self) -> list[str]:
        _, trouble = _traced(self.formula, self.arguments + len(self.parameters))
        return ([f"formula {trouble}"] if trouble else []) + finite_problems("parameters", self.parameters)

    def __call__(self, *x: ca.SX) -> ca.SX:
        return self.formula(*x, *self.parameters)


def _traced(formula: Any, count: int) -> tuple[ca.Function | None, str]:
    """The SX function of a formula, or what is wrong with it."""
    if not isinstance(formula, ca.Function):
        if not callable(formula):
            return None, (
                "must be a casadi.Function or a Python callable, which a file cannot hold: "
                f"found {formula!r}; build such a model in Python, or take a spline or a polynomial"
            )
        symbols = [ca.SX.sym(f"x{k}") for k in range(count)]
        traced: Any = formula
        try:
            formula = ca.Function("formula", symbols, [traced(*symbols)])
        except Exception as reason:
            return None, f"cannot be traced with {count} SX arguments: {_last_line(reason)}"
        if _holds_nan(formula):
            # float(symbol) is NaN without an error, and so is all of Python's math module.
            return None, "loses its arguments: use casadi.sin, not math.sin or float(), and so for the others"
    if formula.n_in() != count:
        return None, f"takes {formula.n_in()} arguments; {count} were announced, parameters included"
    if (
        formula.n_out() != 1
        or formula.numel_out(0) != 1
        or any(formula.numel_in(k) != 1 for k in range(count))
    ):
        return None, "must take scalars and return one scalar"
    try:
        graph = formula if formula.is_a("SXFunction") else formula.expand()
    except RuntimeError as reason:
        return None, f"has no SX form: {_last_line(reason)}"
    for inner in graph.find_functions():
        if not inner.is_a("SXFunction"):
            return (
                None,
                f"calls {inner.name()}, a solver or table that has no SX form: state its equations instead",
            )
    return graph, ""


def _holds_nan(graph: ca.Function) -> bool:
    constants = (k for k in range(graph.n_instructions()) if graph.instruction_id(k) == ca.OP_CONST)
    return any(isnan(graph.instruction_constant(k)) for k in constants)


def _last_line(reason: Exception) -> str:
    return (str(reason).strip() or type(reason).__name__).splitlines()[-1]
