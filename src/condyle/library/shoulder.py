"""An arm on a scapula that glides on the thorax: rooted at the thorax for reaching, at the hand for a
push-up.

The thorax is an ellipsoid (mobilizers, figure 3). Both models have the same joints, coordinates and speeds;
in the second they are reversed. Radii and place of the ellipsoid: thoracoscapular shoulder model of Seth et
al. (2019); masses are rounded figures of an adult.
"""

from __future__ import annotations

from condyle.joints import Ball, Coordinate, Ellipsoid, Free, Joint, Pin, Reversed, Weld
from condyle.model import Body, Model
from condyle.spatial import Placement

RADII = (0.083, 0.200, 0.083)
HAND = (0.0, -0.33, 0.0)  # palm in the axes of the forearm [m]

THORAX = Body("thorax", 20.0, (0.03, -0.15, -0.02), (1.1, 0.5, 1.1, 0.0, 0.0, 0.0))
SCAPULA = Body("scapula", 0.7, (-0.02, -0.03, -0.04), (0.0012, 0.0011, 0.0008, 0.0001, 0.0, 0.0))
HUMERUS = Body("humerus", 2.0, (0.0, -0.14, 0.0), (0.0132, 0.0020, 0.0134, 0.0, 0.0, 0.0))
FOREARM = Body("forearm", 1.9, (0.0, -0.18, 0.0), (0.0190, 0.0018, 0.0195, 0.0, 0.0, 0.0))
BODIES = (THORAX, SCAPULA, HUMERUS, FOREARM)


def _gliding() -> Ellipsoid:
    surface = Placement((-0.0294, -0.0173, 0.0703), (0.0, -0.87, 0.0))
    # The start keeps the scapula on the side of the thorax, away from the singular middle angle.
    start = (Coordinate("x", 0.2), Coordinate("y", 0.3), Coordinate("z", -0.1))
    return Ellipsoid("scapulothoracic", "thorax", "scapula", surface, coordinates=start, radii=RADII)


def _shoulder() -> Ball:
    return Ball("shoulder", "scapula", "humerus", Placement((-0.01, -0.034, 0.03)))


def _elbow() -> Pin:
    flexed = (Coordinate("angle", 0.6),)
    return Pin("elbow", "humerus", "forearm", Placement((0.0, -0.30, 0.0)), coordinates=flexed)


def reaching(root: Joint | None = None) -> Model:
    """Rooted at the thorax, which is welded to ground unless another root is given."""
    root = root or Weld("base", "ground", "thorax", Placement((0.0, 1.2, 0.0)))
    return Model("reaching", BODIES, (root, _gliding(), _shoulder(), _elbow()))


def push_up(root: Joint | None = None) -> Model:
    """The same joints from the hand upwards; the palm is welded to ground unless another root is given."""
    palm = Placement(HAND)
    root = root or Weld("base", "ground", "forearm", child_frame=palm)
    joints = (root, Reversed(_elbow()), Reversed(_shoulder()), Reversed(_gliding()))
    return Model("push_up", tuple(reversed(BODIES)), joints)


def free_root(body: str, child_frame: Placement | None = None) -> Free:
    """A root that grants all motion, for the same mechanism in any inertial motion."""
    return Free("base", "ground", body, child_frame=child_frame or Placement())
