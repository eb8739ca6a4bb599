"""M, N, G and point forces by Kronecker products [eq. 124-148, 186-198] against the compiled dynamics."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle import closed_form as cf
from condyle.closed_form import Kinematics, kron, permutation, vec

from .systems import CASES, case, expressions, kinematics, numbers, state

every_case = pytest.mark.parametrize("name", CASES)


def joint_motion(name: str, seed: int = 0):
    """(s, u, udot, ds/dq) of the model's joint variables at the case's state, by differentiation."""
    model, multibody, q, _ = case(name)
    values, qdot, qddot = state(name, seed)
    s = ca.vertcat(*[expressions(model, q)[n] for n in multibody.joint_variables])
    rate = ca.SX.sym("rate", q.numel())
    sdot = ca.jtimes(s, q, rate)
    parts = [s, sdot, ca.jtimes(sdot, q, rate) + ca.jtimes(s, q, ca.DM(qddot)), ca.jacobian(s, q)]
    found = ca.Function("s", [q, rate], parts).call([ca.DM(values), ca.DM(qdot)])
    s, u, udot, J = (part.full() for part in found)
    return s[:, 0], u[:, 0], udot[:, 0], J


def close(a, b, tolerance: float = 3e-14) -> bool:
    return a.shape == b.shape and bool(np.abs(a - b).max() <= tolerance * (1 + np.abs(b).max()))


@every_case
@pytest.mark.parametrize("seed", [0, 1])
def test_equations_of_motion(name, seed):
    """Equation 198: M is the tree's projected, and M qddot + N qdot - G its inverse dynamics projected."""
    mechanism, k = cd.compile(case(name)[0]), kinematics(name, seed)
    s, u, udot, J = joint_motion(name, seed)
    _, qdot, qddot = state(name, seed)
    found = cf.equations(k, qdot)
    assert close(found.M, J.T @ mechanism.mass_matrix(s) @ J)
    Q = J.T @ mechanism.inverse_dynamics(s, u, udot)
    assert close(found.generalised_force(qdot, qddot)[:, 0], Q, 1e-13)
    assert close(found.acceleration(qdot, Q)[:, 0], qddot[:, 0], 1e-10)
    assert close(found.acceleration(qdot), found.acceleration(qdot, np.zeros_like(qdot)))
    weightless = cd.Model(**{**vars(case(name)[0]), "gravity": (0.0, 0.0, 0.0)})
    weight = J.T @ (mechanism.bias(s, 0 * u) - cd.compile(weightless).bias(s, 0 * u))
    assert close(-found.G[:, 0], weight)
    T = 0.5 * (qdot.T @ found.M @ qdot).item()
    assert T == pytest.approx(float(mechanism.kinetic_energy(s, u)), rel=1e-13)


@every_case
def test_rate_of_the_mass_matrix_minus_twice_N_is_skew(name):
    """N is the matrix of Christoffel's symbols, and the power of inertia is the rate of the kinetic
    energy.
    """
    _, multibody, q, variables = case(name)
    values, qdot, _ = state(name)
    M = cf.mass_matrix(Kinematics(multibody, variables))
    rate = ca.reshape(ca.jtimes(ca.vec(M), q, ca.DM(qdot)), q.numel(), q.numel())
    Mdot = numbers(q, rate, values)
    S = Mdot - 2 * cf.velocity_matrix(kinematics(name), qdot)
    assert np.abs(S + S.T).max() <= 1e-13 * (1 + np.abs(Mdot).max())
    assert np.abs(Mdot).max() > 1


