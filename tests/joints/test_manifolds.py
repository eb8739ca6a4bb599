"""Surfaces that a mobilizer cannot leave, to round-off."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from condyle.functions import Expression, Linear
from condyle.joints import CurvedTube, Ellipsoid

from .cases import ANGLES, RADII, TUBE, TUBE_POSES
from .evaluate import evaluated

seeds = st.integers(0, 2**32 - 1)
many = settings(max_examples=50, deadline=None)
readings = pytest.mark.parametrize("normal", ["seth", "true"])

ARC = {
    "axis_x": Expression(lambda x: 0.8 * ca.cos(x)),
    "axis_y": Expression(lambda x: 0.8 * ca.sin(x)),
    "radius": 0.3,
    "reference": (0.0, 0.0, 1.0),
}


def surface_normal(p: np.ndarray) -> np.ndarray:
    """Outward unit normal of the ellipsoid at p: the gradient of sum (p_i / r_i)^2."""
    gradient = p / np.array(RADII) ** 2
    return gradient / np.linalg.norm(gradient)


@readings
@many
@given(seed=seeds)
def test_point_stays_on_the_ellipsoid(normal, seed):
    """Both readings satisfy the ellipsoid's equation to round-off."""
    joint = evaluated(Ellipsoid("e", "p", "b", radii=RADII, normal=normal))
    p = joint.p(ANGLES(np.random.default_rng(seed)))
    assert abs(np.sum((p / RADII) ** 2) - 1) < 1e-14


@readings
@many
@given(seed=seeds)
def test_point_moves_within_the_surface(normal, seed):
    """The velocity of B's origin has no part along the surface's normal, in both readings."""
    joint = evaluated(Ellipsoid("e", "p", "b", radii=RADII, normal=normal))
    q = ANGLES(np.random.default_rng(seed))
    assert np.abs(surface_normal(joint.p(q)) @ joint.H(q)[3:]).max() < 1e-15


@many
@given(seed=seeds)
def test_true_normal_is_the_surface_normal(seed):
    """With normal="true" the z axis of B is the outward normal."""
    joint = evaluated(Ellipsoid("e", "p", "b", radii=RADII, normal="true"))
    q = ANGLES(np.random.default_rng(seed))
    assert np.abs(joint.R(q)[:, 2] - surface_normal(joint.p(q))).max() < 1e-14


def test_seth_normal_is_off_by_up_to_21_degrees():
    """With normal="seth" the z axis of B is up to 21.3 degrees off the surface normal for these radii."""
    joint = evaluated(Ellipsoid("e", "p", "b", radii=RADII))
    angles = np.linspace(-np.pi / 2, np.pi / 2, 91)
    worst = 0.0
    for x in angles:
        for y in angles:
            q = np.array([x, y, 0.4])
            cosine = joint.R(q)[:, 2] @ surface_normal(joint.p(q))
            worst = max(worst, float(np.degrees(np.arccos(min(1.0, cosine)))))
    # The normal at p = D n is along n / D: at most asin((a - b) / (a + b)) from n, between the extreme radii.
    a, b = max(RADII), min(RADII)
    assert worst == pytest.approx(np.degrees(np.arcsin((a - b) / (a + b))), abs=0.05)
    assert round(worst, 1) == 21.3


def test_readings_agree_on_a_sphere():
    """Equal radii leave nothing to disagree on."""
    q = np.array([0.3, -0.4, 0.2])
    seth, true = (evaluated(Ellipsoid("e", "p", "b", radii=(0.2,) * 3, normal=n)) for n in ("seth", "true"))
    assert np.abs(seth.p(q) - true.p(q)).max() < 1e-16
    assert np.abs(seth.H(q) - true.H(q)).max() < 1e-15


@many
@given(seed=seeds)
def test_tube_keeps_its_distance(seed):
    """With perpendicular sections the nearest point of the axial curve is rho(x), `radius` away."""
    joint, curve = (evaluated(CurvedTube("t", "p", "b", **{**TUBE, "radius": r})) for r in (0.15, 1e-300))
    q = TUBE_POSES(np.random.default_rng(seed))
    p, rho = joint.p(q), curve.p(q)
    assert abs(np.linalg.norm(p - rho) - 0.15) < 1e-15

    def distance(x: float) -> float:
        return float(np.linalg.norm(p - curve.p(np.array([x, 0.0]))))

    nearest = minimize_scalar(
        distance, bounds=(q[0] - 0.3, q[0] + 0.3), method="bounded", options={"xatol": 1e-9}
    )
    assert nearest.x == pytest.approx(q[0], abs=1e-6)


@many
@given(seed=seeds)
def test_tube_around_an_arc_is_a_torus(seed):
    """Around a circle of radius .8 the point satisfies (sqrt(x^2 + y^2) - .8)^2 + z^2 = .3^2."""
    joint = evaluated(CurvedTube("t", "p", "b", **ARC))
    x, y, z = joint.p(np.random.default_rng(seed).uniform(-np.pi, np.pi, 2))
    assert abs((np.hypot(x, y) - 0.8) ** 2 + z**2 - 0.09) < 1e-15


@many
@given(seed=seeds)
def test_tube_with_fixed_sections_satisfies_its_equation(seed):
    """(py - axis_y(px))^2 + (pz - axis_z(px))^2 = radius^2."""
    joint = evaluated(CurvedTube("t", "p", "b", section="fixed", **TUBE))
    x, y, z = joint.p(TUBE_POSES(np.random.default_rng(seed)))
    offset = [y - float(TUBE["axis_y"](x)), z - float(TUBE["axis_z"](x))]
    assert abs(np.hypot(*offset) - 0.15) < 1e-15


@pytest.mark.parametrize("section", ["perpendicular", "fixed"])
@many
@given(seed=seeds)
def test_surface_orientation_follows_the_normal(section, seed):
    """With orientation="surface" the z axis of B is normal to both surface directions, and points outward."""
    joint = evaluated(CurvedTube("t", "p", "b", section=section, orientation="surface", **TUBE))
    curve = evaluated(CurvedTube("t", "p", "b", section=section, **{**TUBE, "radius": 1e-300}))
    q = TUBE_POSES(np.random.default_rng(seed))
    z = joint.R(q)[:, 2]
    assert np.abs(z @ joint.H(q)[3:]).max() < 1e-15
    assert z @ (joint.p(q) - curve.p(q)) > 0
    assert np.abs(joint.R(q)[:, 1] @ joint.H(q)[3:, 1] + 0.15) < 1e-15


def test_straight_tube_has_parent_axes():
    """On the default axis theta is measured from y of P towards z of P."""
    joint = evaluated(CurvedTube("t", "p", "b", axis_x=Linear(), radius=0.5))
    assert np.abs(joint.p(np.array([0.2, 0.3])) - [0.2, 0.5 * np.cos(0.3), 0.5 * np.sin(0.3)]).max() < 1e-16
