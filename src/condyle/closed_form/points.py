"""Motion of a point r (3, axes of frame i) [m], in ground axes [eq. 41-57], and angular velocity of a
frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.closed_form.kinematics import Kinematics
from condyle.closed_form.matrices import Matrix, homogeneous, kron
from condyle.closed_form.multibody import total


def position(k: Kinematics, i: int, r: Any) -> Matrix:
    """{p; 1} = A4 {r; 1} [eq. 41], its upper three rows (3 x 1)."""
    return (k.A4(i) @ homogeneous(r, 1.0))[:3, :]


def velocity(k: Kinematics, i: int, r: Any, qdot: Matrix) -> Matrix:
    """{v; 0} = D_i' ({r; 1} kron qdot) [eq. 44], (3 x 1)."""
    return (k.D(i).T @ kron(homogeneous(r, 1.0), qdot))[:3, :]


def virtual_displacement(k: Kinematics, i: int, r: Any, dq: Matrix) -> Matrix:
    """{dp; 0} = D_i' ({r; 1} kron dq) [eq. 46], (3 x 1)."""
    return velocity(k, i, r, dq)


def acceleration(k: Kinematics, i: int, r: Any, qdot: Matrix, qddot: Matrix) -> Matrix:
    """{a; 0} = D'_i' ({r; 1} kron qdot kron qdot) + D_i' ({r; 1} kron qddot), (3 x 1).

    Equation 57; it prints D' in both terms, which do not even fit.
    """
    r1 = homogeneous(r, 1.0)
    return (k.D_prime(i).T @ kron(r1, qdot, qdot) + k.D(i).T @ kron(r1, qddot))[:3, :]


def angular_velocity(k: Kinematics, i: int, qdot: Matrix) -> Matrix:
    """Of frame i, in its own axes: the sum over its revolute ancestors of A V_theta grad f' qdot [eq.
    177-180].

    A turns the axes of the ancestor's parent, in which V_theta is given, to those of i; equation 179 prints
    it the other way round.
    """
    terms = [np.zeros((3, 1))]
    for j in k.multibody.path(i):
        frame = k.multibody.frames[j - 1]
        if frame.revolute:
            A = k.A4(i, frame.parent)[:3, :3].T
            terms.append((A @ frame.V_theta.reshape(3, 1)) @ (k.variables.gradient[j - 1].T @ qdot))
    return total(terms)
