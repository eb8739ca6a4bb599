"""The humanoid that Pinocchio builds as its sample model: a free root and 28 pins, 35 coordinates, 34 speeds.

Numbers (masses, lengths, inertias) of `pinocchio::buildModels::humanoid`, Pinocchio 4.1 (BSD-2-Clause),
https://github.com/stack-of-tasks/pinocchio: every limb segment is 1 m long, and what is between two pins of
one joint is a small ball. Names are Pinocchio's.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

from condyle.joints import Free, Joint, Pin
from condyle.model import Body, Model
from condyle.spatial import Placement

#: z points up.
GRAVITY = (0.0, 0.0, -9.81)

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_ABOVE = Placement((0.0, 0.0, 1.0))
_HERE = Placement()

#: Pins of a limb: name, axis, frame on the body before, whether a segment follows (else a ball).
_LIMB = (
    ("shoulder1", "x", None, False),
    ("shoulder2", "y", _HERE, False),
    ("shoulder3", "z", _HERE, True),
    ("elbow", "y", _ABOVE, True),
    ("wrist1", "x", _ABOVE, False),
    ("wrist2", "y", None, True),
)


def _ball(name: str) -> Body:
    return Body(name, 0.1, (0.0, 0.0, 0.0), (0.01, 0.01, 0.01, 0.0, 0.0, 0.0))


def _segment(name: str) -> Body:
    return Body(name, 1.0, (0.0, 0.0, 0.5), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))


def _pin(name: str, axis: str, parent: str, frame: Placement, long: bool) -> tuple[Body, Joint]:
    body = _segment(name) if long else _ball(name)
    return body, Pin(f"{name}_joint", parent, name, frame, axis=_AXES[axis])


def _limb(prefix: str, parent: str, root: Placement, end: Placement) -> Iterator[tuple[Body, Joint]]:
    frames = {"shoulder1": root, "wrist2": end}
    for name, axis, frame, long in _LIMB:
        yield _pin(f"{prefix}_{name}", axis, parent, frame or frames[name], long)
        parent = f"{prefix}_{name}"


def humanoid() -> Model:
    """The model; joints in Pinocchio's order, hence the pins' coordinates and speeds too."""
    turned = (pi, 0.0, 0.0)
    foot = Placement((0.0, 0.0, 0.0), (0.0, pi / 2, 0.0))
    parts: list[tuple[Body, Joint]] = [(_ball("root"), Free("root_joint", "ground", "root"))]
    parts += _limb("rleg", "root", Placement((0.0, -0.2, -0.1), turned), foot)
    parts += _limb("lleg", "root", Placement((0.0, 0.2, -0.1), turned), foot)
    parts.append(_pin("chest1", "x", "root", _HERE, False))
    parts.append(_pin("chest2", "y", "chest1", _HERE, True))
    parts.append(_pin("head1", "x", "chest2", _ABOVE, False))
    parts.append(_pin("head2", "y", "head1", _HERE, True))
    parts += _limb("rarm", "chest2", Placement((0.0, -0.3, 1.0), turned), _HERE)
    parts += _limb("larm", "chest2", Placement((0.0, 0.3, 1.0), turned), _HERE)
    bodies, joints = zip(*parts, strict=True)
    return Model("humanoid", bodies, joints, gravity=GRAVITY)
