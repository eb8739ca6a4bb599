"""Equations B.62 to B.67 of paper 002 as printed: a floating base and a spherical joint in a recursion.

Accelerations are theta = (linear, angular), each body's in its own axes: of A about its mass centre, of B
about the joint's point. M* (6 x 6) and h* (6) are what is left of a body with all that it carries: h* holds
the gyroscopic terms, M* times the joint's bias, and minus the loads. Arrays with leading axes.
`condyle.dynamics.kane.recursion` does the same for expressions and any tree; tests compare the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.dynamics.kane.free_body import embedded_rates
from condyle.spatial.euler.arrays import (
    apply,
    below,
    beside,
    column,
    columns,
    entries,
    solved,
    transposed,
    vector,
)
from condyle.spatial.euler.matrices import tilde
from condyle.spatial.euler.normality import Normality
from condyle.spatial.euler.transformation import L


def parameter_map(e: Any) -> Any:
    """Y (6 x 7) = diag(1, L) (B.64): theta = Y (Vdot, eddot), for Ldot edot = 0."""
    return below(beside(np.eye(3), np.zeros((3, 4))), beside(np.zeros((3, 3)), L(e)))


def base_accelerations(M: Any, h: Any, e: Any, edot: Any) -> Any:
    """(Vdot, eddot) (7) of Y'M*Y (Vdot, eddot) = -Y'h* (B.62, 63, 65), normality embedded."""
    normality = Normality.of(e)
    independent = [column(c) for c in normality.columns(columns(L(e)))]
    reduced = below(beside(np.eye(3), np.zeros((3, 3))), beside(np.zeros((3, 3)), beside(*independent)))
    carried = apply(L(e), normality.constant(edot))
    right = apply(M, vector([0.0, 0.0, 0.0, *entries(carried)])) + h
    found = entries(solved(transposed(reduced) @ M @ reduced, -apply(transposed(reduced), right)))
    return vector([*found[:3], *entries(normality.expanded(vector(found[3:]), edot))])


def shift(R: Any, a: Any) -> Any:
    """phi (6 x 6): theta of A's point at a (A axes, from its mass centre), in B axes; R from B to A axes."""
    across = transposed(R)
    return below(beside(across, -across @ tilde(a)), beside(np.zeros((3, 3)), across))


def joint_bias(R: Any, a: Any, omega: Any, omega_relative: Any) -> Any:
    """(6) theta_B less phi theta_A and s omega'dot; omega of A in A axes, that of B in A in B axes."""
    turned = apply(transposed(R), omega)
    centripetal = apply(transposed(R) @ tilde(omega) @ tilde(omega), a)
    return vector([*entries(centripetal), *entries(apply(tilde(turned), omega_relative))])


def joint_accelerations(M: Any, h: Any, base: Any, e: Any, edot: Any) -> Any:
    """eddot (4) of L's'M*s L eddot = -L's'(M* phi theta_A + h*) (B.66, 67); `base` is phi theta_A (6)."""
    load = apply(M, base) + h
    return embedded_rates(e, edot, _angular(M), -vector(entries(load)[3:]))


def carried(M: Any, h: Any, phi: Any) -> tuple[Any, Any]:
    """What A feels of B through the joint: M* - M*s (s'M*s)^-1 s'M*, and h* alike, both through phi."""
    inverse = np.linalg.inv(_angular(M))
    through = M[..., :, 3:] @ inverse
    felt = M - through @ M[..., 3:, :]
    wrench = h - apply(through, h[..., 3:])
    return transposed(phi) @ felt @ phi, apply(transposed(phi), wrench)


def _angular(M: Any) -> Any:
    """s'M*s with s = [0; 1]."""
    return M[..., 3:, 3:]
