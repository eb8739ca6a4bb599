"""A mechanism as a system of first-order equations: y = (q, u), p = (tau, parameters, wrenches)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import casadi as ca

from condyle.compiled.constraint_quantities import norm
from condyle.compiled.graph import Graph
from condyle.compiled.identity import canonical, graph_key
from condyle.kernels import Kernel, build

if TYPE_CHECKING:
    from condyle.compiled.mechanism import Mechanism

#: (time, q, u) -> tau (nu), as expressions.
Controller = Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
#: (time, q, u) -> values (ne), as expressions.
Events = Callable[[ca.SX, ca.SX, ca.SX], ca.SX]


@dataclass(frozen=True)
class StateEquations:
    """Kernels (y, time, p) -> ... of one mechanism; each is built when it is asked for.

    `controller` adds to the constant tau in p. Kernels with a Python callable in them are traced anew in every process,
    unless the callable is a casadi.Function.
    """

    mechanism: Mechanism
    controller: Controller | ca.Function | None = None
    events: Events | ca.Function | None = None
    wrenches: tuple[str, ...] = ()

    def rhs(self) -> Kernel:
        """Ydot (n)."""
        return self._kernel("rhs", lambda graph: [self._rhs(graph)])

    def jacobian(self) -> Kernel:
        """Df/dy (n, n) and df/dt (n)."""

        def outputs(graph: Graph) -> list[ca.SX]:
            rhs, y = self._rhs(graph), ca.vertcat(graph.q, graph.u)
            return [ca.jacobian(rhs, y), ca.densify(ca.jacobian(rhs, graph.time))]

        return self._kernel("jacobian", outputs)

    def position_projection(self) -> Kernel | None:
        """One Newton step of q, and the residual before it."""
        if not self.mechanism.model.constraints:
            return None

        def outputs(graph: Graph) -> list[ca.SX]:
            system = graph.constrained
            assert system is not None
            y = ca.vertcat(graph.q + system.position_step(), graph.u)
            return [ca.densify(y), norm(system.equations.residual)]

        return self._kernel("position_projection", outputs)

    def velocity_projection(self) -> Kernel | None:
        """U on G u = 0, and the residual before."""
        if not self.mechanism.model.constraints:
            return None

        def outputs(graph: Graph) -> list[ca.SX]:
            system = graph.constrained
            assert system is not None
            y = ca.vertcat(graph.q, graph.u + system.velocity_step())
            return [ca.densify(y), norm(ca.mtimes(system.equations.G, graph.u))]

        return self._kernel("velocity_projection", outputs)

    def event_values(self) -> Kernel | None:
        """Values (ne) whose zeros are events."""
        events = self.events
        if events is None:
            return None
        return self._kernel("events", lambda g: [ca.densify(ca.vec(ca.SX(events(g.time, g.q, g.u))))])  # type: ignore[arg-type]

    def _rhs(self, graph: Graph) -> ca.SX:
        return ca.densify(ca.vertcat(graph.linkage.qdot(), graph.forward.udot))

    def _kernel(self, name: str, outputs: Callable[[Graph], list[ca.SX]]) -> Kernel:
        mechanism = self.mechanism

        def trace() -> ca.Function:
            graph = mechanism.graph(self.wrenches)
            y, p = ca.vertcat(graph.q, graph.u), ca.vertcat(graph.tau, graph.p, graph.wrenches)
            if self.controller is not None:
                graph.tau = graph.tau + ca.SX(self.controller(graph.time, graph.q, graph.u))  # type: ignore[arg-type]
            return ca.Function(name, [y, graph.time, p], ca.cse(outputs(graph)))

        return build(trace, key=self._key(name), name=name)

    def _key(self, name: str) -> bytes | None:
        parts: list[Any] = []
        for callable_part in (self.controller, self.events):
            text = canonical(callable_part)
            if text is None:
                return None
            parts.append(text)
        mechanism = self.mechanism
        return graph_key(
            mechanism._text, "state", name, mechanism.parameters, self.wrenches, mechanism._independent, *parts
        )
