"""Functions for CasADi users, with unknown joint variables solved for: the only solver in a graph."""

from __future__ import annotations

import casadi as ca

from condyle.compiled.assembly import Assembly
from condyle.compiled.graph import Graph
from condyle.dynamics.closure import Closure

_TOLERANCE = 1e-13


def with_root(
    name: str,
    graph: Graph,
    symbols: list[ca.SX],
    values: list[ca.SX],
    inputs: list[str],
    outputs: list[str],
    assembly: Assembly,
) -> ca.Function:
    """The function (symbols) -> values with `graph.dependent` replaced by a root near the default pose.

    CasADi differentiates through the root by the implicit-function theorem.
    """
    assert graph.embedding is not None
    explicit = ca.Function(name, [*symbols, graph.dependent], values)
    (residual,) = graph.finished([Closure(graph.embedding).square_residual])
    lengths = [
        ca.sumsqr(graph.dependent[at : at + 4]) - 1
        for at in (assembly.roles.unknown.index(k) for k in assembly.unknown_unit_groups)
    ]
    given = ca.vertcat(graph.q, graph.p)
    problem = {"x": graph.dependent, "p": given, "g": ca.vertcat(residual, *lengths)}
    root = ca.rootfinder("root", "newton", problem, {"abstol": _TOLERANCE, "error_on_fail": False})
    arguments = [ca.MX.sym(label, symbol.shape) for label, symbol in zip(inputs, symbols, strict=True)]
    place = {label: argument for label, argument in zip(inputs, arguments, strict=True)}
    z = root(assembly.unknown, ca.vertcat(place["q"], place["parameters"]))
    return ca.Function(name, arguments, explicit.call([*arguments, z]), inputs, outputs)
