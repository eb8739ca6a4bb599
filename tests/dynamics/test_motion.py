"""Velocities, accelerations, Jacobians and momenta against exact time derivatives of poses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from condyle import Mechanism

from .mechanisms import CHAINS, TREES, Choice, close, draw, few, over_all, seeds


def _cross(w: np.ndarray) -> np.ndarray:
    x, y, z = w
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def _rows(values: np.ndarray, count: int) -> np.ndarray:
    return np.asarray(values).reshape(count, -1)


@over_all
@few
@given(seed=seeds)
def test_body_velocities_are_rates_of_poses(choice, seed):
    """Rdot = w~ R and pdot = v for every body, so H and N agree with X."""
    numbers, state = draw(choice, seed)
    count = len(numbers.model.bodies)
    poses, rates = numbers("body_poses", state), numbers.rate("body_poses", state)
    velocities = _rows(numbers.one("body_velocities", state), count)
    fastest = np.abs(velocities).max()
    for i, (w, v) in enumerate(zip(velocities[:, :3], velocities[:, 3:], strict=True)):
        R = poses["rotations"][3 * i : 3 * i + 3]
        assert close(rates["rotations"][3 * i : 3 * i + 3], _cross(w) @ R, fastest)
        assert close(_rows(rates["positions"], count)[i], v, fastest)


@over_all
@few
@given(seed=seeds)
def test_body_accelerations_are_rates_of_velocities(choice, seed):
    """Angular and linear, of every body's own origin."""
    numbers, state = draw(choice, seed)
    accelerations = numbers.one("body_accelerations", state)
    fastest = np.abs(numbers.one("body_velocities", state)).max()
    assert close(numbers.rate("body_velocities", state)["velocities"], accelerations, fastest**2)


@over_all
@few
@given(seed=seeds)
def test_points_move_as_their_jacobian_says(choice, seed):
    """J u = (w, velocity of the point); position, velocity, acceleration are successive derivatives."""
    numbers, state = draw(choice, seed)
    index = len(numbers.model.bodies) - 1
    body = numbers.model.bodies[index].name
    motion, rate = numbers(f"point_motion:{body}", state), numbers.rate(f"point_motion:{body}", state)
    poses = numbers("body_poses", state)
    R, p = poses["rotations"][3 * index :], _rows(poses["positions"], index + 1)[index]
    assert close(motion["position"], p + R @ state.point)
    w = _rows(numbers.one("body_velocities", state), index + 1)[index, :3]
    fastest = np.abs(numbers.one("body_velocities", state)).max()
    J = numbers.one(f"jacobian:{body}", state).reshape(6, numbers.nu)
    assert close(J @ state.u, np.concatenate([w, motion["velocity"]]), np.abs(J) @ np.abs(state.u))
    assert close(rate["position"], motion["velocity"], fastest)
    accelerations = np.abs(numbers.one("body_accelerations", state)).max()
    assert close(rate["velocity"], motion["acceleration"], fastest**2, accelerations)


@over_all
@few
@given(seed=seeds)
def test_mass_centers_and_momenta_are_sums_over_bodies(choice, seed):
    """Centres of mass from poses; linear momentum = mass times the rate of the centre; angular about ground's
    origin.
    """
    numbers, state = draw(choice, seed)
    bodies = numbers.model.bodies
    count = len(bodies)
    poses, centers = numbers("body_poses", state), numbers.one("center_of_mass", state)
    places = _rows(poses["positions"], count)
    velocities = _rows(numbers.one("body_velocities", state), count)
    total = sum(body.mass for body in bodies)
    linear, angular, first, largest = np.zeros(3), np.zeros(3), np.zeros(3), 0.0
    for i, body in enumerate(bodies):
        R, (w, v) = poses["rotations"][3 * i : 3 * i + 3], (velocities[i, :3], velocities[i, 3:])
        arm = R @ np.array(body.center_of_mass)
        c = places[i] + arm
        assert close(centers[i], c, places[i])
        xx, yy, zz, xy, xz, yz = body.inertia
        spin = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T @ w
        p = body.mass * (v + np.cross(w, arm))
        linear, angular, first = linear + p, angular + spin + np.cross(c, p), first + body.mass * c
        largest += np.abs(spin).max() + (1 + np.abs(c).max()) * body.mass * np.abs(velocities[i]).max()
    assert close(centers[count], first / total, places)
    momentum = numbers.one("momentum", state)
    assert close(momentum, np.concatenate([angular, linear]), largest)
    assert close(total * numbers.rate("center_of_mass", state)["centers"][count], linear, largest)


@pytest.mark.parametrize("choice", [CHAINS[17], TREES[0]], ids=str)
def test_public_calls_give_the_same_motion(choice: Choice):
    """body_poses, body_velocities, body_accelerations, point_motion, virtual_displacement through compiled
    kernels.
    """
    numbers, state = draw(choice, 3)
    mechanism = Mechanism(numbers.model)
    q, u, udot, point = state.q, state.u, state.udot, state.point
    body = numbers.model.bodies[-1].name
    R, p = mechanism.body_poses(q)[body]
    w, v = mechanism.body_velocities(q, u)[body]
    alpha, a = mechanism.body_accelerations(q, u, udot)[body]
    assert close(p, _rows(numbers("body_poses", state)["positions"], len(numbers.model.bodies))[-1])
    assert close(
        np.concatenate([w, v]), _rows(numbers.one("body_velocities", state), len(mechanism.bodies))[-1]
    )
    position, velocity, acceleration = mechanism.point_motion(q, u, udot, body, point)
    arm = R @ point
    assert close(position, p + arm)
    assert close(velocity, v + np.cross(w, arm), v, w)
    expected = a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
    assert close(acceleration, expected, a, alpha, np.abs(w).max() ** 2)
    moved = mechanism.virtual_displacement(q, 1e-3 * u, body, point)
    assert close(moved, 1e-3 * velocity, 1e-3 * np.abs(u).max())
