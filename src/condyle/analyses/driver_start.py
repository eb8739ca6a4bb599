"""Where a kinematic analysis begins: orientations from the drivers' own data."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from condyle.compiled.driver_equations import DriverEquations
from condyle.drivers.rotational import RotationalDriver
from condyle.spatial.euler import conjugate, product, relative


def relative_parameters(equations: DriverEquations, driver: RotationalDriver, q: np.ndarray) -> np.ndarray:
    """p_ij (..., 4) of a driver's two frames at coordinates (..., n) of the tree [000-18]."""
    p_i = product(_body(equations, driver.child, q), _frame(driver.child_frame))
    p_j = product(_body(equations, driver.parent, q), _frame(driver.parent_frame))
    return relative(p_i, p_j)


def start_from_targets(equations: DriverEquations, start: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Coordinates of the tree (..., n) with each driven body turned as its driver says, parents first.

    Other bodies keep their default orientation in the body that carries them; positions are left to the
    first Newton steps, in which they enter linearly.
    """
    tree = equations.tree
    assert tree.described is not None
    q = np.broadcast_to(start, (*targets.shape[:-1], start.shape[-1])).copy()
    by_child = {
        driver.child: driver
        for driver in equations.drivers
        if isinstance(driver, RotationalDriver) and driver.orientation
    }
    for link in tree.described.links:
        child, parent = link.body.name, link.joint.parent
        if tree.links[tree.link_of(child)].joint.unit_groups != (0,):
            continue
        driver = by_child.get(child)
        base = parent if driver is None else driver.parent
        if driver is None:
            inside = relative(_body(equations, child, start), _body(equations, base, start))
        else:
            p = targets[..., equations.target_slices[driver.name]]
            inside = product(_frame(driver.parent_frame), product(p, conjugate(_frame(driver.child_frame))))
        at = tree.links[tree.link_of(child)].q.start
        q[..., at : at + 4] = product(_body(equations, base, q), inside)
    return q


def _body(equations: DriverEquations, body: str, q: np.ndarray) -> np.ndarray:
    index = equations.tree.link_of(body)
    if index < 0:
        return np.array([1.0, 0.0, 0.0, 0.0])
    at = equations.tree.links[index].q.start
    return q[..., at : at + 4]


def _frame(placement: Any) -> np.ndarray:
    return np.array(ca.DM(placement.euler_parameters()).full())[:, 0]
