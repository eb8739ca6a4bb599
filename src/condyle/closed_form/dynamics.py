"""Equations of motion by Kronecker products: M qddot + N qdot = G + Q [eq. 124-148, 186-198]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from condyle.closed_form.kinematics import Kinematics
from condyle.closed_form.matrices import Matrix, homogeneous, kron, matrix, permutation, vec
from condyle.closed_form.multibody import RigidBody, total


def mass_matrix_of(k: Kinematics, body: RigidBody) -> Matrix:
    """M_i = C1' (J kron U_{nq,4}') (D D' kron I4) (I4 kron U_{nq,4}) C1 [eq. 142, 145], (nq x nq)."""
    D, U = k.D(body.frame), permutation(k.nq, 4)
    return _left(k, body) @ kron(D @ D.T, np.eye(4)) @ kron(np.eye(4), U) @ _C(k.nq)


def velocity_matrix_of(k: Kinematics, body: RigidBody, qdot: Matrix) -> Matrix:
    """N_i = C1' (J kron U_{nq,4}') (D D'' kron I4) (I4 kron U_{nq^2,4}) C2 (qdot kron I), (nq x nq).

    D'' is the transposed second derivative and C2 = vec(I4) kron I_{nq^2}: this is equation 147, which prints
    equation 145 again. It is the matrix of Christoffel's symbols: Mdot - 2 N is skew.
    """
    D, D_prime, U = k.D(body.frame), k.D_prime(body.frame), permutation(k.nq**2, 4)
    middle = kron(D @ D_prime.T, np.eye(4)) @ kron(np.eye(4), U) @ _C(k.nq**2)
    return _left(k, body) @ middle @ kron(qdot, np.eye(k.nq))


def gravity_force_of(k: Kinematics, body: RigidBody) -> Matrix:
    """G_i = m ({r_cm; 1}' kron I) D_i {g; 0} [eq. 187], (nq x 1)."""
    return point_force(k, body.frame, body.r_cm, body.body.mass * k.multibody.gravity)


def point_force(k: Kinematics, i: int, r: Any, force: Any) -> Matrix:
    """Generalised force (nq x 1) of a force (3) [N, ground axes] at the point r of frame i [figure 12].

    The force F e does the virtual work F e' dp, with dp of equation 46: Q = ({r; 1}' kron I) D_i {F e; 0}.
    """
    return kron(homogeneous(r, 1.0).T, np.eye(k.nq)) @ k.D(i) @ homogeneous(force, 0.0)


def mass_matrix(k: Kinematics) -> Matrix:
    """M, the sum of all bodies [eq. 189]."""
    return total([np.zeros((k.nq, k.nq)), *[mass_matrix_of(k, body) for body in _moving(k)]])


def velocity_matrix(k: Kinematics, qdot: Matrix) -> Matrix:
    """N, the sum of all bodies [eq. 190]."""
    return total([np.zeros((k.nq, k.nq)), *[velocity_matrix_of(k, body, qdot) for body in _moving(k)]])


def gravity_force(k: Kinematics) -> Matrix:
    """G, the sum of all bodies [eq. 197]."""
    return total([np.zeros((k.nq, 1)), *[gravity_force_of(k, body) for body in _moving(k)]])


@dataclass(frozen=True, eq=False)
class Equations:
    """M qddot + N qdot = G + Q [eq. 198]; Q (nq x 1) stands for what the muscles do there."""

    M: Matrix
    N: Matrix
    G: Matrix

    def generalised_force(self, qdot: Matrix, qddot: Matrix) -> Matrix:
        """The Q (nq x 1) that gives qddot."""
        return self.M @ qddot + self.N @ qdot - self.G

    def acceleration(self, qdot: np.ndarray, Q: Any = 0.0) -> np.ndarray:
        """The qddot (nq x 1) that Q gives; numbers only."""
        Q = np.broadcast_to(matrix(Q), self.G.shape)
        return np.linalg.solve(self.M, self.G + Q - self.N @ matrix(qdot))


def equations(k: Kinematics, qdot: Matrix) -> Equations:
    """All matrices of equation 198 at the rates qdot (nq x 1)."""
    return Equations(mass_matrix(k), velocity_matrix(k, qdot), gravity_force(k))


def _C(n: int) -> np.ndarray:
    """vec(I4) kron I_n [eq. 142]."""
    return kron(vec(np.eye(4)), np.eye(n))


def _left(k: Kinematics, body: RigidBody) -> np.ndarray:
    """C1' (J kron U_{nq,4}') [eq. 143]."""
    return _C(k.nq).T @ kron(body.J, permutation(k.nq, 4).T)


def _moving(k: Kinematics) -> list[RigidBody]:
    return [body for body in k.multibody.bodies.values() if body.frame]
