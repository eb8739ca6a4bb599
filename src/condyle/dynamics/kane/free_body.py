"""Kane's equations of a free body, seven coordinates q = (r, e), in three solutions (002-B.36 to B.61).

Every formula holds for CasADi expressions and for NumPy arrays with leading axes. r is the centre of mass in
ground, e turns body axes to ground axes; J and torques are about the centre of mass, in body axes. L is that
of paper 002, twice the one of paper 000: omega' = L edot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca
import numpy as np

from condyle.spatial.euler.arrays import (
    apply,
    below,
    beside,
    column,
    columns,
    entries,
    inner,
    is_symbolic,
    scaled,
    solved,
    transposed,
    vector,
)
from condyle.spatial.euler.normality import Normality
from condyle.spatial.euler.transformation import K, L


@final
@dataclass(frozen=True)
class FreeBody:
    """Mass [kg] and inertia (3 x 3) [kg m^2] about the centre of mass, in body axes."""

    mass: Any
    inertia: Any

    def partial_velocities(self, e: Any) -> tuple[Any, Any]:
        """(dV/dqdot, domega'/dqdot), each (3 x 7): (1, 0) and (0, L) (B.47, 48, 53, 54)."""
        turning = L(e)
        return _like(np.eye(3, 7), turning), beside(np.zeros((3, 3)), turning)

    def mass_matrix(self, e: Any) -> Any:
        """M(q) (7 x 7) = diag(m 1, L'J L), of rank six (B.61)."""
        V, W = self.partial_velocities(e)
        return self.mass * transposed(V) @ V + transposed(W) @ (_like(self.inertia, W) @ W)

    def velocity_terms(self, e: Any, edot: Any) -> Any:
        """C(q, qdot) (7) = (0, L'K) (B.58, 60, 61)."""
        return _joined(np.zeros(3), apply(transposed(L(e)), K(e, edot, self.inertia)))

    def active_forces(self, e: Any, force: Any, torque: Any) -> Any:
        """Gamma (7) = (F, L'M): F [N] in ground axes, M [N m] in body axes (B.45, 46, 49, 55)."""
        return _joined(force, apply(transposed(L(e)), torque))

    def residual(self, e: Any, edot: Any, qddot: Any, force: Any, torque: Any) -> Any:
        """F_i - F*_i (7) as defined: force and torque less the rates of momentum, on the partial velocities.

        (B.36 to 38; the rates are m Vdot, and J L eddot + K, B.35.)
        """
        V, W = self.partial_velocities(e)
        values = entries(qddot)
        rddot, eddot = vector(values[:3]), vector(values[3:])
        turned = apply(self.inertia, apply(L(e), eddot)) + K(e, edot, self.inertia)
        return apply(transposed(V), force - self.mass * rddot) + apply(transposed(W), torque - turned)

    def bordered(self, e: Any, edot: Any, force: Any, torque: Any) -> tuple[Any, Any]:
        """(qddot (7), multiplier of normality): L'J L bordered by e (B.59 with B.10); the multiplier is 0."""
        turning, across = L(e), column(e)
        M = transposed(turning) @ (_like(self.inertia, turning) @ turning)
        system = below(beside(M, across), beside(transposed(across), np.zeros((1, 1))))
        right = apply(transposed(turning), torque - K(e, edot, self.inertia))
        found = entries(solved(system, _joined(right, vector([-inner(edot, edot)]))))
        return self._whole(force, vector(found[:4])), found[4]

    def closed(self, e: Any, edot: Any, force: Any, torque: Any) -> Any:
        """qddot (7): eddot = L'J^-1 (M - K) / 4 - e (edot.edot), since L L' = 4."""
        omegadot = solved(self.inertia, torque - K(e, edot, self.inertia))
        eddot = apply(transposed(L(e)), omegadot) / 4 - scaled(inner(edot, edot), e)
        return self._whole(force, eddot)

    def embedded(self, e: Any, edot: Any, force: Any, torque: Any, dependent: int | None = None) -> Any:
        """qddot (7): three independent second rates from T'L'J L T, the dependent one from them.

        `dependent` fixes the dependent parameter; None: the largest, wherever this is evaluated.
        """
        torque = torque - K(e, edot, self.inertia)
        return self._whole(force, embedded_rates(e, edot, self.inertia, torque, dependent))

    def _whole(self, force: Any, eddot: Any) -> Any:
        """m rddot = F beside the rotation (B.51, 52)."""
        return _joined(force / self.mass, eddot)


def embedded_rates(e: Any, edot: Any, inertia: Any, torque: Any, dependent: int | None = None) -> Any:
    """eddot (4) of L'(J L eddot - M) = 0 with normality embedded, J (3 x 3), M (3) in body axes."""
    normality, turning = Normality.of(e, dependent), L(e)
    reduced = beside(*[column(c) for c in normality.columns(columns(turning))])
    left = apply(inertia, apply(turning, normality.constant(edot)))
    right = apply(transposed(reduced), torque - left)
    matrix = transposed(reduced) @ (_like(inertia, reduced) @ reduced)
    return normality.expanded(solved(matrix, right), edot)


def _joined(first: Any, second: Any) -> Any:
    return vector([*entries(first), *entries(second)])


def _like(m: Any, other: Any) -> Any:
    """A constant matrix, as CasADi's where the other one is."""
    return ca.DM(m) if is_symbolic(other) and not is_symbolic(m) else m
