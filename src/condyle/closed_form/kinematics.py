"""Transforms to ground and their first and second derivatives, by recursion and in closed form [eq.
38-99].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from condyle.closed_form.matrices import Matrix, kron, permutation, vec
from condyle.closed_form.multibody import Multibody, total
from condyle.closed_form.variables import JointVariables
from condyle.errors import InputError


@dataclass(frozen=True, eq=False)
class Kinematics:
    """A multibody at its joint variables; numbers i, j, s name frames, 0 is ground.

    `A4(i, j)` (4 x 4) is frame i's pose in frame j. B_i = A4(i)' ; D_i = dB_i/dq (4 nq x 4) and
    D'_i = d^2 B_i/dq^2 (4 nq^2 x 4) are derivatives in the sense of definition 1.
    """

    multibody: Multibody
    variables: JointVariables
    _kept: dict[tuple, Matrix] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if len(self.variables.f) != len(self.multibody.frames):
            found, needed = len(self.variables.f), len(self.multibody.frames)
            raise InputError(f"{found} joint variables given, {needed} frames need one each")

    @property
    def nq(self) -> int:
        return self.variables.nq

    @cached_property
    def steps(self) -> list[Matrix]:
        """Pose of every frame in its parent's [eq. 38]."""
        return [frame.transform(f) for frame, f in zip(self.multibody.frames, self.variables.f, strict=True)]

    def joint_matrix(self, i: int) -> np.ndarray:
        """^A4 of frame i [eq. 70, 71]."""
        return self.multibody.frames[i - 1].joint_matrix

    def A4(self, i: int, j: int = 0) -> Matrix:
        """Pose of frame i in frame j, one of its ancestors: the product along the path [eq. 40]."""
        if (i, j) not in self._kept:
            if i == j:
                return np.eye(4)
            if i == 0:
                raise ValueError(f"frame {j} is no ancestor")
            self._kept[i, j] = self.A4(self.multibody.frames[i - 1].parent, j) @ self.steps[i - 1]
        return self._kept[i, j]

    def W(self, j: int, i: int) -> Matrix:
        """W_ji = A4(j) ^A4_j A4(i in j) = dA4(i)/df_j [eq. 76]."""
        if ("W", j, i) not in self._kept:
            self._kept["W", j, i] = self.A4(j) @ self.joint_matrix(j) @ self.A4(i, j)
        return self._kept["W", j, i]

    def W_bar(self, s: int, j: int, i: int) -> Matrix:
        """Second derivative of A4(i) with respect to f_s and f_j [eq. 98, which prints an undefined k and a
        sum].

        W_js ^A4_s A4(i in s) where s lies strictly below j, else W_sj ^A4_j A4(i in j).
        """
        upper, lower = (j, s) if s in self.below(j, i) else (s, j)
        return self.W(upper, lower) @ self.joint_matrix(lower) @ self.A4(i, lower)

    def below(self, j: int, i: int) -> list[int]:
        """Omega_ij: i and its ancestors without j and its ancestors [eq. 95]."""
        above = self.multibody.path(j)
        return [s for s in self.multibody.path(i) if s not in above]

    # First derivative

    def D(self, i: int) -> Matrix:
        """D_i = sum over j of W_ji' kron grad f_j [eq. 75]."""
        if ("D", i) not in self._kept:
            terms = [kron(self.W(j, i).T, self._gradient(j)) for j in self.multibody.path(i)]
            self._kept["D", i] = total([np.zeros((4 * self.nq, 4)), *terms])
        return self._kept["D", i]

    def D_recursive(self, i: int) -> Matrix:
        """(^A4' B_i) kron grad f_i + (A4_i' kron I) D_pr(i) [eq. 74, 77]."""
        if i == 0:
            return np.zeros((4 * self.nq, 4))
        above = self.multibody.frames[i - 1].parent
        own = kron(self.joint_matrix(i).T @ self.A4(i).T, self._gradient(i))
        return own + kron(self.steps[i - 1].T, np.eye(self.nq)) @ self.D_recursive(above)

    # Second derivative

    def D_prime(self, i: int) -> Matrix:
        """D'_i = sum over j, s of W_bar_sji' kron grad f_j kron grad f_s + sum over j of W_ji' kron vec H_j
        [eq. 99].
        """
        if ("D'", i) not in self._kept:
            path = self.multibody.path(i)
            terms = [
                kron(self.W_bar(s, j, i).T, self._gradient(j), self._gradient(s)) for j in path for s in path
            ]
            terms += [kron(self.W(j, i).T, vec(self.variables.hessian[j - 1])) for j in path]
            self._kept["D'", i] = total([np.zeros((4 * self.nq**2, 4)), *terms])
        return self._kept["D'", i]

    def D_prime_recursive(self, i: int) -> Matrix:
        """Equation 89, with ^A4' A4_i' in its third term (printed W_ii', the same under ground only)."""
        nq = self.nq
        if i == 0:
            return np.zeros((4 * nq**2, 4))
        hat, step, gradient = self.joint_matrix(i).T, self.steps[i - 1].T, self._gradient(i)
        above = self.multibody.frames[i - 1].parent
        return (
            kron(hat, permutation(nq, nq)) @ kron(self.D_recursive(i), gradient)
            + kron(self.W(i, i).T, vec(self.variables.hessian[i - 1]))
            + kron(hat @ step, np.eye(nq), gradient) @ self.D_recursive(above)
            + kron(step, np.eye(nq**2)) @ self.D_prime_recursive(above)
        )

    def _gradient(self, j: int) -> Matrix:
        return self.variables.gradient[j - 1]
