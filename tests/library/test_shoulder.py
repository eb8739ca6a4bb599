"""Reaching and push-up: one arm, two roots."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.joints import Ellipsoid
from condyle.library.shoulder import BODIES, HAND, RADII, push_up, reaching


def test_ellipsoid_is_that_of_the_thoracoscapular_model(data_folder: Path):
    """Radii, place and turn of the thorax's ellipsoid."""
    path = data_folder / "shoulder" / "thoracoscapular_joints.json"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    joints = {joint["name"]: joint for joint in json.loads(path.read_text())["joints"]}
    expected = joints["scapulothoracic"]
    (gliding,) = (joint for joint in reaching().joints if isinstance(joint, Ellipsoid))
    np.testing.assert_allclose(
        gliding.parent_frame.translation, expected["parent_offset_translation"], rtol=0, atol=5e-5
    )
    assert gliding.parent_frame.angles == tuple(expected["parent_offset_orientation_xyz"])
    assert gliding.radii == RADII == (0.083, 0.200, 0.083)


def test_masses():
    """Both models have the same four bodies."""
    assert [body.mass for body in BODIES] == [20.0, 0.7, 2.0, 1.9]
    by_name = [{body.name: body for body in model.bodies} for model in (reaching(), push_up())]
    assert by_name[0] == by_name[1]


def test_same_shape_from_either_root():
    """At the same coordinates the bodies lie alike relative to the thorax; the palm of the push-up is on the
    ground.
    """
    reach, push = cd.compile(reaching()), cd.compile(push_up())
    q, _ = reach.default_state()
    q = np.asarray(q).copy()
    by_name = dict(zip(reach.coordinates, q, strict=True))
    q_push = [by_name[name] for name in push.coordinates]
    poses, turned = reach.body_poses(q), push.body_poses(q_push)
    for body in reach.bodies:
        seen = []
        for found in (poses, turned):
            R, p = found["thorax"]
            seen.append((R.T @ found[body][0], R.T @ (found[body][1] - p)))
        np.testing.assert_allclose(seen[0][0], seen[1][0], atol=1e-14)
        np.testing.assert_allclose(seen[0][1], seen[1][1], atol=1e-14)
    R, p = turned["forearm"]
    np.testing.assert_allclose(p + R @ np.array(HAND), 0.0, atol=1e-15)


def test_coordinates_have_the_same_names():
    """Coordinates and speeds keep their names when the tree is turned over."""
    reach, push = cd.compile(reaching()), cd.compile(push_up())
    assert sorted(reach.coordinates) == sorted(push.coordinates)
    assert sorted(reach.speeds) == sorted(push.speeds)
