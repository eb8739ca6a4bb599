"""Quantities of one body's point, whose place on the body is an input: name "kind:body"."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca

from condyle.compiled.graph import Graph
from condyle.compiled.quantity import Outputs, Quantity


def _jacobian(graph: Graph, body: str) -> Outputs:
    return {"jacobian": graph.on_speeds(graph.kinematics.jacobian(body, graph.point))}


def _point_motion(graph: Graph, body: str) -> Outputs:
    motion = graph.kinematics.point(body, graph.point, graph.vdot)
    values = {"position": motion.position, "velocity": motion.velocity, "acceleration": motion.acceleration}
    return {name: ca.densify(value) for name, value in values.items()}


_KINDS: dict[str, tuple[tuple[str, ...], Callable[[Graph, str], Outputs]]] = {
    "jacobian": (("q", "point"), _jacobian),
    "point_motion": (("q", "u", "udot", "point"), _point_motion),
}


def point_quantity(name: str) -> Quantity | None:
    """The quantity called "kind:body", or None when the kind is unknown."""
    kind, _, body = name.partition(":")
    if kind not in _KINDS or not body:
        return None
    inputs, build = _KINDS[kind]
    return Quantity(inputs, lambda graph: build(graph, body))
