"""D_i and D'_i by recursion and in closed form [eq. 72-99], motion of points [eq. 42-58], against
differentiation.
"""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle import closed_form as cf
from condyle.closed_form import Kinematics, Multibody, kron, permutation, vec
from condyle.closed_form.variables import JointVariables

from . import systems
from .systems import CASES, case, expressions, kinematics, numbers, state

TOLERANCE = 2e-14
NAMES = (*CASES, "tilted")


@cache
def example(name: str) -> tuple[Multibody, ca.SX, JointVariables, np.ndarray]:
    """(multibody, q, variables, numbers of q)."""
    if name == "tilted":
        return *systems.tilted(), np.array([[0.4], [-0.9]])
    _, multibody, q, variables = case(name)
    return multibody, q, variables, state(name)[0]


@cache
def both(name: str) -> tuple[Kinematics, Kinematics]:
    """In expressions, and in numbers."""
    multibody, q, variables, values = example(name)
    return Kinematics(multibody, variables), Kinematics(multibody, variables.at(q, values))


@cache
def differentiated(name: str) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """{i: (dB_i/dq, d^2 B_i/dq^2)} by automatic differentiation of the product of transforms."""
    _, q, _, values = example(name)
    symbolic, k = both(name)
    found = {}
    for i in range(1, len(k.multibody.frames) + 1):
        first = cf.derivative(symbolic.A4(i).T, q)
        found[i] = (numbers(q, first, values), numbers(q, cf.derivative(first, q), values))
    return found


def close(a, b) -> bool:
    return a.shape == b.shape and bool(np.abs(a - b).max() <= TOLERANCE * (1 + np.abs(b).max()))


every_case = pytest.mark.parametrize("name", NAMES)


@every_case
def test_first_derivative(name):
    """D_i in closed form [eq. 45, 75, 76] and by recursion [eq. 72-74, 77]."""
    _, k = both(name)
    for i, (first, _) in differentiated(name).items():
        assert close(k.D(i), first)
        assert close(k.D_recursive(i), first)


@every_case
def test_second_derivative(name):
    """D'_i in closed form [eq. 58, 90-99] and by recursion [eq. 78-89], as corrected."""
    _, k = both(name)
    for i, (_, second) in differentiated(name).items():
        assert close(k.D_prime(i), second)
        assert close(k.D_prime_recursive(i), second)


@every_case
def test_first_derivative_step_by_step(name):
    """Theorem 1 on B_i = A4_i' B_pr(i), then equation 69 [eq. 72, 73]."""
    multibody, q, _, values = example(name)
    symbolic, k = both(name)
    for i, (first, _) in differentiated(name).items():
        above = multibody.frames[i - 1].parent
        step = symbolic.steps[i - 1].T
        slope, I = numbers(q, cf.derivative(step, q), values), np.eye(k.nq)
        onward = kron(k.steps[i - 1].T, I) @ k.D(above)
        own = kron(k.joint_matrix(i).T @ k.steps[i - 1].T, k.variables.gradient[i - 1])
        assert close(slope, own)  # eq. 69
        assert close(slope @ k.A4(above).T + onward, first)  # eq. 72 with B_pr(i)
        assert close(own @ k.A4(above).T + onward, first)  # eq. 73
        assert close(kron(k.W(i, i).T, k.variables.gradient[i - 1]) + onward, first)  # eq. 77


