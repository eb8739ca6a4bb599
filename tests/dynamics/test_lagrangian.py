"""Forward dynamics against Lagrange's equations written on poses alone: no H, no bias, no recursion."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle import Body, Model
from condyle.spatial import Transform, vee

from ..joints.cases import EVERY
from ..joints.evaluate import evaluated
from .mechanisms import CHAINS, EPS, Choice, draw, few, seeds

# Lagrange's equations are solved with M_q = N'^-1 M N^-1, squaring N's condition; second derivatives of poses
# lose more.
ROUNDINGS = 1000


def _inertia(body: Body) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = body.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _chain_poses(model: Model, q: ca.SX) -> list[Transform]:
    """Poses of the bodies of a chain, by composing what the joints state."""
    poses, X, start = [], Transform.identity(), 0
    for joint in model.joints:
        count = len(joint.coordinate_names)
        granted = joint.pose(q[start : start + count])
        X = X @ joint.parent_frame.transform() @ granted @ joint.child_frame.transform().inverse()
        poses.append(X)
        start += count
    return poses


def lagrange(model: Model, nq: int) -> ca.Function:
    """(q, qdot) -> M_q, and the h of M_q qddot + h = Q, from d/dt dL/dqdot - dL/dq."""
    q, rates = ca.SX.sym("q", nq), ca.SX.sym("rates", nq)
    T, V = ca.SX(0), ca.SX(0)
    for body, X in zip(model.bodies, _chain_poses(model, q), strict=True):
        c = X.point(ca.SX(body.center_of_mass))
        v = ca.jtimes(c, q, rates)
        Rdot = ca.reshape(ca.jtimes(ca.vec(ca.densify(X.R)), q, rates), 3, 3)
        w = vee(ca.mtimes(X.R.T, Rdot))
        T += 0.5 * (body.mass * ca.dot(v, v) + ca.dot(w, ca.mtimes(ca.SX(_inertia(body)), w)))
        V -= body.mass * ca.dot(ca.SX(model.gravity), c)
    p = ca.gradient(T, rates)
    h = ca.jtimes(p, q, rates) - ca.gradient(T - V, q)
    return ca.Function("lagrange", [q, rates], [ca.jacobian(p, rates), h])


@cache
def _equations(choice: Choice) -> ca.Function:
    numbers = choice.numbers
    return lagrange(numbers.model, numbers.nq)


@pytest.mark.parametrize("choice", CHAINS, ids=str)
@few
@given(seed=seeds)
def test_accelerations_solve_lagranges_equations(choice, seed):
    """Qddot = N udot + Ndot u, with u'tau = qdot'Q; where nq > nu the manifold |e| = 1 supplies what is
    missing.
    """
    numbers, state = draw(choice, seed)
    joint = evaluated(EVERY[choice.index].joint)
    q, u, tau = state.q[2:], state.u[2:], state.tau
    n = joint.N(q)
    N = np.block([[np.eye(2), np.zeros((2, n.shape[1]))], [np.zeros((n.shape[0], 2)), n]])
    udot = numbers.one("forward_dynamics", replace(state, wrenches=np.zeros_like(state.wrenches)))
    drift = np.concatenate([np.zeros(2), joint.rate_bias(q, u)])
    expected = N @ udot + drift
    rates = N @ state.u
    M, h = (np.array(value.full()) for value in _equations(choice)(state.q, rates))
    Q = np.linalg.pinv(N).T @ tau
    # The directions that N leaves out are those of the Euler parameters' length: their second derivatives are
    # known.
    A = np.linalg.svd(N)[0][:, N.shape[1] :].T
    K = np.block([[M, A.T], [A, np.zeros((len(A), len(A)))]])
    found = np.linalg.solve(K, np.concatenate([Q - h[:, 0], A @ drift]))[: numbers.nq]
    scale = np.sqrt(np.abs(np.concatenate([np.diag(M) + 1e-300, np.ones(len(A))])))
    condition = np.linalg.cond(K / np.outer(scale, scale)) * np.linalg.cond(N)
    size = np.abs(expected).max() + (np.abs(h).max() + np.abs(Q).max()) / np.diag(M)[np.diag(M) > 1e-9].min()
    assert np.abs(found - expected).max() <= ROUNDINGS * EPS * condition * size
