"""What the paper prints wrongly: every misprint is evaluated as printed, and is far from the truth."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle import closed_form as cf
from condyle.closed_form import Kinematics, kron, permutation, tilde, vec
from condyle.closed_form.matrices import homogeneous

from .systems import kinematics, numbers, state, tilted

NAME = "tree, three"
VALUES = np.array([[0.4], [-0.9]])


@pytest.fixture(scope="module")
def k() -> Kinematics:
    return kinematics(NAME)


@pytest.fixture(scope="module")
def both() -> tuple[ca.SX, Kinematics, Kinematics]:
    """(q, expressions, numbers) of frames with both constants."""
    multibody, q, variables = tilted()
    return q, Kinematics(multibody, variables), Kinematics(multibody, variables.at(q, VALUES))


def apart(printed: np.ndarray, right: np.ndarray) -> float:
    """Largest difference, relative to the largest entry."""
    assert printed.shape == right.shape
    return float(np.abs(printed - right).max() / np.abs(right).max())


def test_equations_65_and_66_have_a_factor_2_too_many():
    """And 64 lacks its factor 1/2: d/dq of sin^2(f / 2) is sin(f) / 2 grad f."""
    V, f = tilde(np.array([2.0, -1.0, 2.0]) / 3.0).T, 0.7
    right = V @ (np.eye(3) + V * np.sin(f) + 2 * V @ V * np.sin(f / 2) ** 2)
    assert apart(V * np.cos(f) + 2 * V @ V * np.sin(f), right) > 0.1
    assert apart(V * np.cos(f) + V @ V * np.sin(f), right) < 1e-15


def test_equation_70_is_transposed(both):
    """The joint matrix of a revolute joint is [~V, 0; 0, 0], not its transpose."""
    _, _, k = both
    i = 1
    f = ca.SX.sym("f")
    slope = ca.jacobian(ca.vec(k.multibody.frames[i - 1].transform(f)), f)
    right = ca.Function("s", [f], [slope])(k.variables.f[i - 1]).full().reshape(4, 4, order="F")
    assert apart(k.steps[i - 1] @ k.joint_matrix(i).T, right) > 1
    assert apart(k.steps[i - 1] @ k.joint_matrix(i), right) < 1e-15


def test_equation_71_lacks_a_transpose(both):
    """A slider that also turns: its joint matrix holds A' V_d, not A V_d."""
    _, _, k = both
    frame = k.multibody.frames[1]
    assert not frame.revolute
    right = np.array([*frame.V_d, 0.0])[:, None]  # d(A4)/dd, last column
    printed = k.steps[1] @ np.append(frame.rotation(0.0) @ frame.V_d, 0.0)[:, None]
    assert apart(printed, right) > 0.1
    assert apart(k.steps[1] @ k.joint_matrix(2)[:, [3]], right) < 1e-15


def test_equations_72_and_73_end_on_the_wrong_factor(both):
    """The second factor is B of the parent, not the step's own transform."""
    q, symbolic, k = both
    i = 3
    above = k.multibody.frames[i - 1].parent
    right = numbers(q, cf.derivative(symbolic.A4(i).T, q), VALUES)
    own = kron(k.joint_matrix(i).T @ k.steps[i - 1].T, k.variables.gradient[i - 1])
    onward = kron(k.steps[i - 1].T, np.eye(k.nq)) @ k.D(above)
    assert apart(own @ k.steps[i - 1].T + onward, right) > 0.1
    assert apart(own @ k.A4(above).T + onward, right) < 1e-14


def test_equations_88_and_89_have_W_for_the_third_term(both):
    """W_ii' equals ^A4' A4_i' only where the parent is ground."""
    q, symbolic, k = both
    gradient, hessian = k.variables.gradient, k.variables.hessian

    def printed(i):
        above = k.multibody.frames[i - 1].parent
        return (
            kron(k.joint_matrix(i).T, permutation(k.nq, k.nq)) @ kron(k.D(i), gradient[i - 1])
            + kron(k.W(i, i).T, vec(hessian[i - 1]))
            + kron(k.W(i, i).T, np.eye(k.nq), gradient[i - 1]) @ k.D(above)
            + kron(k.steps[i - 1].T, np.eye(k.nq**2)) @ k.D_prime(above)
        )

    for i, wrong in ((1, False), (3, True)):
        right = numbers(q, cf.derivative(cf.derivative(symbolic.A4(i).T, q), q), VALUES)
        assert (apart(printed(i), right) > 0.1) == wrong
        assert apart(k.D_prime_recursive(i), right) < 1e-14


def test_equation_90_has_the_hessian_of_another_joint(both):
    """vec(H_j), not vec(H_i)."""
    _, _, k = both
    i, hessian = 3, k.variables.hessian
    path = k.multibody.path(i)
    shift = sum(kron(k.W(j, i).T, vec(hessian[i - 1] - hessian[j - 1])) for j in path)
    assert apart(k.D_prime(i) + shift, k.D_prime(i)) > 0.1


