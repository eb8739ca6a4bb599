"""Implicit equations that several joints share, in the pose X_PB of B in P."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from condyle.spatial import Transform, perpendiculars, unit


def alignment(X_PB: Transform) -> ca.SX:
    """Three equations of R = 1: axes of P stand across axes of B.

    Half turns about an axis satisfy them too.
    """
    R = X_PB.R
    return ca.vertcat(R[0, 1], R[0, 2], R[1, 2])


def axis_alignment(axis: Sequence[Any], X_PB: Transform) -> ca.SX:
    """Two equations: `axis`, the same in P and in B, keeps its direction (or its opposite)."""
    turned = ca.mtimes(X_PB.R, unit(axis))
    return ca.vertcat(*[ca.dot(ca.SX(side), turned) for side in perpendiculars(axis)])


def across(axis: Sequence[Any], X_PB: Transform) -> ca.SX:
    """Two equations: B's origin stays on `axis` through P's origin."""
    return ca.vertcat(*[ca.dot(ca.SX(side), X_PB.p) for side in perpendiculars(axis)])
