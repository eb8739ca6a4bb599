"""The shipped ankle: axes from the paper's angles, its tables, and the same motion in every form."""

from __future__ import annotations

from math import acos, degrees, radians

import numpy as np
import pytest

import condyle as cd
from condyle.forces import RotationalDamper
from condyle.library.ankle import (
    AT,
    DAMPING,
    LIMITS,
    PLATEAU,
    TALOCALCANEAL_AXIS,
    TALOCRURAL_AXIS,
    WIDTH,
    ankle,
    ankle_bodies,
    range_of_motion,
)
from condyle.solve import DormandPrince853

TIGHT = {"method": DormandPrince853(), "rtol": 1e-11, "atol": 1e-13}


def test_axes():
    """Equations 5 to 8 with rho 19.8, theta 35.3, epsilon 6 and tau 8 degrees."""
    assert pytest.approx((0.7830357, 0.2819102, 0.5544202), abs=5e-8) == TALOCALCANEAL_AXIS
    assert pytest.approx((0.1035222, 0.9849475, 0.1384253), abs=5e-8) == TALOCRURAL_AXIS
    angle = acos(np.dot(TALOCALCANEAL_AXIS, TALOCRURAL_AXIS))
    assert degrees(angle) == pytest.approx(64.1845, abs=5e-5)


@pytest.mark.parametrize("model", [ankle(), ankle_bodies(), ankle_bodies(0.0)], ids=["pins", "link", "hooke"])
def test_tables_1_and_2(model):
    """Places of the mass centres at the start, masses and inertias."""
    mechanism = cd.compile(model)
    centers = mechanism.center_of_mass(mechanism.default_state()[0])
    masses = {"toes": 0.2051, "foot": 1.2, "leg": 3.51}
    inertias = {
        "toes": (0.0001003, 0.0001003, 0.0002006),
        "foot": (0.0013818, 0.0038337, 0.0037110),
        "leg": (0.0477209, 0.0483791, 0.0048),
    }
    for name, place in {
        "toes": (0.2177, 0, 0.0367),
        "foot": (0.0907, 0, 0.0562),
        "leg": (0.0544, 0, 0.3513),
    }.items():
        body = next(each for each in model.bodies if each.name == name)
        assert centers[name] == pytest.approx(place, abs=1e-12)
        assert body.mass == masses[name] and body.inertia[:3] == inertias[name]
        assert AT[name] == place


def test_table_3_and_section_5():
    """Moments, damping (0.008 N m s/kg/rad of 71 kg) and limits."""
    assert (PLATEAU, WIDTH) == (226.0, radians(11.5))
    assert pytest.approx(0.008 * 71) == DAMPING
    assert pytest.approx((35.0, 35.0, 20.0, 25.0)) == tuple(np.degrees(LIMITS))


def test_limits_start_inside():
    """The start pose is at the middle of the cone, as the paper has it: no moment acts."""
    limited, free = (cd.compile(ankle(forces=forces)) for forces in ((range_of_motion(),), ()))
    q, u = free.default_state()
    assert np.array_equal(limited.forward_dynamics(q, u), free.forward_dynamics(q, u))


def test_classical_joint_is_two_pins_without_a_link():
    """A link of length 0 in minimal coordinates, a universal joint in absolute ones: 0.5 s of motion."""
    pins, hooke = cd.compile(ankle(0.0)), cd.compile(ankle_bodies(0.0))
    one = cd.simulate(pins, *pins.default_state(), 0.5, **TIGHT)
    other = cd.simulate(hooke, *hooke.default_state(), 0.5, constraint_tolerance=1e-12, **TIGHT)
    places = pins.center_of_mass(one.q)["foot"]
    assert np.ptp(places[:, 0]) > 0.05
    assert np.abs(hooke.center_of_mass(other.q)["foot"] - places).max() < 1e-10


def test_damping_of_the_cone_is_a_damper():
    """Equation 34: the same accelerations as from a rotational damper on the whole relative velocity."""
    inside = cd.compile(ankle(forces=(range_of_motion(damping=DAMPING),)))
    damper = cd.compile(ankle(forces=(range_of_motion(), RotationalDamper("tissue", "leg", "foot", DAMPING))))
    q, u = np.array([0.9, 0.3]), np.array([2.0, -1.0])
    expected = damper.forward_dynamics(q, u)
    assert inside.forward_dynamics(q, u) == pytest.approx(expected, rel=1e-12)
    assert np.abs(expected - cd.compile(ankle(forces=(range_of_motion(),))).forward_dynamics(q, u)).max() > 1
