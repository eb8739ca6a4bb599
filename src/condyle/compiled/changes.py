"""How all joint variables change with the independent coordinates and with promoted parameters."""

from __future__ import annotations

import casadi as ca

from condyle.compiled.graph import Graph
from condyle.dynamics.closure import Closure
from condyle.dynamics.symmetric import Factor


def changes(graph: Graph) -> tuple[ca.SX, ca.SX | None]:
    """(ds/dq (ns x nq), ds/dparameters (ns x np) or None), in the tree's symbols.

    Along independent speeds the tree moves by N J; coordinates that are no rates of speeds (Euler parameters)
    are reached by the left inverse of N, which leaves their length out.
    """
    assert graph.embedding is not None and graph.roles is not None
    linkage, roles = graph.linkage, graph.roles
    N = ca.jacobian(linkage.qdot(), graph.v)
    along_speeds = ca.mtimes(N, graph.embedding.J)
    to_speeds = ca.SX(graph.u.numel(), graph.q.numel())
    for link in graph.tree.links:
        own_q = [index for index, k in enumerate(roles.independent) if link.q.start <= k < link.q.stop]
        own_u = [index for index, k in enumerate(roles.independent_speeds) if link.u.start <= k < link.u.stop]
        rate_matrix = link.joint.rate_matrix(graph.s[link.q])
        if own_q and rate_matrix is not None:
            to_speeds[own_u, own_q] = Factor(ca.mtimes(rate_matrix.T, rate_matrix)).solve(rate_matrix.T)
        elif own_q:
            to_speeds[own_u, own_q] = ca.SX.eye(len(own_q))
    by_q = ca.mtimes(along_speeds, ca.sparsify(to_speeds))
    return ca.densify(by_q), _by_parameters(graph) if graph.parameters else None


def _by_parameters(graph: Graph) -> ca.SX:
    """What moves with parameters at fixed q: explicit dependents, and all that is solved for."""
    assert graph.embedding is not None and graph.roles is not None
    roles, embedding = graph.roles, graph.embedding
    count = graph.p.numel()
    by_p = ca.SX(graph.s.numel(), count)

    def of_explicit(by_p: ca.SX) -> ca.SX:
        for coupling in roles.couplings:
            if coupling.is_explicit:
                q, _ = embedding.variables(coupling)
                q_ = ca.SX.sym("q", q.numel())
                value = coupling.solved(q_)
                own, slope = ca.substitute([ca.jacobian(value, graph.p), ca.jacobian(value, q_)], [q_], [q])
                places = [roles.place[name] for name in coupling.independents]
                rows = [roles.place[name] for name in coupling.dependents]
                by_p[rows, :] = own + ca.mtimes(slope, by_p[places, :])
        return by_p

    by_p = of_explicit(by_p)
    if roles.unknown:
        closure = Closure(embedding)
        residual = closure.residual
        right = ca.jacobian(residual, graph.p) + ca.mtimes(ca.jacobian(residual, graph.s), by_p)
        du = closure.system.solve(-right)
        E = closure.expansion
        for k in range(count):
            moved = graph.linkage.qdot_along(ca.mtimes(E[:, list(roles.unknown_speeds)], du[:, k]))
            by_p[list(roles.unknown), k] = moved[list(roles.unknown)]
        by_p = of_explicit(by_p)
    return ca.densify(by_p)
