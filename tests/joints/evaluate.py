"""Numbers out of a joint's expressions, as the laws need them."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np

from condyle.joints import Joint
from condyle.joints.derived import coordinate_rates, derived_bias, derived_hinge, hinge, hinge_bias


class Evaluated:
    """X, H, N and Hdot u of a joint, as given and as derived from the pose alone."""

    def __init__(self, joint: Joint) -> None:
        self.nq, self.nu = len(joint.coordinate_names), len(joint.speed_names)
        q, u = ca.SX.sym("q", self.nq), ca.SX.sym("u", self.nu)
        X = joint.pose(q)
        H, H_derived = hinge(joint, q, X), derived_hinge(joint, q, X)
        N = joint.rate_matrix(q)
        rates = coordinate_rates(joint, q, u)
        self._position = ca.Function(
            "position", [q], [X.R, X.p, H, H_derived, ca.SX.eye(self.nq) if N is None else N]
        )
        bias = [hinge_bias(joint, q, u, H), derived_bias(joint, q, u, H_derived), ca.jtimes(rates, q, rates)]
        self._bias = ca.Function("bias", [q, u], bias)

    def R(self, q: np.ndarray) -> np.ndarray:
        return np.array(self._position(q)[0].full())

    def p(self, q: np.ndarray) -> np.ndarray:
        return np.array(self._position(q)[1].full())[:, 0]

    def H(self, q: np.ndarray) -> np.ndarray:
        return np.array(self._position(q)[2].full())

    def H_derived(self, q: np.ndarray) -> np.ndarray:
        return np.array(self._position(q)[3].full())

    def N(self, q: np.ndarray) -> np.ndarray:
        return np.array(self._position(q)[4].full())

    def bias(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.array(self._bias(q, u)[0].full())[:, 0]

    def bias_derived(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.array(self._bias(q, u)[1].full())[:, 0]

    def rate_bias(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Ndot u."""
        return np.array(self._bias(q, u)[2].full())[:, 0]


# Hypothesis asks for the same joint many times; an expression graph costs more than all its evaluations.
evaluated = cache(Evaluated)


def slope(function, q: np.ndarray, direction: np.ndarray, step: float = 2e-3) -> np.ndarray:
    """Derivative of function(q) along a direction: central differences, error of order step^6."""
    total = 0.0
    for weight, k in ((45, 1), (-9, 2), (1, 3)):
        total = total + weight * (function(q + k * step * direction) - function(q - k * step * direction))
    return total / (60 * step)


def close(actual: np.ndarray, expected: np.ndarray, bound: float) -> bool:
    """Whether two arrays agree to `bound` times the largest entry (or 1)."""
    if expected.size == 0:
        return actual.shape == expected.shape
    return bool(np.abs(actual - expected).max() <= bound * max(1.0, np.abs(expected).max()))
