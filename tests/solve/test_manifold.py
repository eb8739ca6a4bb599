"""Euler parameters and constraints: on the manifold at every step and output, without loss of order."""

import casadi as ca
import numpy as np
import pytest

from condyle.errors import InputError
from condyle.solve import CVODES, METHODS, RK4, RKF45, DormandPrince54, DormandPrince853, integrate
from condyle.status import Status

from .systems import system

OURS = [method for method in METHODS if method is not CVODES]


def top(p_inertia=(1.0, 2.0, 2.5)):
    """A free rigid body: Euler parameters, angular velocity in body axes."""

    def f(y, t, p):
        e, w = y[:4], y[4:]
        rate = ca.vertcat(
            -e[1] * w[0] - e[2] * w[1] - e[3] * w[2],
            e[0] * w[0] + e[2] * w[2] - e[3] * w[1],
            e[0] * w[1] + e[3] * w[0] - e[1] * w[2],
            e[0] * w[2] + e[1] * w[1] - e[2] * w[0],
        )
        a, b, c = p_inertia
        return ca.vertcat(
            rate / 2, (b - c) / a * w[1] * w[2], (c - a) / b * w[2] * w[0], (a - b) / c * w[0] * w[1]
        )

    return system(f, 7, unit_groups=(0,))


Y0 = np.array([1.0, 0, 0, 0, 0.3, 2.0, 0.1])


@pytest.mark.parametrize("method", METHODS)
def test_euler_parameters_stay_unit(method):
    """Norms are 1 to round-off at all outputs, between steps too, and the motion is right."""
    spinning = top()
    times = np.linspace(0, 5, 37)
    reference = integrate(spinning, Y0, times, method=DormandPrince853(), rtol=1e-12, atol=1e-13)
    result = integrate(
        spinning, Y0, times, method=method(), step=0.01 if method is RK4 else None, rtol=1e-7, atol=1e-9
    )
    norms = np.linalg.norm(result.states[:, :4], axis=1)
    assert abs(norms - 1).max() < 5e-16
    assert abs(np.linalg.norm(result.final_state[:4]) - 1) < 5e-16
    assert abs(result.states - reference.states).max() < 1e-4


@pytest.mark.parametrize("method", [RKF45, DormandPrince54])
def test_normalising_keeps_the_order(method):
    """Order 5 survives, with the last stage of one step used as the first of the next."""
    spinning = top()
    exact = integrate(spinning, Y0, [0, 2], method=DormandPrince853(), rtol=1e-13, atol=1e-14).final_state
    errors = []
    for count in (20, 40, 80):
        run = integrate(
            spinning, Y0, [0, 2], method=method(), step=2 / count, max_step=2 / count, rtol=1.0, atol=1e6
        )
        errors.append(abs(run.final_state - exact).max())
    assert -np.polyfit(np.log([20, 40, 80]), np.log(errors), 1)[0] > 4.6


def test_initial_parameters_are_normalised_or_refused():
    """Not unit: scaled; all zero: BAD_INPUT."""
    result = integrate(top(), [2 * Y0, 0 * Y0], [0, 1])
    assert list(result.status) == [Status.OK, Status.BAD_INPUT]
    assert abs(np.linalg.norm(result.states[0, 0, :4]) - 1) < 5e-16
    with pytest.raises(InputError, match="unit group at 4 does not fit"):
        system(lambda y, t, p: -y, 7, unit_groups=(4,))


def swing(goal=1.0, **rest):
    """A planar pendulum in Cartesian coordinates (x, y, vx, vy), length `goal`, with both projections."""

    def f(y, t, p):
        square = y[0] ** 2 + y[1] ** 2
        pull = (y[2] ** 2 + y[3] ** 2 - 9.81 * y[1]) / square
        return ca.vertcat(y[2], y[3], -pull * y[0], -9.81 - pull * y[1])

    def position(y, t, p):
        residual = (y[0] ** 2 + y[1] ** 2 - goal) / 2
        step = residual / (y[0] ** 2 + y[1] ** 2)
        return [ca.vertcat(y[:2] * (1 - step), y[2:]), ca.fabs(residual)]

    def velocity(y, t, p):
        residual = y[0] * y[2] + y[1] * y[3]
        step = residual / (y[0] ** 2 + y[1] ** 2)
        return [ca.vertcat(y[:2], y[2:] - y[:2] * step), ca.fabs(residual)]

    return system(f, 4, position_projection=position, velocity_projection=velocity, **rest)


@pytest.mark.parametrize("method", OURS)
@pytest.mark.parametrize("tolerance", [1e-4, 1e-10])
def test_projection_to_tolerance(method, tolerance):
    """Every output is within the tolerance, the statistics say how near, and energy hardly drifts."""
    times = np.linspace(0, 4, 23)
    step = 0.02 if method is RK4 else None
    result = integrate(
        swing(),
        [1.0, 0, 0, 0],
        times,
        method=method(),
        step=step,
        rtol=1e-5,
        atol=1e-7,
        constraint_tolerance=tolerance,
    )
    assert result.status == Status.OK
    x, y, vx, vy = result.states.T
    assert abs(x**2 + y**2 - 1).max() / 2 <= tolerance
    assert abs(x * vx + y * vy).max() <= tolerance
    assert 0 < result.position_residual <= tolerance and 0 < result.velocity_residual <= tolerance
    free = system(lambda y, t, p: -y, 4)
    assert integrate(free, [1.0, 0, 0, 0], [0, 1]).position_residual == 0
    energy = (vx**2 + vy**2) / 2 + 9.81 * y
    assert abs(energy).max() < 0.05


def test_projection_starts_from_the_manifold():
    """The initial state is projected too."""
    result = integrate(swing(), [1.1, 0, 0.2, 0], [0, 1], constraint_tolerance=1e-12)
    assert abs(result.states[0, 0] - 1) < 1e-11 and abs(result.states[0, 2]) < 1e-11


def test_lanes_project_alone():
    """Iterations of one lane do not touch the others: the same bits in lanes and alone."""
    angles = np.linspace(0.1, 3, 11)
    y0 = np.stack([np.cos(angles), np.sin(angles), 0 * angles, 0 * angles], axis=-1)
    times = np.linspace(0, 1, 7)
    wide = integrate(swing(), y0, times, lanes=8, constraint_tolerance=1e-11)
    alone = [integrate(swing(), y, times, constraint_tolerance=1e-11) for y in y0]
    assert np.array_equal(wide.states, [one.states for one in alone])
    assert np.array_equal(wide.evaluations, [one.evaluations for one in alone])


def test_impossible_projection_is_reported():
    """A constraint that cannot be met stops its member with NOT_CONVERGED, and only that one."""

    def never(y, t, p):
        residual = y[0] ** 2 + p
        return [ca.vertcat(y[0] - residual / (2 * y[0]), y[1]), ca.fabs(residual)]

    half = system(lambda y, t, p: [0 * t, 1 + 0 * t], 2, 1, position_projection=never)
    result = integrate(half, [1.0, 0.0], [0, 1], p=[[0.5], [-1.0]])
    assert list(result.status) == [Status.NOT_CONVERGED, Status.OK]
    assert result.position_residual[0] > 1e-8 and result.states[1, 1, 1] == 1.0
