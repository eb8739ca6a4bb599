"""Angular velocity and acceleration from rates of Euler parameters and back (paper 000, equations 31 and 32).

In ground axes with G, in body axes with L; |p| = 1 and p.pdot = 0.
"""

from __future__ import annotations

from typing import Any

from condyle.spatial.euler.arrays import apply, inner, scaled, transposed
from condyle.spatial.euler.matrices import G, L


def angular_velocity(p: Any, pdot: Any) -> Any:
    """omega = 2 G pdot [rad/s], ground axes."""
    return 2 * apply(G(p), pdot)


def angular_velocity_in_body(p: Any, pdot: Any) -> Any:
    """omega' = 2 L pdot [rad/s], body axes."""
    return 2 * apply(L(p), pdot)


def angular_acceleration(p: Any, pddot: Any) -> Any:
    """omegadot = 2 G pddot [rad/s^2], ground axes: no further term, since Gdot pdot = 0."""
    return 2 * apply(G(p), pddot)


def angular_acceleration_in_body(p: Any, pddot: Any) -> Any:
    """omega'dot = 2 L pddot [rad/s^2], body axes."""
    return 2 * apply(L(p), pddot)


def rate(p: Any, omega: Any) -> Any:
    """pdot = G' omega / 2, omega in ground axes."""
    return apply(transposed(G(p)), omega) / 2


def rate_from_body(p: Any, omega: Any) -> Any:
    """pdot = L' omega' / 2, omega' in body axes."""
    return apply(transposed(L(p)), omega) / 2


def second_rate(p: Any, omega: Any, omegadot: Any) -> Any:
    """pddot = G' omegadot / 2 - (omega.omega) p / 4, ground axes."""
    return apply(transposed(G(p)), omegadot) / 2 - scaled(inner(omega, omega) / 4, p)


def second_rate_from_body(p: Any, omega: Any, omegadot: Any) -> Any:
    """pddot = L' omega'dot / 2 - (omega'.omega') p / 4, body axes."""
    return apply(transposed(L(p)), omegadot) / 2 - scaled(inner(omega, omega) / 4, p)
