"""A mechanism as a system of first-order equations: y = (q, u, z), p = (tau, parameters, wrenches).

z are the joint variables that are solved for, where there are any: Newton's method closes them wherever a
kernel is evaluated; their rates predict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import casadi as ca

from condyle.compiled.changes import changes
from condyle.compiled.closing import closing_step
from condyle.compiled.constraint_quantities import norm
from condyle.compiled.graph import Graph
from condyle.compiled.identity import canonical, graph_key
from condyle.dynamics.constrained import ConstrainedSystem
from condyle.dynamics.embedded import EmbeddedSystem
from condyle.dynamics.stabilisation import Projection, Stabilisation
from condyle.kernels import Kernel, build
from condyle.mechanism.roles import Roles

if TYPE_CHECKING:
    from condyle.compiled.mechanism import Mechanism

#: (time, q, u) -> tau (nu), as expressions.
Controller = Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
#: (time, q, u) -> values (ne), as expressions.
Events = Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
_KEPT = 16  # kernels that contain Python callables


@dataclass(frozen=True)
class StateEquations:
    """Kernels (y, time, p) -> ... of one mechanism; each is built when it is asked for.

    `controller` adds to the constant tau in p; `events` is one function or several, stacked. The mechanism
    keeps the kernels. Those with a Python callable in them are traced anew for every new callable, unless it
    is a casadi.Function. `switch_below`: one event more, the loops' regularity less this number.
    `reference`: roles in whose coordinates controller, tau and events are written, where they are not the
    mechanism's own.
    """

    mechanism: Mechanism
    controller: Controller | ca.Function | None = None
    events: Events | ca.Function | tuple[Events, ...] | None = None
    wrenches: tuple[str, ...] = ()
    stabilisation: Stabilisation = Projection()
    switch_below: float | None = None
    reference: Roles | None = None

    @property
    def second_order(self) -> bool:
        """Whether qdot = u: joints whose speeds are no rates of coordinates name them otherwise."""
        mechanism = self.mechanism
        return mechanism.coordinates == mechanism.speeds and not mechanism.roles.locked_speeds

    def rhs(self) -> Kernel:
        """Ydot (n)."""
        return self._kernel("rhs", lambda graph: [_with_closing(graph, self._rhs(graph))], self.controller)

    def closing(self) -> Kernel | None:
        """Newton step of z."""
        if not self.mechanism.roles.unknown:
            return None
        return self._kernel("closing", lambda graph: [closing_step(graph)["step"]])

    def jacobian(self) -> Kernel:
        """Df/dy (n, n) and df/dt (n)."""

        def outputs(graph: Graph) -> list[ca.SX]:
            rhs = self._rhs(graph)
            if graph.embedding is not None:
                # The controller's own dependence on q and u is in the expression already.
                (rhs,) = graph.with_speeds([rhs])
                by_q, _ = changes(graph)
                dq = ca.jacobian(rhs, graph.q) + ca.jtimes(rhs, graph.s, by_q)
                dy = ca.horzcat(dq, ca.jacobian(rhs, graph.u))
            else:
                dy = ca.jacobian(rhs, ca.vertcat(graph.q, graph.u))
            return [dy, ca.densify(ca.jacobian(rhs, graph.time))]

        return self._kernel("jacobian", outputs, self.controller)

    def position_projection(self) -> Kernel | None:
        """One Newton step of q, or the same q where positions are not projected; the residual before."""
        if not self.mechanism.constrained:
            return None
        moves = self.stabilisation.projects_positions

        def outputs(graph: Graph) -> list[ca.SX]:
            system = graph.constrained
            assert system is not None
            q, z = _moved(graph, system) if moves else (graph.q, graph.dependent)
            y = ca.vertcat(q, graph.u, z)
            return [ca.densify(y), norm(system.equations.residual)]

        return self._kernel("position_projection" if moves else "position_residual", outputs)

    def velocity_projection(self) -> Kernel | None:
        """U on G u = 0, or the same u where speeds are not projected; the residual before.

        Rates of Euler parameters as speeds are projected on e.edot = 0.
        """
        if self.mechanism.tree.rates and self.mechanism.unit_groups:
            return self._kernel("unit_rates", _on_unit_rates)
        if not self.mechanism.constrained:
            return None
        moves = self.stabilisation.projects_velocities

        def outputs(graph: Graph) -> list[ca.SX]:
            system = graph.constrained
            assert system is not None
            y = ca.vertcat(graph.q, graph.u + system.velocity_step() if moves else graph.u, graph.dependent)
            # Off the manifold by the tolerance, equations that follow from the others have a rate that no
            # choice of speeds removes.
            solved = ca.mtimes(system.equations.G[list(system.independent), :], graph.u)
            return [ca.densify(y), norm(solved)]

        return self._kernel("velocity_projection" if moves else "velocity_residual", outputs)

    def event_values(self) -> Kernel | None:
        """Values (ne) whose zeros are events."""
        events = self.events if isinstance(self.events, tuple) else (self.events,)
        events = tuple(event for event in events if event is not None)
        if not events and self.switch_below is None:
            return None

        def outputs(graph: Graph) -> list[ca.SX]:
            q, u = self._seen(graph)
            values = [ca.vec(ca.SX(event(graph.time, q, u))) for event in events]  # type: ignore[misc]
            if self.switch_below is not None:
                assert graph.embedding is not None
                values.append(graph.embedding.regularity - self.switch_below)
            return [ca.densify(ca.vertcat(*values))]

        return self._kernel("events", outputs, events)

    def _seen(self, graph: Graph) -> tuple[ca.SX, ca.SX]:
        """(q, u) in the coordinates of the reference."""
        if self.reference is None:
            return graph.q, graph.u
        return graph.s[list(self.reference.independent)], graph.v[list(self.reference.independent_speeds)]

    def _rhs(self, graph: Graph) -> ca.SX:
        return ca.densify(ca.vertcat(graph.qdot, graph.forward.udot))

    def _kernel(self, name: str, outputs: Callable[[Graph], list[ca.SX]], given: Any = None) -> Kernel:
        """The kernel of these outputs; `given`: the callables that they contain."""
        mechanism = self.mechanism
        seen = (self.switch_below, self.reference and (self.reference.text, self.reference.independent))
        memo = ("state", name, self.wrenches, given, self.stabilisation, seen)
        found = mechanism.kernels.get(memo)
        if found is None:
            text = canonical(given)
            key = None
            if text is not None:
                key = graph_key(
                    mechanism._text,
                    memo[:2],
                    mechanism.parameters,
                    self.wrenches,
                    mechanism._structure,
                    mechanism.formulation,
                    canonical(self.stabilisation),
                    seen,
                    text,
                )
            found = mechanism.kernels[memo] = build(lambda: self._trace(name, outputs), key=key, name=name)
            if key is None:
                # A caller may make a new callable for every simulation: only the latest are worth keeping.
                others = [
                    other for other in mechanism.kernels if other[0] == "state" and other[3] is not None
                ]
                for other in others[:-_KEPT]:
                    del mechanism.kernels[other]
        return found

    def _trace(self, name: str, outputs: Callable[[Graph], list[ca.SX]]) -> ca.Function:
        graph = self.mechanism.graph(self.wrenches)
        graph.stabilisation = self.stabilisation
        y, p = ca.vertcat(graph.q, graph.u, graph.dependent), ca.vertcat(graph.tau, graph.p, graph.wrenches)
        q, u = self._seen(graph)
        if self.controller is not None:
            graph.tau = graph.tau + ca.SX(self.controller(graph.time, q, u))  # type: ignore[arg-type]
        if self.reference is not None:
            assert graph.embedding is not None
            # The same power: tau on the speeds of the reference, which follow from u.
            rows = graph.embedding.J[list(self.reference.independent_speeds), :]
            graph.tau = ca.densify(ca.mtimes(rows.T, graph.tau))
        values = graph.finished([ca.densify(value) for value in outputs(graph)])
        return ca.Function(name, [y, graph.time, p], ca.cse(values))


def _on_unit_rates(graph: Graph) -> list[ca.SX]:
    """edot without its component along e; the largest |e.edot| before."""
    u, along = ca.SX(graph.u), ca.SX(0)
    for link in graph.tree.links:
        for start in link.joint.unit_groups:
            at, of = link.q.start + start, link.u.start + start
            e, edot = graph.q[at : at + 4], graph.u[of : of + 4]
            u[of : of + 4] = edot - e * (ca.dot(e, edot) / ca.dot(e, e))
            along = ca.fmax(along, ca.fabs(ca.dot(e, edot)))
    return [ca.densify(ca.vertcat(graph.q, u)), along]


def _with_closing(graph: Graph, rates: ca.SX) -> ca.SX:
    """The rates of q and u, and those of z behind them."""
    if not graph.dependent.numel():
        return rates
    assert graph.roles is not None
    return ca.vertcat(rates, ca.densify(graph.linkage.qdot()[list(graph.roles.unknown)]))


def _moved(graph: Graph, system: ConstrainedSystem | EmbeddedSystem) -> tuple[ca.SX, ca.SX]:
    """(q, z) after a Newton step on the constraints that stay; z is closed after that."""
    if isinstance(system, ConstrainedSystem):
        return graph.q + system.position_step(), graph.dependent
    assert graph.roles is not None
    moved = system.position_change()
    q = graph.q + moved[list(graph.roles.independent)]
    if not graph.dependent.numel():
        return q, graph.dependent
    return q, graph.dependent + moved[list(graph.roles.unknown)] + closing_step(graph)["step"]
