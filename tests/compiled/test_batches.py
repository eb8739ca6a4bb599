"""Batched calls equal looped ones, bit for bit, for every public call; and shapes with one speed."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd

from .models import arm, single, states, tied

POINT = (0.1, 0.2, 0.3)
CALLS = {
    "forward_dynamics": lambda m, q, u, x: m.forward_dynamics(q, u, x),
    "inverse_dynamics": lambda m, q, u, x: m.inverse_dynamics(q, u, x),
    "inverse_dynamics_at_rest": lambda m, q, u, x: m.inverse_dynamics(q, u),
    "mass_matrix": lambda m, q, u, x: m.mass_matrix(q),
    "bias": lambda m, q, u, x: m.bias(q, u),
    "coordinate_rates": lambda m, q, u, x: m.coordinate_rates(q, u),
    "inverse_dynamics_derivatives": lambda m, q, u, x: m.inverse_dynamics_derivatives(q, u, x),
    "forward_dynamics_derivatives": lambda m, q, u, x: m.forward_dynamics_derivatives(q, u, x),
    "body_poses": lambda m, q, u, x: m.body_poses(q),
    "body_velocities": lambda m, q, u, x: m.body_velocities(q, u),
    "body_accelerations": lambda m, q, u, x: m.body_accelerations(q, u, x),
    "center_of_mass": lambda m, q, u, x: m.center_of_mass(q),
    "marker_positions": lambda m, q, u, x: m.marker_positions(q),
    "jacobian": lambda m, q, u, x: m.jacobian(q, m.bodies[-1], POINT),
    "virtual_displacement": lambda m, q, u, x: m.virtual_displacement(q, u, m.bodies[-1], POINT),
    "point_motion": lambda m, q, u, x: m.point_motion(q, u, x, m.bodies[-1], POINT),
    "kinetic_energy": lambda m, q, u, x: m.kinetic_energy(q, u),
    "potential_energy": lambda m, q, u, x: m.potential_energy(q),
    "momentum": lambda m, q, u, x: m.momentum(q, u),
    "forward_dynamics_and_reactions": lambda m, q, u, x: m.forward_dynamics_and_reactions(q, u, x),
    "joint_reactions": lambda m, q, u, x: m.joint_reactions(q, u, x),
    "state_status": lambda m, q, u, x: m.state_status(q, u),
}
CONSTRAINED = {
    "constraint_residual": lambda m, q, u, x: m.constraint_residual(q),
    "constraint_jacobian": lambda m, q, u, x: m.constraint_jacobian(q),
    "constraint_multipliers": lambda m, q, u, x: m.constraint_multipliers(q, u, x),
    "project": lambda m, q, u, x: m.project(q, u, tolerance=1e-9),
}


def _arrays(result) -> list[np.ndarray]:
    """All arrays of a result, in order."""
    if isinstance(result, dict):
        return [array for value in result.values() for array in _arrays(value)]
    if isinstance(result, tuple):
        return [array for value in result for array in _arrays(value)]
    return [np.asarray(result)]


@pytest.fixture(scope="module")
def mechanisms() -> dict[str, cd.Mechanism]:
    return {"arm": cd.compile(arm()), "tied": cd.compile(tied())}


@pytest.mark.parametrize("name", [*CALLS, *CONSTRAINED])
def test_leading_axes_are_batch_axes(mechanisms, name):
    """A batch of 2 x 9, more than the lanes of any machine, against one call per state."""
    call = (CALLS | CONSTRAINED)[name]
    mechanism = mechanisms["tied" if name in CONSTRAINED else "arm"]
    q, u, x = states(np.random.default_rng(0), 2, 9)
    batched = _arrays(call(mechanism, q, u, x))
    for i, k in ((0, 0), (0, 8), (1, 3)):
        one = _arrays(call(mechanism, q[i, k], u[i, k], x[i, k]))
        for array, alone in zip(batched, one, strict=True):
            assert array.shape == (2, 9, *alone.shape)
            assert np.array_equal(array[i, k], alone)


def test_leading_axes_broadcast(mechanisms):
    """One pose with many speeds, one torque for all; results are new arrays."""
    mechanism = mechanisms["arm"]
    q, u, tau = states(np.random.default_rng(1), 4)
    found = mechanism.forward_dynamics(q[0], u[:, None], tau[1])
    assert found.shape == (4, 1, 5)
    assert np.array_equal(found[2, 0], mechanism.forward_dynamics(q[0], u[2], tau[1]))
    assert mechanism.forward_dynamics(q[:0], u[:0], tau[:0]).shape == (0, 5)


@pytest.mark.parametrize("name", list(CALLS))
def test_one_speed_keeps_its_axes(name):
    """Matrices of one column are matrices."""
    mechanism = cd.compile(single())
    shapes = {
        "mass_matrix": [(1, 1)],
        "jacobian": [(6, 1)],
        "inverse_dynamics_derivatives": [(1, 1)] * 3,
        "forward_dynamics_derivatives": [(1, 1)] * 3,
        "marker_positions": [],
    }
    for leading in ((), (3,), (2, 9)):
        q = np.full((*leading, 1), 0.3)
        found = [array.shape for array in _arrays(CALLS[name](mechanism, q, q, q))]
        if name in shapes:
            assert found == [(*leading, *shape) for shape in shapes[name]]
        assert all(shape[: len(leading)] == leading for shape in found)
