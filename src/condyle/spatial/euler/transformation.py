"""E, eta, L and K as the appendix of paper 002 writes them: e for p, L_002 = 2 L, omega in body axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.spatial.euler.arrays import apply, beside, column, transposed
from condyle.spatial.euler.matrices import L as half_L
from condyle.spatial.euler.matrices import tilde

ETA = np.hstack([np.eye(3), np.zeros((3, 1))])
"""eta (3 x 4) = [1, 0] (B.16)."""


def E(e: Any) -> Any:
    """(4 x 4) [L', e], orthogonal (B.13, B.18): edot = E (omega; 0) / 2."""
    return beside(transposed(half_L(e)), column(e))


def L(e: Any) -> Any:
    """(3 x 4) 2 eta E' = 2 L of paper 000 (B.32): omega' = L edot. Linear, so Ldot is L(edot)."""
    return 2 * half_L(e)


def K(e: Any, edot: Any, inertia: Any) -> Any:
    """(3) J Ldot edot + omega' x J omega' (B.34) [N m]; its first term vanishes: Hdot = J L eddot + K."""
    omega = apply(L(e), edot)
    return apply(inertia, apply(L(edot), edot)) + apply(tilde(omega), apply(inertia, omega))
