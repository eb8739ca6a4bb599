"""Derivatives of inverse and forward dynamics with respect to q, u, the third argument and promoted parameters."""

from __future__ import annotations

import casadi as ca

from condyle.compiled.graph import Graph
from condyle.compiled.quantity import Outputs
from condyle.dynamics.crba import crba
from condyle.dynamics.rnea import rnea


def inverse_dynamics_derivatives(graph: Graph) -> Outputs:
    """Of tau: dq, du, dthird (= M), dparameters."""
    tau = rnea(graph.linkage, graph.udot, graph.applied).tau
    found = _by_differentiation(graph, tau, ca.SX(0, 0))
    found["dthird"] = crba(graph.linkage)
    return _in_order(found, graph)


def forward_dynamics_derivatives(graph: Graph) -> Outputs:
    """Of udot: dq, du, dthird (by tau), dparameters.

    tau = ID(q, u, udot) implies d udot/dx = -M^-1 dID/dx: a quarter fewer instructions than differentiating the recursion. With
    constraints or locked speeds the recursion itself is differentiated.
    """
    udot = graph.forward.udot
    if graph.constrained is not None or graph.tree.locked_speeds:
        return _in_order(_by_differentiation(graph, udot, graph.tau), graph)
    tau = rnea(graph.linkage, graph.udot, graph.applied).tau
    by_inverse = _by_differentiation(graph, tau, ca.SX(0, 0))
    del by_inverse["dthird"]
    names = list(by_inverse)
    at_solution = ca.substitute([by_inverse[name] for name in names], [graph.udot], [ca.densify(udot)])
    D, LT, order = ca.ldl(crba(graph.linkage))
    found = {name: -ca.ldl_solve(value, D, LT, order) for name, value in zip(names, at_solution, strict=True)}
    found["dthird"] = ca.ldl_solve(ca.SX.eye(graph.u.numel()), D, LT, order)
    return _in_order(found, graph)


def _by_differentiation(graph: Graph, expression: ca.SX, third: ca.SX) -> Outputs:
    found = {"dq": ca.jacobian(expression, graph.q), "du": ca.jacobian(expression, graph.u)}
    found["dthird"] = ca.jacobian(expression, third) if third.numel() else ca.SX(expression.numel(), 0)
    if graph.parameters:
        found["dparameters"] = ca.jacobian(expression, graph.p)
    return found


def _in_order(found: Outputs, graph: Graph) -> Outputs:
    names = ["dq", "du", "dthird"] + (["dparameters"] if graph.parameters else [])
    return {name: found[name] for name in names}