@every_case
def test_second_derivative_step_by_step(name):
    """The two parts of equation 78 and what becomes of them [eq. 79-88], against differentiation of each."""
    multibody, q, variables, values = example(name)
    symbolic, k = both(name)
    nq = k.nq
    U, I = permutation(nq, nq), np.eye(nq)
    for i, (first, second) in differentiated(name).items():
        above, gradient = multibody.frames[i - 1].parent, k.variables.gradient[i - 1]
        hat, step, W = k.joint_matrix(i).T, k.steps[i - 1].T, k.W(i, i).T
        vec_H = vec(k.variables.hessian[i - 1])
        own = numbers(q, cf.derivative(variables.gradient[i - 1], q), values)
        assert close(own, vec_H)  # eq. 80
        first_part = numbers(q, cf.derivative(kron(symbolic.W(i, i).T, variables.gradient[i - 1]), q), values)
        slope_W = numbers(q, cf.derivative(symbolic.W(i, i).T, q), values)
        assert close(slope_W, kron(hat, I) @ first)  # eq. 81
        assert close(kron(np.eye(4), U) @ kron(slope_W, gradient) + kron(W, vec_H), first_part)  # eq. 79
        assert close(kron(hat, U) @ kron(first, gradient) + kron(W, vec_H), first_part)  # eq. 82
        spread = numbers(q, cf.derivative(kron(symbolic.steps[i - 1].T, I), q), values)
        slope_step = kron(hat @ step, gradient)
        assert close(kron(np.eye(4), U) @ kron(slope_step, I), spread)  # eq. 84, 85
        assert close(kron(hat @ step, U @ kron(gradient, I)), spread)  # eq. 86
        assert close(U @ kron(gradient, I), kron(I, gradient))  # eq. 87
        assert close(kron(hat @ step, I, gradient), spread)  # eq. 88 with ^A4' A4_i' for W_ii'
        prime = differentiated(name)[above][1] if above else np.zeros((4 * nq**2, 4))
        second_part = spread @ k.D(above) + kron(step, np.eye(nq**2)) @ prime  # eq. 83
        assert close(first_part + second_part, second)  # eq. 78, 89


@every_case
def test_derivative_of_W(name):
    """Equations 91-98: the derivatives of W_ji', with the indices of 96b, 97 and 98 corrected."""
    multibody, q, _, values = example(name)
    symbolic, k = both(name)
    for i in differentiated(name):
        total = np.zeros((4 * k.nq**2, 4))
        for j in multibody.path(i):
            wanted = numbers(q, cf.derivative(symbolic.W(j, i).T, q), values)
            hat, gradient = k.joint_matrix, k.variables.gradient
            A4_ij, above_j = k.A4(i, j).T, multibody.path(j)
            between = numbers(q, cf.derivative(ca.SX(symbolic.A4(i, j)).T, q), values)
            by_94 = sum(
                (kron(k.A4(i, s).T @ hat(s).T @ k.A4(s, j).T, gradient[s - 1]) for s in k.below(j, i)),
                np.zeros((4 * k.nq, 4)),
            )
            assert close(by_94, between)
            tail = kron(A4_ij @ hat(j).T, np.eye(k.nq)) @ k.D(j)
            assert close(between @ hat(j).T @ k.A4(j).T + tail, wanted)  # eq. 91, 92
            sums = sum(kron(A4_ij @ hat(j).T @ k.W(s, j).T, gradient[s - 1]) for s in above_j)
            assert close(between @ hat(j).T @ k.A4(j).T + sums, wanted)  # eq. 93
            upper = sum(
                (kron(k.A4(i, s).T @ hat(s).T @ k.W(j, s).T, gradient[s - 1]) for s in k.below(j, i)),
                np.zeros((4 * k.nq, 4)),
            )
            assert close(upper + sums, wanted)  # eq. 96 with W_js
            by_98 = sum(kron(k.W_bar(s, j, i).T, gradient[s - 1]) for s in multibody.path(i))
            assert close(by_98, wanted)  # eq. 97, 98 over Anc(i) and i
            total = total + kron(np.eye(4), permutation(k.nq, k.nq)) @ kron(wanted, gradient[j - 1])
            total = total + kron(k.W(j, i).T, vec(k.variables.hessian[j - 1]))
        assert close(total, differentiated(name)[i][1])  # eq. 90 with H_j


