"""Equations B.62 to B.67 as printed, a floating body with a spherical joint: the KKT system and the tree."""

from __future__ import annotations

import numpy as np
import pytest

from condyle import Body, Mechanism, Model, Placement
from condyle.dynamics.kane.joints import (
    base_accelerations,
    carried,
    joint_accelerations,
    joint_bias,
    parameter_map,
    shift,
)
from condyle.joints import Ball, Free
from condyle.spatial import euler
from condyle.spatial.euler.transformation import L

J_A, J_B = np.diag([0.3, 0.5, 0.6]), np.array([[0.2, 0.01, 0.0], [0.01, 0.15, 0.02], [0.0, 0.02, 0.3]])
M_A, M_B = 3.0, 1.4
A, B = (
    np.array([0.1, -0.3, 0.2]),
    np.array([0.05, 0.25, -0.1]),
)  # centre of A to joint, joint to that of B
GRAVITY = np.array([0.4, -9.81, 0.2])


def tilde(a: np.ndarray) -> np.ndarray:
    return euler.tilde(a)


def state(seed: int):
    rng = np.random.default_rng(seed)
    e = rng.normal(size=(2, 4))
    e /= np.linalg.norm(e, axis=1, keepdims=True)
    return e, euler.rate_from_body(e, rng.normal(size=(2, 3))), rng.normal(size=3)


def bodies(e, edot):
    """Rotations and angular velocities: A in ground, B in A; all in own axes but R."""
    R_A, R = euler.orientation(e[0]), euler.orientation(e[1])
    w_A, w_rel = euler.angular_velocity_in_body(e, edot)
    return R_A, R, w_A, w_rel, R.T @ w_A + w_rel


def by_recursion(e, edot):
    """(Vdot_A in A axes, eddot_A, eddot_B) by equations B.62 to B.67."""
    R_A, R, w_A, w_rel, w_B = bodies(e, edot)
    phi, bias = shift(R, A), joint_bias(R, A, w_A, w_rel)
    c = tilde(B)
    M = np.block([[M_B * np.eye(3), -M_B * c], [M_B * c, J_B - M_B * c @ c]])
    g_B, g_A = (R_A @ R).T @ GRAVITY, R_A.T @ GRAVITY
    spun = np.cross(w_B, np.cross(w_B, B))
    force = M_B * (spun - g_B)
    h = np.concatenate([force, np.cross(B, force) + np.cross(w_B, J_B @ w_B)]) + M @ bias
    M_up, h_up = carried(M, h, phi)
    base = np.block([[M_A * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), J_A]]) + M_up
    h_base = np.concatenate([-M_A * g_A, np.cross(w_A, J_A @ w_A)]) + h_up
    found = base_accelerations(base, h_base, e[0], edot[0])
    theta = parameter_map(e[0]) @ found
    return found[:3], found[3:], joint_accelerations(M, h, phi @ theta, e[1], edot[1])


def by_multipliers(e, edot):
    """The same from Newton and Euler for both bodies, with the joint's force as a multiplier."""
    R_A, R, w_A, _, w_B = bodies(e, edot)
    R_B = R_A @ R
    masses = [M_A * np.eye(3), J_A, M_B * np.eye(3), J_B]
    system, right = np.zeros((15, 15)), np.zeros(15)
    for k, block in enumerate(masses):
        system[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = block
    D = np.hstack([-np.eye(3), R_A @ tilde(A), np.eye(3), R_B @ tilde(B)])
    system[12:, :12], system[:12, 12:] = D, D.T
    right[:3], right[6:9] = M_A * GRAVITY, M_B * GRAVITY
    right[3:6], right[9:12] = -np.cross(w_A, J_A @ w_A), -np.cross(w_B, J_B @ w_B)
    right[12:] = R_A @ np.cross(w_A, np.cross(w_A, A)) + R_B @ np.cross(w_B, np.cross(w_B, B))
    x = np.linalg.solve(system, right)
    return R_A.T @ x[:3], x[3:6], x[9:12]


@pytest.mark.parametrize("seed", range(20))
def test_the_recursion_is_the_kkt_system(seed):
    e, edot, _ = state(seed)
    _, R, w_A, w_rel, _ = bodies(e, edot)
    Vdot, eddot_A, eddot_B = by_recursion(e, edot)
    expected, wdot_A, wdot_B = by_multipliers(e, edot)
    size = max(np.abs(wdot_A).max(), np.abs(wdot_B).max(), np.abs(expected).max())
    assert np.abs(Vdot - expected).max() < 1e-14 * size
    assert np.abs(L(e[0]) @ eddot_A - wdot_A).max() < 2e-14 * size
    turned = R.T @ wdot_A + L(e[1]) @ eddot_B + np.cross(R.T @ w_A, w_rel)
    assert np.abs(turned - wdot_B).max() < 3e-14 * size
    for p, rate, second in zip(e, edot, (eddot_A, eddot_B), strict=True):
        assert abs(p @ second + rate @ rate) < 1e-13 * (1 + np.abs(second).max())


def test_the_tree_is_that_recursion():
    """The same two bodies as a model, `formulation="kane"`; its e of a joint is the papers' e."""

    def entries(J: np.ndarray) -> tuple[float, ...]:
        return tuple(float(J[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))

    a, b = Body("a", M_A, inertia=entries(J_A)), Body("b", M_B, tuple(B.tolist()), entries(J_B))
    joints = (
        Free("base", "ground", "a"),
        Ball("joint", "a", "b", parent_frame=Placement(tuple(A.tolist()))),
    )
    model = Model("pair", (a, b), joints, gravity=tuple(GRAVITY.tolist()))
    function = Mechanism(model, (), "kane").function("forward_dynamics")
    for seed in range(10):
        e, edot, velocity = state(seed)
        q, u = np.concatenate([e[0], np.zeros(3), e[1]]), np.concatenate([edot[0], velocity, edot[1]])
        found = function(q, u, np.zeros(11), 0, [], [], []).full()[:, 0]
        Vdot, eddot_A, eddot_B = by_recursion(e, edot)
        expected = np.concatenate([eddot_A, euler.orientation(e[0]) @ Vdot, eddot_B])
        assert np.abs(found - expected).max() < 1e-13 * np.abs(expected).max()