@every_case
def test_force_at_a_point(name):
    """Figure 12: its virtual work is that of the wrench on the body, in the compiled dynamics."""
    mechanism, k = cd.compile(case(name)[0]), kinematics(name)
    s, u, udot, J = joint_motion(name)
    force, r = np.array([3.0, -2.0, 5.0]), np.array([0.2, 0.4, -0.3])
    for body, placed in k.multibody.bodies.items():
        R, _ = mechanism.body_poses(s)[body]
        wrench = {body: np.concatenate([np.cross(R @ r, force), force])}
        free = mechanism.inverse_dynamics(s, u, udot)
        loaded = mechanism.inverse_dynamics(s, u, udot, wrenches=wrench)
        found = cf.point_force(k, placed.frame, placed.point(r), force)
        assert close(found[:, 0], J.T @ (free - loaded), 1e-13)


@every_case
def test_mass_matrix_step_by_step(name):
    """From the virtual work of a body's points to M_i [eq. 124-145], and to N_i [eq. 146, 147] alike."""
    k = kinematics(name)
    _, qdot, qddot = state(name)
    nq = k.nq
    rng = np.random.default_rng(5)
    dq = rng.normal(size=(nq, 1))
    body = list(k.multibody.bodies.values())[-1]
    i, D, D_prime, J = body.frame, k.D(body.frame), k.D_prime(body.frame), body.J
    # A body of points: J is the sum of r r' over them [eq. 127, 130].
    mass, r1 = rng.uniform(0.1, 1, 6), np.vstack([rng.normal(size=(3, 6)), np.ones(6)])
    J_bar = [r1[:, [p]] @ r1[:, [p]].T for p in range(6)]
    summed = sum(m * J_p for m, J_p in zip(mass, J_bar, strict=True))
    work, first, second = 0.0, 0.0, 0.0
    for m, p, J_p in zip(mass, r1.T, J_bar, strict=True):
        a = np.vstack([cf.acceleration(k, i, p[:3], qdot, qddot), [[0.0]]])
        dr = np.vstack([cf.virtual_displacement(k, i, p[:3], dq), [[0.0]]])
        column = p[:, None]
        parts = (
            D.T @ kron(column, qddot) @ kron(column.T, dq.T) @ D,
            D_prime.T @ kron(column, qdot, qdot) @ kron(column.T, dq.T) @ D,
        )
        assert close(a @ dr.T, sum(parts))  # eq. 125 with the 4 x 4 left side
        factored = (
            D.T @ kron(J_p, qddot @ dq.T) @ D,
            D_prime.T @ kron(J_p, kron(qdot, qdot) @ dq.T) @ D,
        )
        assert all(close(one, other) for one, other in zip(parts, factored, strict=True))  # eq. 126
        work -= m * np.trace(a @ dr.T)  # eq. 124
        first, second = first + m * np.trace(factored[0]), second + m * np.trace(factored[1])
    assert work == pytest.approx(-first - second, rel=1e-12)  # eq. 128
    whole = D.T @ kron(summed, qddot @ dq.T) @ D
    assert np.trace(whole) == pytest.approx(first, rel=1e-12)  # eq. 129, 130, 132
    turned = D.T @ kron(summed, dq @ qddot.T) @ D
    assert np.trace(turned) == pytest.approx(np.trace(whole), rel=1e-12)  # eq. 133: only the traces
    by_vec = vec(D).T @ kron(np.eye(4), summed, dq @ qddot.T) @ vec(D)
    assert by_vec.item() == pytest.approx(first, rel=1e-12)  # eq. 134
    xi, zeta = vec(D).T @ kron(np.eye(4), summed, dq), kron(np.eye(16), qddot.T) @ vec(D)  # eq. 136, 137
    assert (xi @ zeta).item() == pytest.approx(first, rel=1e-12)  # eq. 135
    U, C1 = permutation(nq, 4), kron(vec(np.eye(4)), np.eye(nq))  # eq. 142
    assert close(kron(np.eye(4), kron(np.eye(4), qddot.T)) @ vec(D), zeta)  # eq. 138
    assert close(vec(kron(np.eye(4), qddot.T) @ D), zeta)  # eq. 139
    assert close(kron(D.T, np.eye(4)) @ vec(kron(np.eye(4), qddot.T)), zeta)  # eq. 140
    assert close(kron(D.T, np.eye(4)) @ kron(np.eye(4), U) @ C1 @ qddot, zeta)  # eq. 141
    assert close(dq.T @ C1.T @ kron(summed, U.T) @ kron(D, np.eye(4)), xi)  # eq. 143
    # The body's own J from here on.
    work_first = np.trace(D.T @ kron(J, qddot @ dq.T) @ D)
    work_second = np.trace(D_prime.T @ kron(J, kron(qdot, qdot) @ dq.T) @ D)
    M, N = cf.mass_matrix_of(k, body), cf.velocity_matrix_of(k, body, qdot)
    assert (dq.T @ M @ qddot).item() == pytest.approx(work_first, rel=1e-12)  # eq. 144, 145
    assert (dq.T @ N @ qdot).item() == pytest.approx(work_second, rel=1e-12)  # eq. 146, 147
    G = cf.gravity_force_of(k, body)
    weight = body.body.mass * k.multibody.gravity @ cf.virtual_displacement(k, i, body.r_cm, dq)
    assert (dq.T @ G).item() == pytest.approx(weight.item(), rel=1e-12)  # eq. 186, 187


