"""Where a kinematic analysis begins: orientations from the drivers' own data."""

from __future__ import annotations

import numpy as np

from condyle.analyses.relative_motion import body_parameters, frame_parameters
from condyle.compiled.driver_equations import DriverEquations
from condyle.drivers.rotational import RotationalDriver
from condyle.spatial.euler import conjugate, product, relative


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
            inside = relative(
                body_parameters(equations, child, start), body_parameters(equations, base, start)
            )
        else:
            p = targets[..., equations.target_slices[driver.name]]
            inside = product(
                frame_parameters(driver.parent_frame),
                product(p, conjugate(frame_parameters(driver.child_frame))),
            )
        at = tree.links[tree.link_of(child)].q.start
        q[..., at : at + 4] = product(body_parameters(equations, base, q), inside)
    return q