@pytest.mark.parametrize("name", CASES)
def test_points_move_as_the_mechanism_says(name):
    """Velocity, virtual displacement, acceleration and angular velocity [eq. 41-46, 57, 177-180] of every
    body.
    """
    model, multibody, q, _ = case(name)
    values, qdot, qddot = state(name)
    s = ca.vertcat(*[expressions(model, q)[n] for n in multibody.joint_variables])
    rate = ca.SX.sym("rate", q.numel())
    sdot = ca.jtimes(s, q, rate)
    parts = [s, sdot, ca.jtimes(sdot, q, rate) + ca.jtimes(s, q, ca.DM(qddot))]
    s, u, udot = (
        part.full()[:, 0] for part in ca.Function("s", [q, rate], parts).call([ca.DM(values), ca.DM(qdot)])
    )
    compiled, k, r = cd.compile(model), kinematics(name), np.array([0.3, -0.2, 0.5])
    for body in multibody.bodies.values():
        p, v, a = compiled.point_motion(s, u, udot, body.body.name, r)
        point = body.point(r)
        assert np.abs(cf.position(k, body.frame, point)[:, 0] - p).max() <= 1e-13
        assert np.abs(cf.velocity(k, body.frame, point, qdot)[:, 0] - v).max() <= 1e-13
        assert np.abs(cf.acceleration(k, body.frame, point, qdot, qddot)[:, 0] - a).max() <= 1e-12
        moved = compiled.virtual_displacement(s, u, body.body.name, r)
        assert np.abs(cf.virtual_displacement(k, body.frame, point, qdot)[:, 0] - moved).max() <= 1e-13
        w, _ = compiled.body_velocities(s, u)[body.body.name]
        own = cf.angular_velocity(k, body.frame, qdot)
        assert np.abs((k.A4(body.frame)[:3, :3] @ own)[:, 0] - w).max() <= 1e-13


@every_case
def test_acceleration_step_by_step(name):
    """The two parts of equation 48 [eq. 42-44, 47-56], the rates taken by differentiation along qdot."""
    multibody, q, _, values = example(name)
    symbolic, k = both(name)
    nq, i = k.nq, len(multibody.frames)
    rng = np.random.default_rng(3)
    qdot, qddot, r1 = (
        rng.normal(size=(nq, 1)),
        rng.normal(size=(nq, 1)),
        np.array([[0.3], [-0.2], [0.5], [1.0]]),
    )

    def rate(A):
        along = ca.jtimes(ca.vec(ca.SX(A)), q, ca.DM(qdot))
        return numbers(q, along, values).reshape(A.shape, order="F")

    D, D_prime = k.D(i), k.D_prime(i)
    assert close(rate(symbolic.A4(i)), D.T @ kron(np.eye(4), qdot))  # eq. 43
    v = D.T @ kron(r1, qdot)
    assert close(rate(symbolic.A4(i)) @ r1, v) and abs(v[3, 0]) == 0  # eq. 42, 44
    rate_D = rate(symbolic.D(i).T)
    assert close(rate_D, D_prime.T @ kron(np.eye(4 * nq), qdot))  # eq. 49
    Z = kron(np.eye(nq), qdot)
    assert close(kron(np.eye(4 * nq), qdot), kron(np.eye(4), Z))
    assert close(kron(np.eye(4), Z) @ kron(r1, qdot), kron(r1, Z @ qdot))  # eq. 52
    assert close(Z @ qdot, kron(qdot, qdot))  # eq. 53
    assert close(kron(np.eye(4), Z) @ kron(r1, qdot), kron(r1, qdot, qdot))  # eq. 54
    first = rate_D @ kron(r1, qdot)
    assert close(D_prime.T @ kron(np.eye(4 * nq), qdot) @ kron(r1, qdot), first)  # eq. 50 with {r; 1}
    assert close(D_prime.T @ (kron(np.eye(4), Z) @ kron(r1, qdot)), first)  # eq. 51
    assert close(D_prime.T @ kron(r1, qdot, qdot), first)  # eq. 55
    velocity_symbolic = symbolic.D(i).T @ kron(r1, qdot)
    whole = rate(velocity_symbolic) + D.T @ kron(r1, qddot)  # eq. 47, 48, 56 with qddot
    assert close(cf.acceleration(k, i, r1[:3], qdot, qddot), whole[:3])


@every_case
def test_symbols_and_numbers_agree(name):
    """One definition serves both."""
    _, q, _, values = example(name)
    symbolic, k = both(name)
    i = len(k.multibody.frames)
    assert close(numbers(q, symbolic.D(i), values), k.D(i))
    assert close(numbers(q, symbolic.D_prime(i), values), k.D_prime(i))
    assert close(numbers(q, symbolic.D_prime_recursive(i), values), k.D_prime_recursive(i))
