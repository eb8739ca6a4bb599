"""The screw study: one, three and eleven equations of one motion."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.studies.screw import COLLAR, GRAVITY, PITCH


def test_equations_are_counted(study):
    """One ODE; two speeds and a constraint; six speeds and five constraints."""
    assert study("screw")["figures"]["equations"] == {"screw": 1, "cylinder": 3, "free": 11}


def test_acceleration_by_hand(study):
    """(Izz + m (x^2 + y^2) + m s^2) qdd = m (x g_y - y g_x) + m s g_z, for all three."""
    x, y, _ = COLLAR.center_of_mass
    c, s = np.cos(0.4), np.sin(0.4)
    x, y = c * x - s * y, s * x + c * y
    gx, gy, gz = GRAVITY
    m = COLLAR.mass
    inertia = COLLAR.inertia[2] + m * (x**2 + y**2) + m * PITCH**2
    expected = m * (x * gy - y * gx + PITCH * gz) / inertia
    for found in study("screw")["figures"]["udot0"].values():
        assert found == pytest.approx(expected, rel=1e-13)


def test_twins_drift_and_the_mobilizer_does_not(study):
    """All three turn alike; only the mobilizer's pitch is exact."""
    figures = study("screw")["figures"]
    assert 0 < max(figures["angle_difference"].values()) < 1e-7
    assert figures["pitch_error"]["screw"] <= 1e-15 < figures["pitch_error"]["free"] <= 1e-9
