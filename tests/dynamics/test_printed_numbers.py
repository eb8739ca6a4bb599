"""Numbers that an independent implementation found, to the digits it printed."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

import condyle as cd
from condyle.functions import Linear
from condyle.joints import Ball, Custom, Ellipsoid, Reversed

from ..joints.cases import KNEE_X, KNEE_Y, RADII

CHILD = cd.Body("child", 2.0, (0.02, -0.05, 0.10), (0.02, 0.015, 0.01, 0.0, 0.0, 0.0))
Q0, U0 = np.array([0.3, -0.4, 0.2]), np.array([1.0, -2.0, 3.0])


def _one(joint, body=CHILD) -> cd.Mechanism:
    return cd.compile(cd.Model("one", (body,), (joint,)))


@pytest.mark.parametrize(
    ("joint", "expected"),
    [
        (Ball("j", "ground", "child", coordinates="xyz"), (39.689651570, -0.392676330, -4.228746924)),
        (Ellipsoid("j", "ground", "child", radii=RADII), (30.213600926, -6.622542165, 6.382701702)),
        (
            Ellipsoid("j", "ground", "child", radii=RADII, normal="true"),
            (30.305142896, -8.382525492, 2.421788274),
        ),
    ],
    ids=["ball", "seth", "true"],
)
def test_accelerations_of_the_ellipsoid_example(joint, expected):
    """Udot of table 1's three joints at the same state."""
    mechanism = _one(joint)
    assert np.abs(mechanism.forward_dynamics(Q0, U0) - expected).max() <= 0.6e-9


def test_rates_and_loads_of_the_ellipsoid_example():
    """Qdot, and the reaction at B's origin in P axes; a ball transmits no moment."""
    mechanism = _one(Ellipsoid("j", "ground", "child", radii=RADII))
    rates = mechanism.coordinate_rates(Q0, U0)
    assert np.abs(rates - (2.461617246, -1.024112358, 3.753334365)).max() <= 0.6e-9
    _, reactions = mechanism.forward_dynamics_and_reactions(Q0, U0)
    moment, force = reactions["j"]
    assert np.abs(moment - (0.6011023298, 0.0289436861, 0.2749768651)).max() <= 0.6e-10
    assert np.abs(force - (1.7503628017, 5.5231153568, -6.7119211936)).max() <= 0.6e-10
    ball = _one(Ball("j", "ground", "child", coordinates="xyz"))
    moment, force = ball.forward_dynamics_and_reactions(Q0, U0)[1]["j"]
    assert np.abs(moment).max() <= 1e-13 * np.abs(force).max()


def test_thorax_hanging_from_the_scapula():
    """The ellipsoid reversed: the scapula fixed, the thorax moving under it."""
    thorax = cd.Body("thorax", 20.0, (0.03, -0.15, -0.02), (1.1, 0.5, 1.1, 0.0, 0.0, 0.0))
    mechanism = _one(Reversed(Ellipsoid("j", "thorax", "ground", radii=RADII)), thorax)
    expected = (-14.229835164, -1.638740803, -0.339184097)
    assert np.abs(mechanism.forward_dynamics(Q0, U0) - expected).max() <= 0.6e-9


def test_accelerations_of_the_knee():
    """Shank and foot on the empirical knee, the femur fixed at 53.8 degrees; inputs are printed to 5e-11."""
    shank = cd.Body(
        "tibia", 5.2741, (0.0189030087, -0.2633597619, 0.0), (0.1370657842, 0, 0.1370657842, 0, 0, 0)
    )
    placement = cd.Placement((0.0, 0.0, 0.0), (0.0, 0.0, radians(53.8)))
    joint = Custom(
        "knee", "ground", "tibia", placement, coordinates=("angle",), rz=Linear(), tx=KNEE_X, ty=KNEE_Y
    )
    mechanism = _one(joint, shank)
    found = mechanism.forward_dynamics([[0.0], [-1.5]], [[0.0], [3.0]])[:, 0]
    # Half a unit in the last digit of I and of the mass centre moves the acceleration by 2e-10 of itself.
    expected = np.array([-23.3715772136, 12.160545344])
    assert np.abs(found / expected - 1).max() <= 3e-10
