"""The knee of the library against public models and the numbers of an independent implementation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.library.knee import (
    FEMUR_ANGLE,
    SEGMENTS,
    TIBIA,
    X_POINTS,
    Y_POINTS,
    knee,
    knee_pin,
    translations,
)


@pytest.mark.parametrize("name", ["knee_gait2392", "knee_gait2354_delp1990"])
def test_spline_points_are_those_of_the_public_models(data_folder: Path, name: str):
    """Points of both translations, and what OpenSim makes of them: value, slope and curvature."""
    path = data_folder / "knee" / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    joints = {joint["name"]: joint for joint in json.loads(path.read_text())["joints"]}
    for side in ("knee_r", "knee_l"):
        axes = {axis["axis_name"]: axis for axis in joints[side]["axes"]}
        for axis, points, spline in zip(
            ("translation1", "translation2"), (X_POINTS, Y_POINTS), translations(), strict=True
        ):
            function = axes[axis]["function"]
            assert function["type"] == "SimmSpline" and function["scale"] == 1.0
            assert tuple(zip(function["x"], function["y"], strict=True)) == points
            table = np.array(axes[axis]["eval_x_value_d1_d2"])
            for order in range(3):
                found = spline.evaluate(table[:, 0], order=order)
                np.testing.assert_allclose(found, table[:, 1 + order], rtol=0, atol=1e-13)


def test_leg_is_lumped_from_its_segments():
    """Mass, centre and moment of shank and foot, to the digits that an independent implementation printed."""
    assert TIBIA.mass == pytest.approx(5.2741, abs=5e-5)
    np.testing.assert_allclose(TIBIA.center_of_mass, (0.0189030087, -0.2633597619, 0.0), rtol=0, atol=5e-11)
    assert TIBIA.inertia[2] == pytest.approx(0.1370657842, abs=5e-11)
    # The moment about the knee's axis does not depend on how one lumps.
    about_origin = sum(izz + m * (x**2 + y**2) for m, (x, y), izz in SEGMENTS)
    x, y, _ = TIBIA.center_of_mass
    assert TIBIA.inertia[2] + TIBIA.mass * (x**2 + y**2) == pytest.approx(about_origin, rel=1e-14)


def test_tibia_follows_the_splines():
    """The tibia's origin in the femur's axes is (x, y) of the angle; the femur is turned by 53.8 degrees."""
    angle = np.linspace(-2.0, 0.15, 20)
    rotation, position = cd.compile(knee()).body_poses(angle[:, None])["tibia"]
    c, s = np.cos(FEMUR_ANGLE), np.sin(FEMUR_ANGLE)
    assert np.degrees(FEMUR_ANGLE) == pytest.approx(53.8)
    in_femur = position @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    x, y = (spline.evaluate(angle) for spline in translations())
    np.testing.assert_allclose(in_femur, np.column_stack([x, y, 0 * x]), rtol=0, atol=1e-16)
    np.testing.assert_allclose(
        np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0]), angle + FEMUR_ANGLE, atol=1e-15
    )


def test_pin_stands_on_a_knot_of_the_knee():
    """At 10 degrees of flexion the pin and the empirical knee place the tibia alike, and nowhere else."""
    empirical, pin = cd.compile(knee()), cd.compile(knee_pin())
    for angle, equal in ((-0.174533, True), (-1.0, False)):
        poses = [mechanism.body_poses([angle])["tibia"] for mechanism in (empirical, pin)]
        np.testing.assert_allclose(poses[0][0], poses[1][0], atol=1e-15)
        assert (np.abs(poses[0][1] - poses[1][1]).max() < 1e-15) == equal