@every_case
def test_sums_over_the_bodies(name):
    """Equations 188-190, 196, 197; and the virtual work of one body's inertia [eq. 148] added up."""
    k = kinematics(name)
    _, qdot, qddot = state(name)
    bodies = [body for body in k.multibody.bodies.values() if body.frame]
    whole = cf.equations(k, qdot)
    assert close(sum(cf.mass_matrix_of(k, body) for body in bodies), whole.M)
    assert close(sum(cf.velocity_matrix_of(k, body, qdot) for body in bodies), whole.N)
    assert close(sum(cf.gravity_force_of(k, body) for body in bodies), whole.G)
    J = np.array(
        [
            np.trace(k.D(b.frame).T @ kron(b.J, qddot @ e[None, :]) @ k.D(b.frame))
            + np.trace(k.D_prime(b.frame).T @ kron(b.J, kron(qdot, qdot) @ e[None, :]) @ k.D(b.frame))
            for e in np.eye(k.nq)
            for b in bodies
        ]
    ).reshape(k.nq, len(bodies))
    assert close(J.sum(axis=1), (whole.M @ qddot + whole.N @ qdot)[:, 0])


@every_case
def test_contractions_are_the_same(name):
    """M and N qdot as sums over indices, the form that a program would use."""
    k = kinematics(name)
    _, qdot, _ = state(name)
    n = k.nq
    M, Nq = np.zeros((n, n)), np.zeros(n)
    for body in k.multibody.bodies.values():
        dA = k.D(body.frame).reshape(4, n, 4)  # dA[c, a, k] = d A[k, c] / dq_a
        ddA = k.D_prime(body.frame).reshape(4, n, n, 4)
        M += np.einsum("ce,cak,ebk->ab", body.J, dA, dA)
        Nq += np.einsum("ce,cak,ebgk,b,g->a", body.J, dA, ddA, qdot[:, 0], qdot[:, 0])
    assert close(cf.mass_matrix(k), M)
    assert close((cf.velocity_matrix(k, qdot) @ qdot)[:, 0], Nq)


@every_case
def test_symbols_and_numbers_agree(name):
    """One definition serves both."""
    _, multibody, q, variables = case(name)
    values, qdot, qddot = state(name)
    symbolic = cf.equations(Kinematics(multibody, variables), ca.SX(qdot))
    found = cf.equations(kinematics(name), qdot)
    for matrix in ("M", "N", "G"):
        assert close(numbers(q, getattr(symbolic, matrix), values), getattr(found, matrix))
    Q = symbolic.generalised_force(ca.SX(qdot), ca.SX(qddot))
    assert close(numbers(q, Q, values), found.generalised_force(qdot, qddot))
