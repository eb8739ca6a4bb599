"""Orientation of a driver's child frame in its parent frame, at a mechanism's state [000-18, 37, 39]."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np

from condyle.compiled.driver_equations import DriverEquations
from condyle.drivers import Motion
from condyle.drivers.rotational import RotationalDriver
from condyle.spatial import Placement
from condyle.spatial.euler import (
    conjugate,
    product,
    rate,
    relative,
    relative_rate,
    relative_second_rate,
    second_rate,
)

_AT_REST = np.array([1.0, 0.0, 0.0, 0.0])


def relative_parameters(equations: DriverEquations, driver: RotationalDriver, q: np.ndarray) -> np.ndarray:
    """p_ij (..., 4) at coordinates (..., n) of the tree."""
    p_ij = relative(body_parameters(equations, driver.child, q), body_parameters(equations, driver.parent, q))
    return _in_frames(driver, p_ij)


def relative_motion(
    equations: DriverEquations, driver: RotationalDriver, whole: tuple[np.ndarray, ...]
) -> Motion:
    """p_ij, its rate and second rate from (q, u, udot) of the tree."""
    i, j = (_turning(equations, body, whole) for body in (driver.child, driver.parent))
    p_ij = relative(i[0], j[0])
    first = relative_rate(i[0], j[0], i[1], j[1])
    second = relative_second_rate((i[0], j[0]), (i[1], j[1]), (i[2], j[2]))
    return Motion(*[_in_frames(driver, part) for part in (p_ij, first, second)])


def body_parameters(equations: DriverEquations, body: str, q: np.ndarray) -> np.ndarray:
    """p (..., 4) of a body, or of ground."""
    index = equations.tree.link_of(body)
    if index < 0:
        return _AT_REST
    at = equations.tree.links[index].q.start
    return q[..., at : at + 4]


@cache
def frame_parameters(placement: Placement) -> np.ndarray:
    """p (4) of a frame in its body."""
    return np.array(ca.DM(placement.euler_parameters()).full())[:, 0]


def _in_frames(driver: RotationalDriver, p: np.ndarray) -> np.ndarray:
    """Bilinear, so the same for p and for its rates."""
    return product(
        product(conjugate(frame_parameters(driver.parent_frame)), p), frame_parameters(driver.child_frame)
    )


def _turning(
    equations: DriverEquations, body: str, whole: tuple[np.ndarray, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(p, pdot, pddot) of a body; its angular speeds are those of a free joint, ground axes."""
    q, u, udot = whole[:3]
    index = equations.tree.link_of(body)
    p = np.broadcast_to(body_parameters(equations, body, q), (*q.shape[:-1], 4))
    if index < 0:
        return p, np.zeros(p.shape), np.zeros(p.shape)
    at = equations.tree.links[index].u.start
    omega, omegadot = u[..., at : at + 3], udot[..., at : at + 3]
    return p, rate(p, omega), second_rate(p, omega, omegadot)
