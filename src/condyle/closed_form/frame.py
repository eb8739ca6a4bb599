"""The frame of a body on a joint of one degree of freedom [eq. 38-40, 59-71, figure 1]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from condyle.closed_form.matrices import Matrix, blocks, cosine, matrix, sine, tilde


@dataclass(frozen=True, eq=False)
class Frame:
    """Frame i in its parent's: moved by d along V_d, then turned by theta about V_theta.

    Both are unit vectors (3), constant in the parent's frame. A revolute joint has theta = f(q) [rad] and a
    constant d [m]; a prismatic one has d = f(q) [m] and a constant theta [rad]. `parent` is the number of the
    parent's frame; frames count from 1, ground is 0.
    """

    name: str
    parent: int
    revolute: bool
    V_d: np.ndarray
    V_theta: np.ndarray
    constant: float = 0.0

    def rotation(self, f: Any) -> Matrix:
        """A = I + ~V sin(theta) + 2 ~V^2 sin^2(theta / 2) [eq. 39], parent's axes from this frame's."""
        theta = f if self.revolute else self.constant
        V, half = tilde(self.V_theta), sine(0.5 * theta)
        return np.eye(3) + V * sine(theta) + 2.0 * (V @ V) * (half * half)

    def transform(self, f: Any) -> Matrix:
        """A4 (4 x 4) = [A, d V_d; 0, 1] [eq. 38]."""
        d = self.constant if self.revolute else f
        return blocks([[self.rotation(f), matrix(self.V_d) * d], [np.zeros((1, 3)), np.ones((1, 1))]])

    def rotation_slope(self, f: Any) -> Matrix:
        """D(A')/dtheta = ~V' cos f + (~V')^2 sin f of a revolute joint [eq. 65, 66 without their
        factor 2].
        """
        V = tilde(self.V_theta).T
        return V * cosine(f) + (V @ V) * sine(f)

    @property
    def joint_matrix(self) -> np.ndarray:
        """^A4 (4 x 4), constant, with d(A4)/df = A4 ^A4.

        Revolute [~V_theta, 0; 0, 0] [eq. 70, printed with a transpose]; prismatic [0, A' V_d; 0, 0] [eq. 71,
        printed without the transpose of A].
        """
        hat = np.zeros((4, 4))
        if self.revolute:
            hat[:3, :3] = tilde(self.V_theta)
        else:
            hat[:3, 3] = self.rotation(0.0).T @ self.V_d
        return hat
