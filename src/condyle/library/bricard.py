"""Bricard's mechanism (IFToMM benchmark A04): a ring of six bars and six pins that moves, although by count
it should not.

Gonzalez et al. (2006), Multibody Syst. Dyn. 16, after the library of computational benchmark problems.
"""

from __future__ import annotations

from itertools import pairwise

from condyle.joints import Pin
from condyle.model import Body, Marker, Model
from condyle.spatial import Placement
from condyle.spatial.placement import Vector3

MASS, LENGTH, SECTION, GRAVITY = 1.0, 1.0, 0.1, 9.81  # of every bar: kg, m, side of its square section [m]
#: Corners of the ring [m] and the directions of their pins; the sixth bar is ground.
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
CORNERS: tuple[Vector3, ...] = (
    *((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, -1.0, 0.0)),
    *((1.0, -1.0, 1.0), (0.0, -1.0, 1.0), (0.0, 0.0, 1.0)),
)
AXES: tuple[Vector3, ...] = (_Y, _Z, _X, _Y, _Z, _X)


def bricard(section: float = SECTION) -> Model:
    """At rest in the starting pose, all angles 0; the sixth pin closes the ring.

    `section` [m]: side of the bars' square section in their moments of inertia; 0 for thin rods, as in some
    ports of the benchmark. The marker P3 is the fourth corner.
    """
    across, along = MASS * (LENGTH**2 + section**2) / 12, MASS * section**2 / 6
    ends = [_difference(far, near) for near, far in pairwise(CORNERS)]
    names = [f"bar_{k}" for k in range(len(ends))]
    bodies = tuple(_bar(name, end, across, along) for name, end in zip(names, ends, strict=True))
    origins = [Placement(), *(Placement(end) for end in ends)]  # of every pin, on the body before it
    joints = tuple(
        Pin(f"pin_{k}", parent, child, origins[k], axis=AXES[k])
        for k, (parent, child) in enumerate(pairwise(["ground", *names]))
    )
    loop = Pin("ring", names[-1], "ground", origins[-1], Placement(CORNERS[-1]), axis=AXES[-1])
    return Model(
        "bricard",
        bodies,
        joints,
        markers=(Marker("P3", "bar_2", ends[2]),),
        gravity=(0.0, -GRAVITY, 0.0),
        loops=(loop,),
    )


def _difference(far: Vector3, near: Vector3) -> Vector3:
    return far[0] - near[0], far[1] - near[1], far[2] - near[2]


def _bar(name: str, end: Vector3, across: float, along: float) -> Body:
    """A bar along one axis of its frame, from the origin to `end`."""
    xx, yy, zz = (along if entry else across for entry in end)
    return Body(name, MASS, (end[0] / 2, end[1] / 2, end[2] / 2), (xx, yy, zz, 0.0, 0.0, 0.0))
