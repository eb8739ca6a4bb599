"""The simple pendulum (IFToMM benchmark A01): a point mass on a massless bar, released level."""

from __future__ import annotations

from math import pi

from condyle.joints import Coordinate, Pin
from condyle.model import Body, Marker, Model

LENGTH, MASS, GRAVITY = 1.0, 1.0, 9.81  # m, kg, m/s^2


def pendulum() -> Model:
    """One coordinate, `pin.angle` [rad] of the bar against x; it starts at pi, at rest. Marker P1:
    the mass.
    """
    body = Body("bar", MASS, (LENGTH, 0.0, 0.0))
    joint = Pin("pin", "ground", "bar", coordinates=(Coordinate("angle", pi),))
    marker = Marker("P1", "bar", (LENGTH, 0.0, 0.0))
    return Model("pendulum", (body,), (joint,), markers=(marker,), gravity=(0.0, -GRAVITY, 0.0))
