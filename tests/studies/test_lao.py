"""The LAO study: the fit, the prescribed closing, its force and loads."""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle.library.lao import lao, superposition
from condyle.studies.lao import DURATION, closing, screw

RNG = np.random.default_rng(2)


def _rotation(axis, angle: float) -> np.ndarray:
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def test_superposition_finds_a_known_displacement():
    """The fit returns the rotation, translation and residual that the points were moved by."""
    points = RNG.standard_normal((40, 3))
    R, t = _rotation((1, 2, -1), 2.5), np.array([3.0, -4.0, 5.0])
    found_R, found_t, residual = superposition(points, points @ R.T + t)
    np.testing.assert_allclose(found_R, R, atol=1e-14)
    np.testing.assert_allclose(found_t, t, atol=1e-13)
    assert residual < 1e-13


def test_superposition_never_mirrors():
    """Onto a mirrored shape the best rotation is still a rotation."""
    points = RNG.standard_normal((40, 3))
    R, _, residual = superposition(points, points * (1.0, 1.0, -1.0))
    assert np.linalg.det(R) > 0.999
    assert residual > 0.1


def test_screw_of_a_displacement():
    """Angle, axis and slide of a rotation about an axis through any point."""
    axis = np.array([2.0, -1.0, 0.5]) / np.linalg.norm([2.0, -1.0, 0.5])
    R, through = _rotation(axis, 0.9), np.array([1.0, 2.0, 3.0])
    angle, found, slide = screw(R, through - R @ through + 0.25 * axis)
    np.testing.assert_allclose((angle, slide), (0.9, 0.25), rtol=1e-14)
    np.testing.assert_allclose(found, axis, rtol=1e-14)


def test_closing_is_its_own_derivative():
    """Rate and acceleration of the prescribed coordinate are its derivatives (differences are good to 2e-6);
    it rests at both ends.
    """
    time = np.linspace(0.0, DURATION, 2001)
    q, rate, acceleration = closing(time)
    np.testing.assert_allclose(np.gradient(q, time)[1:-1], rate[1:-1], atol=1e-5 * rate.max())
    np.testing.assert_allclose(
        np.gradient(rate, time)[1:-1], acceleration[1:-1], atol=1e-5 * acceleration.max()
    )
    np.testing.assert_allclose(
        [q[0], q[-1], *rate[[0, -1]], *acceleration[[0, -1]]], [0, 1, 0, 0, 0, 0], atol=1e-9
    )


def test_force_and_loads(study):
    """Newton's law of the mobile lobe, with accelerations by differences of its mass centre's path; no load
    at rest.
    """
    figures = study("lao")["figures"]
    mechanism = cd.compile(lao())
    time, force = np.array(figures["time"]), np.array(figures["bearing_force"])
    q = np.array(figures["closing"])[:, None]
    path = mechanism.center_of_mass(q)["mobile"]
    step = time[1] - time[0]
    acceleration = (path[2:] - 2 * path[1:-1] + path[:-2]) / step**2
    mass = mechanism.model.bodies[0].mass
    np.testing.assert_allclose(force[1:-1], mass * acceleration, atol=1e-3 * np.abs(force).max())
    assert np.abs(force[[0, -1]]).max() <= 1e-9 * np.abs(force).max()
    # The coordinate has no unit: its force is the power over its rate.
    net = np.array(figures["net_force"])
    energy = mechanism.kinetic_energy(q, closing(time)[1][:, None])
    power = np.gradient(energy, time)
    np.testing.assert_allclose((net * closing(time)[1])[2:-2], power[2:-2], atol=2e-3 * np.abs(power).max())


def test_conformations(study):
    """Both conformations can be drawn: stationary and mobile alpha carbons, open and closed, in angstrom."""
    shapes = study("lao")["figures"]["conformations"]
    assert len(shapes["stationary"]) == len(shapes["stationary_residues"]) == 138
    mobile_open, mobile_closed = np.array(shapes["mobile_open"]), np.array(shapes["mobile_closed"])
    assert shapes["mobile_residues"] == list(range(92, 192))
    moved = np.linalg.norm(mobile_closed - mobile_open, axis=1)
    assert 0 < moved.min() < moved.max() < 30
    # Neighbours along the chain are 3.8 angstrom apart, before and after.
    for shape in (mobile_open, mobile_closed):
        np.testing.assert_allclose(np.linalg.norm(np.diff(shape, axis=0), axis=1), 3.8, atol=0.1)