def test_equations_96_to_98(both):
    """96b: W_sj is no path downwards; 97: the sum runs over Anc(i) and i; 98: one term, not two."""
    q, symbolic, k = both
    i, j = 3, 1
    right = numbers(q, cf.derivative(symbolic.W(j, i).T, q), VALUES)
    gradient, hat = k.variables.gradient, k.joint_matrix
    above = sum(kron((k.W(s, j) @ hat(j) @ k.A4(i, j)).T, gradient[s - 1]) for s in k.multibody.path(j))
    assert apart(above, right) > 0.1  # 97 as printed, over Anc(j) and j alone
    below = sum(kron((k.W(j, s) @ hat(s) @ k.A4(i, s)).T, gradient[s - 1]) for s in k.below(j, i))
    assert apart(above + below, right) < 1e-14

    def inverse_path(s):  # W_sj with s below j needs the pose of j in s
        return k.A4(s) @ hat(s) @ np.linalg.inv(k.A4(s, j))

    printed = sum(kron((inverse_path(s) @ hat(s) @ k.A4(i, s)).T, gradient[s - 1]) for s in k.below(j, i))
    assert apart(above + printed, right) > 0.1
    doubled = below + sum(kron((k.W(j, j) @ hat(j) @ k.A4(i, j)).T, gradient[s - 1]) for s in k.below(j, i))
    assert apart(above + doubled, right) > 0.1  # 98 as printed, with k = j


def test_equations_56_and_57(k):
    """56 needs qddot; 57 prints D' in its second term, where it does not even fit."""
    _, qdot, qddot = state(NAME)
    i, r1 = 3, np.array([[0.3], [-0.2], [0.5], [1.0]])
    first = k.D_prime(i).T @ kron(r1, qdot, qdot)
    right = cf.acceleration(k, i, r1[:3], qdot, qddot)
    assert apart((first + k.D(i).T @ kron(r1, qdot))[:3], right) > 0.1
    assert k.D_prime(i).T.shape[1] != kron(r1, qddot).shape[0]
    assert apart((first + k.D(i).T @ kron(r1, qddot))[:3], right) < 1e-15


def test_equation_125_has_a_left_side_of_3_rows(k):
    """Its right side is 4 x 4."""
    D = k.D(1)
    assert (D.T @ kron(np.ones((4, 1)), np.ones((k.nq, 1)))).shape == (4, 1)


def test_equation_126_has_qdot_for_qddot(k):
    """The virtual work of inertia depends on qddot in its first part."""
    _, qdot, qddot = state(NAME)
    body, dq = k.multibody.bodies["c"], np.ones((k.nq, 1))
    D = k.D(body.frame)

    def work(rate):
        return np.array([[np.trace(D.T @ kron(body.J, rate @ dq.T) @ D)]])

    right = dq.T @ cf.mass_matrix_of(k, body) @ qddot
    assert apart(work(qdot), right) > 0.1 and apart(work(qddot), right) < 1e-13


def test_equation_131_is_no_inertia_tensor(k):
    """With the inertia tensor in place of the second moment the mass matrix is wrong."""
    body = k.multibody.bodies["c"]
    J = body.J.copy()
    J[:3, :3] = np.trace(J[:3, :3]) * np.eye(3) - J[:3, :3]  # the tensor about the frame's origin
    D, U, C1 = k.D(body.frame), permutation(k.nq, 4), kron(vec(np.eye(4)), np.eye(k.nq))
    right = cf.mass_matrix_of(k, body)

    def M(J):
        return C1.T @ kron(J, U.T) @ kron(D @ D.T, np.eye(4)) @ kron(np.eye(4), U) @ C1

    assert apart(M(J), right) > 0.05 and apart(M(body.J), right) < 1e-15


def test_equation_133_equates_different_matrices(k):
    """qddot dq' is not dq qddot'; only the traces of what is built on them are equal."""
    _, _, qddot = state(NAME)
    dq = np.ones((k.nq, 1))
    assert apart(qddot @ dq.T, dq @ qddot.T) > 0.1


def test_equation_147_repeats_145(k):
    """As printed N_i would be M_i: no force of velocity, and Mdot - 2 N is not skew."""
    _, qdot, _ = state(NAME)
    body = k.multibody.bodies["c"]
    assert apart(cf.mass_matrix_of(k, body), cf.velocity_matrix_of(k, body, qdot)) > 0.5


def test_equation_179_turns_the_wrong_way(k):
    """The axis of an ancestor is turned from its parent's axes to those of the body."""
    _, qdot, _ = state(NAME)
    i = 3
    printed = np.zeros((3, 1))
    for j in k.multibody.path(i):
        frame = k.multibody.frames[j - 1]
        if frame.revolute:
            speed = k.variables.gradient[j - 1].T @ qdot
            printed += k.A4(i, frame.parent)[:3, :3] @ frame.V_theta.reshape(3, 1) @ speed
    assert apart(printed, cf.angular_velocity(k, i, qdot)) > 0.1


def test_homogeneous_points_are_needed(k):
    """50 and 51 print r for {r; 1}: the sizes do not fit."""
    assert homogeneous([1.0, 2.0, 3.0], 1.0).shape == (4, 1)
    assert k.D_prime(1).shape[0] == 4 * k.nq**2 != 3 * k.nq**2
