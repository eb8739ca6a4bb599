"""A free orientation of B in P, speeds = angular velocity: names, R and N of both sets of coordinates."""

from __future__ import annotations

from typing import Any

import casadi as ca

from condyle.spatial import euler_parameters_rate_matrix, rotation_from_euler_parameters, rotation_sequence

EULER_PARAMETERS, ANGLES = "euler_parameters", "xyz"
CHOICES = (EULER_PARAMETERS, ANGLES)
SPEED_NAMES = ("wx", "wy", "wz")


def orientation_names(orientation: str) -> tuple[str, ...]:
    """("e0", "e1", "e2", "e3"), scalar first, or the body-fixed angles ("x", "y", "z")."""
    return ("e0", "e1", "e2", "e3") if orientation == EULER_PARAMETERS else ("x", "y", "z")


def orientation_defaults(orientation: str) -> tuple[float, ...]:
    """Coordinates of R = identity."""
    return (1.0, 0.0, 0.0, 0.0) if orientation == EULER_PARAMETERS else (0.0, 0.0, 0.0)


def orientation_rotation(orientation: str, q: ca.SX) -> ca.SX:
    """R_PB(q)."""
    return (
        rotation_from_euler_parameters(q) if orientation == EULER_PARAMETERS else rotation_sequence("xyz", q)
    )


def orientation_rate_matrix(orientation: str, q: ca.SX) -> ca.SX:
    """N with qdot = N omega, omega of B in P in P axes; singular for angles where the second is 90 degrees.

    For angles this is N_P; eq. 10 of the mobilizers paper prints N_B, for omega in B axes, which
    contradicts its eq. 9, 13 and 14.
    """
    if orientation == EULER_PARAMETERS:
        return euler_parameters_rate_matrix(q)
    s1, c1, s2, c2 = ca.sin(q[0]), ca.cos(q[0]), ca.sin(q[1]), ca.cos(q[1])
    zero, one = ca.SX(1, 1), ca.SX(1)
    across, along = s1 / c2, c1 / c2
    return ca.vertcat(
        ca.horzcat(one, across * s2, -along * s2),
        ca.horzcat(zero, c1, s1),
        ca.horzcat(zero, -across, along),
    )


def orientation_unit_groups(orientation: str) -> tuple[int, ...]:
    """Where four Euler parameters start."""
    return (0,) if orientation == EULER_PARAMETERS else ()


def settled_word(coordinates: Any) -> dict[str, Any]:
    """Let `coordinates="xyz"` mean `orientation="xyz"`."""
    return {"orientation": coordinates, "coordinates": ()} if isinstance(coordinates, str) else {}
