"""G, its bias and the saddle system of every kind of constraint, against derivatives of the residual."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle.joints.derived import hinge
from condyle.spatial import Transform

from ..dynamics.mechanisms import close, few, seeds
from .cases import CLOSED, Closed, is_regular

over_all = pytest.mark.parametrize("closed", CLOSED, ids=str)


@cache
def _derivatives(closed: Closed) -> ca.Function:
    """(q, u, udot) -> g, dg/dt, d2g/dt2 from poses in ground, differentiated along the motion."""
    graph = closed.numbers.graph
    q, u, udot = graph.q, graph.u, graph.udot
    g = ca.densify(closed.constraint.residual(graph.kinematics))
    y, rates = ca.vertcat(q, u), ca.vertcat(graph.linkage.qdot(), udot)
    first = ca.jtimes(g, y, rates)
    return ca.Function("derivatives", [q, u, udot], [g, first, ca.jtimes(first, y, rates)])


def _state(closed: Closed, seed: int):
    """A random state, seldom assembled."""
    rng = np.random.default_rng(seed)
    state = closed.numbers.state(rng)
    while not is_regular(closed.constraint, closed.numbers, state):
        state = closed.numbers.state(rng)
    return closed.numbers, state


@over_all
@few
@given(seed=seeds)
def test_jacobian_and_bias_are_derivatives_of_the_residual(closed, seed):
    """Gdot = G u and gddot = G udot + bias, along any motion."""
    numbers, state = _state(closed, seed)
    expected = [value.full()[:, 0] for value in _derivatives(closed)(state.q, state.u, state.udot)]
    found = numbers("constraint_equations", state)
    G, bias = found["jacobian"].reshape(-1, numbers.nu), found["bias"]
    size = np.abs(G).max()
    assert close(found["residual"], expected[0], 1.0)
    assert close(G @ state.u, expected[1], size * np.abs(state.u).max())
    second = size * np.abs(state.udot).max() + np.abs(bias).max() + size * (state.u @ state.u)
    assert close(G @ state.udot + bias, expected[2], second)


@over_all
@few
@given(seed=seeds)
def test_accelerations_and_multipliers_solve_the_saddle_system(closed, seed):
    """G udot + bias_g = 0 and M udot + G'lambda = tau - bias on the free speeds; locked ones hold."""
    numbers, state = _state(closed, seed)
    locked = list(numbers.mechanism.tree.locked_speeds)
    free = [k for k in range(numbers.nu) if k not in locked]
    equations = numbers("constraint_equations", state)
    G, gamma = equations["jacobian"].reshape(-1, numbers.nu), equations["bias"]
    M, bias = numbers.mass_matrix(state), numbers.one("bias", state)
    found = numbers("forward_dynamics_and_reactions", state)
    udot, multipliers = found["udot"], found["multipliers"]
    assert np.array_equal(udot[locked], np.zeros(len(locked)))
    K = np.block([[M[np.ix_(free, free)], G[:, free].T], [G[:, free], np.zeros((len(G), len(G)))]])
    scale = np.sqrt(np.concatenate([np.diag(M)[free], 1 / (G[:, free] ** 2 / np.diag(M)[free]).sum(axis=1)]))
    condition = np.linalg.cond(K / np.outer(scale, 1 / scale) / scale[None, :] ** 2)
    inertial = np.abs(M) @ np.abs(udot) + np.abs(bias) + np.abs(G.T) @ np.abs(multipliers)
    assert close(G @ udot, -gamma, condition * np.abs(G).max() * np.abs(udot).max())
    assert close((M @ udot + G.T @ multipliers)[free], (state.tau - bias)[free], condition * inertial)
    other = numbers("constraint_multipliers", state)
    assert np.array_equal(other["multipliers"], multipliers)
    assert 0 < other["smallest_pivot"][0] <= 1


@over_all
@few
@given(seed=seeds)
def test_reactions_contain_the_constraints_loads(closed, seed):
    """H' reaction = tau at every joint where the constraint acts on bodies alone; on coordinates it adds
    -lambda dg/dq N.
    """
    numbers, state = _state(closed, seed)
    found = numbers("forward_dynamics_and_reactions", state)
    rows = found["reactions"].reshape(-1, 6)
    expected = state.tau.copy()
    if closed.constraint.coordinates:
        expected = expected - _through_coordinates(closed)(state.q).full().T @ found["multipliers"]
    size = np.abs(numbers.mass_matrix(state)).max() * np.abs(found["udot"]).max() + np.abs(rows).max()
    for link, wrench in zip(numbers.mechanism.tree.links, rows, strict=True):
        q = ca.SX.sym("q", link.q.stop - link.q.start)
        H = ca.Function("H", [q], [ca.densify(hinge(link.joint, q))])(state.q[link.q]).full()
        free = link.free
        assert close((H.T @ wrench)[free], expected[link.u][free], size)


@cache
def _through_coordinates(closed: Closed) -> ca.Function:
    """dg/dq N with the poses held: the part of G that acts on coordinates directly."""
    graph = closed.numbers.graph

    class Held:
        def __init__(self):
            self.coordinates = {name: graph.q[i] for i, name in enumerate(graph.tree.coordinates)}
            self.poses = {}

        def pose(self, body):
            return self._symbolic("ground", body)

        def relative_pose(self, reference, body):
            return self._symbolic(reference, body)

        def _symbolic(self, reference, body):
            actual = graph.kinematics.relative_pose(reference, body)
            if (reference, body) not in self.poses:
                held = Transform(ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3))
                self.poses[reference, body] = held, actual
            return self.poses[reference, body][0]

    held = Held()
    g = ca.SX(closed.constraint.residual(held))
    matrix = ca.jacobian(g, graph.q)
    for symbols, actual in held.poses.values():
        matrix = ca.substitute(matrix, symbols.R, ca.densify(actual.R))
        matrix = ca.substitute(matrix, symbols.p, ca.densify(actual.p))
    N = ca.jacobian(graph.linkage.qdot(), graph.u)
    return ca.Function("through", [graph.q], [ca.densify(ca.mtimes(matrix, N))])
