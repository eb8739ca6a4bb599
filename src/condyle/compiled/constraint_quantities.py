"""Quantities of models with constraints."""

from __future__ import annotations

import casadi as ca

from condyle.compiled.graph import Graph
from condyle.compiled.quantity import Outputs, Quantity
from condyle.dynamics.constrained import ConstrainedSystem
from condyle.dynamics.embedded import EmbeddedSystem


def _system(graph: Graph) -> ConstrainedSystem | EmbeddedSystem:
    if graph.constrained is None:
        raise ValueError("the model has no constraints")
    return graph.constrained


def _equations(graph: Graph) -> Outputs:
    equations = _system(graph).equations
    return {
        "residual": ca.densify(equations.residual),
        "jacobian": equations.G,
        "bias": ca.densify(equations.bias),
    }


def _multipliers(graph: Graph) -> Outputs:
    system = _system(graph)
    pivot = system.factor.smallest_relative_pivot
    return {"multipliers": graph.forward.multipliers, "smallest_pivot": pivot}


def _position_step(graph: Graph) -> Outputs:
    system = _system(graph)
    return {"dq": ca.densify(system.position_step()), "residual": norm(system.equations.residual)}


def _velocity_step(graph: Graph) -> Outputs:
    system = _system(graph)
    rate = ca.mtimes(system.equations.G, graph.u)
    return {"du": ca.densify(system.velocity_step()), "residual": norm(rate)}


def norm(residual: ca.SX) -> ca.SX:
    """Largest absolute entry."""
    largest = ca.SX(0)
    for entry in ca.vertsplit(ca.densify(residual)):
        largest = ca.fmax(largest, ca.fabs(entry))
    return largest


CONSTRAINT_QUANTITIES = {
    "constraint_equations": Quantity(("q", "u"), _equations),
    "constraint_multipliers": Quantity(("q", "u", "tau"), _multipliers),
    "constraint_position_step": Quantity(("q",), _position_step),
    "constraint_velocity_step": Quantity(("q", "u"), _velocity_step),
}
