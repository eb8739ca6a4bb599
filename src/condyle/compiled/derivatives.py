"""Derivatives of inverse and forward dynamics with respect to q, u, the third argument and promoted
parameters.
"""

from __future__ import annotations

import casadi as ca

from condyle.compiled.changes import changes
from condyle.compiled.graph import Graph
from condyle.compiled.quantity import Outputs
from condyle.dynamics.crba import crba
from condyle.dynamics.derivatives import rnea_derivatives
from condyle.dynamics.rnea import rnea


def inverse_dynamics_derivatives(graph: Graph) -> Outputs:
    """Of tau: dq, du, dthird (= M), dparameters."""
    if graph.embedded is not None:
        return _by_differentiation(graph, graph.tau_of(graph.udot), graph.udot)
    found = rnea_derivatives(graph.linkage, graph.udot)
    outputs = {"dq": found.q + _of_loads(graph), "du": found.u, "dthird": found.udot}
    if graph.forces:
        share = graph.forces.generalised
        outputs["dq"] = outputs["dq"] - ca.jacobian(share, graph.q)
        outputs["du"] = outputs["du"] - ca.jacobian(share, graph.u)
    if graph.parameters:
        tau = rnea(graph.linkage, graph.udot, graph.applied).tau
        tau = tau - graph.forces.generalised if graph.forces else tau
        outputs["dparameters"] = ca.jacobian(tau, graph.p)
    return outputs


def forward_dynamics_derivatives(graph: Graph) -> Outputs:
    """Of udot: dq, du, dthird (by tau), dparameters.

    tau = ID(q, u, udot) implies d udot/dx = -M^-1 dID/dx, far fewer instructions than differentiating the
    recursion. With constraints, locked speeds or rates of Euler parameters the recursion itself is
    differentiated.
    """
    udot = graph.forward.udot
    singular = graph.locked_speeds or graph.tree.rates  # M cannot be solved with
    if graph.embedded is not None or graph.constrained is not None or singular:
        return _by_differentiation(graph, udot, graph.tau)
    by_inverse = inverse_dynamics_derivatives(graph)
    del by_inverse["dthird"]
    names = list(by_inverse)
    at_solution = ca.substitute([by_inverse[name] for name in names], [graph.udot], [ca.densify(udot)])
    D, LT, order = ca.ldl(crba(graph.linkage))
    found = {name: -ca.ldl_solve(value, D, LT, order) for name, value in zip(names, at_solution, strict=True)}
    found["dthird"] = ca.ldl_solve(ca.SX.eye(graph.u.numel()), D, LT, order)
    return _in_order(found, graph)


def _of_loads(graph: Graph) -> ca.SX:
    """Derivative to q of -J' w, what external wrenches (constant in ground axes) contribute to tau."""
    share = ca.SX(graph.u.numel(), 1)
    for k, body in enumerate(graph.wrench_bodies):
        J = graph.kinematics.jacobian(body, ca.SX(3, 1))
        share = share - ca.mtimes(J.T, graph.wrenches[6 * k : 6 * k + 6])
    return ca.jacobian(share, graph.q)


def _by_differentiation(graph: Graph, expression: ca.SX, third: ca.SX) -> Outputs:
    if graph.embedding is not None:
        (expression,) = graph.with_speeds([ca.densify(expression)])
        by_q, by_parameters = changes(graph)
        found = {"dq": ca.jtimes(expression, graph.s, by_q)}
    else:
        by_parameters = None
        found = {"dq": ca.jacobian(expression, graph.q)}
    found |= {name: ca.jacobian(expression, x) for name, x in (("du", graph.u), ("dthird", third))}
    if graph.parameters:
        found["dparameters"] = ca.jacobian(expression, graph.p)
        if by_parameters is not None:
            found["dparameters"] += ca.jtimes(expression, graph.s, by_parameters)
    return found


def _in_order(found: Outputs, graph: Graph) -> Outputs:
    names = ["dq", "du", "dthird"] + (["dparameters"] if graph.parameters else [])
    return {name: found[name] for name in names}
