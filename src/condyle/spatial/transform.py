"""Pose X_AB = (R_AB, p_AoBo_A) of a frame B in a frame A."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from condyle.spatial.vectors import constant


@dataclass(frozen=True)
class Transform:
    """R (3 x 3) maps B components to A components; p (3 x 1) [m] is B's origin from A's, in A."""

    R: ca.SX
    p: ca.SX

    @staticmethod
    def identity() -> Transform:
        return Transform(constant(np.eye(3)), ca.SX(3, 1))

    def __matmul__(self, other: Transform) -> Transform:
        """X_AC = X_AB @ X_BC."""
        return Transform(ca.mtimes(self.R, other.R), self.p + ca.mtimes(self.R, other.p))

    def inverse(self) -> Transform:
        return Transform(self.R.T, -ca.mtimes(self.R.T, self.p))

    def point(self, r: ca.SX) -> ca.SX:
        """Position in A of the point r given in B."""
        return self.p + ca.mtimes(self.R, r)

    def is_identity_rotation(self) -> bool:
        """Whether R is the constant identity (then it need not be multiplied)."""
        return self.R.sparsity() == ca.Sparsity.diag(3) and bool(
            all(self.R[i, i].is_constant() and float(self.R[i, i]) == 1.0 for i in range(3))
        )
