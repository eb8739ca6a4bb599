"""Compiled mechanisms with rates of Euler parameters as speeds: states, motion, derivatives, status."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import condyle as cd
from condyle.joints import Ball, Free
from condyle.solve import CVODES, RK4, TRBDF2, DormandPrince853, Rosenbrock
from condyle.spatial.euler.normality import dependent_parameter

INERTIA = (0.05, 0.08, 0.06, 0.004, -0.003, 0.002)
PARAMETERS = ("e0", "e1", "e2", "e3")
SPEEDS = (*(f"base.{k}" for k in (*PARAMETERS, "px", "py", "pz")), *(f"ball.{k}" for k in PARAMETERS))


def floating_pair() -> cd.Model:
    """A floating body that carries another by a spherical joint, without gravity."""
    bodies = cd.Body("a", 2.0, (0.02, -0.1, 0.05), INERTIA), cd.Body("b", 1.5, (0.0, -0.2, 0.04), INERTIA)
    place = cd.Placement((0.1, -0.3, 0.05), (0.2, 0.5, -0.3))
    joints = Free("base", "ground", "a"), Ball("ball", "a", "b", parent_frame=place)
    return cd.Model("pair", bodies, joints, gravity=(0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def kane() -> cd.Mechanism:
    return cd.compile(floating_pair(), formulation="kane")


@pytest.fixture(scope="module")
def states(kane) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) in minimal coordinates, five of them."""
    rng = np.random.default_rng(2)
    e = rng.normal(size=(2, 5, 4))
    e /= np.linalg.norm(e, axis=-1, keepdims=True)
    return np.concatenate([e[0], rng.normal(size=(5, 3)), e[1]], axis=1), 2.0 * rng.normal(size=(5, 9))


def test_speeds_are_rates(kane, states):
    assert kane.formulation == "kane"
    assert kane.speeds == SPEEDS == kane.coordinates
    q, u = kane.from_minimal(*states)
    for k in kane.unit_groups:
        assert np.abs((q[:, k : k + 4] * u[:, k : k + 4]).sum(axis=1)).max() < 1e-15
    expected = kane.minimal.body_velocities(*states)
    for body, pair in kane.body_velocities(q, u).items():
        assert np.allclose(pair[0], expected[body][0], atol=1e-14)
        assert np.allclose(pair[1], expected[body][1], atol=1e-14)
    assert np.allclose(kane.kinetic_energy(q, u), kane.minimal.kinetic_energy(*states), rtol=1e-14)


def test_three_formulations_tumble_alike(kane):
    """Both joints pass every choice of the dependent parameter; the same motion to 1e-10, momentum kept."""
    q = np.array([1.0, *[0.0] * 6, 0.5, 0.5, 0.5, -0.5])
    start = q, 3.0 * np.random.default_rng(10).normal(size=9)
    settings = {"method": DormandPrince853(), "rtol": 1e-13, "atol": 1e-13, "constraint_tolerance": 1e-12}
    times = np.linspace(0.0, 4.0, 201)
    minimal = cd.simulate(kane.minimal, *start, times, **settings)
    found = cd.simulate(kane, *kane.from_minimal(*start), times, **settings)
    assert found.status == minimal.status == cd.Status.OK
    for k in kane.unit_groups:
        assert set(dependent_parameter(found.q[:, k : k + 4])) == {0, 1, 2, 3}
    assert np.abs(found.q - minimal.q).max() < 1e-10
    assert np.abs(found.u - kane.from_minimal(minimal.q, minimal.u)[1]).max() < 1e-10
    assert found.energy_drift < 1e-10
    moments = np.hstack(kane.momentum(found.q, found.u))
    assert np.abs(moments - moments[0]).max() < 1e-10
    assert found.constraint_rate < 1e-10  # e.edot
    absolute = cd.compile(floating_pair(), formulation="absolute")
    end = cd.simulate(absolute, *absolute.from_minimal(*start), times, **settings)
    poses, expected = absolute.body_poses(end.q), kane.body_poses(found.q)
    for body in kane.bodies:
        for value, other in zip(poses[body], expected[body], strict=True):
            assert np.abs(value - other).max() < 1e-10


def test_rates_along_parameters_are_taken_out(kane, states):
    """A given edot that would stretch e is projected, as e itself is."""
    q, u = (value[0].copy() for value in kane.from_minimal(*states))
    clean = cd.simulate(kane, q, u, 0.5, rtol=1e-10, atol=1e-10)
    u[:4] += 0.3 * q[:4]
    stretched = cd.simulate(kane, q, u, 0.5, rtol=1e-10, atol=1e-10)
    assert np.abs(stretched.q - clean.q).max() < 1e-9
    assert np.abs((stretched.q[:, :4] * stretched.u[:, :4]).sum(axis=1)).max() < 1e-8


@pytest.mark.parametrize("method", [RK4(), TRBDF2(), Rosenbrock(), CVODES()], ids=lambda m: type(m).__name__)
def test_every_family_of_methods_takes_rates(method, kane, states):
    """Explicit and implicit ones, and SUNDIALS, which has no projection."""
    start = kane.from_minimal(states[0][2], states[1][2])
    expected = cd.simulate(kane, *start, 0.5, rtol=1e-10, atol=1e-10)
    step = 2e-3 if isinstance(method, RK4) else None
    found = cd.simulate(kane, *start, 0.5, method=method, rtol=1e-8, atol=1e-8, step=step)
    assert found.status == cd.Status.OK
    assert np.abs(found.q[-1] - expected.q[-1]).max() < 1e-5


def test_derivatives_are_slopes(kane, states):
    """Of udot and of tau, by differences; through CasADi, since compiling takes the time."""
    q, u = (value[1].copy() for value in kane.from_minimal(*states))
    tau = np.random.default_rng(4).normal(size=len(u))
    for name in ("forward_dynamics", "inverse_dynamics"):
        call = getattr(kane, name)
        found = kane.function(f"{name}_derivatives")(q, u, tau, 0, [], [], [])
        for at, derivative in enumerate(found):
            columns = []
            for k in range(len(u)):
                ends = []
                for step in (1e-6, -1e-6):
                    x = [q.copy(), u.copy(), tau.copy()]
                    x[at][k] += step
                    ends.append(call(*x))
                columns.append((ends[0] - ends[1]) / 2e-6)
            slopes = np.stack(columns, axis=1)
            assert np.abs(derivative.full() - slopes).max() < 1e-6 * np.abs(slopes).max()


def test_status_is_that_of_minimal_coordinates(kane, states):
    """A singular mass matrix on rates of parameters is no singular pose."""
    q, u = kane.from_minimal(*states)
    assert (kane.state_status(q, u) == cd.Status.OK).all()
    q[0, :4] *= 1.1
    assert kane.state_status(q, u)[0] == cd.Status.BAD_INPUT


def test_it_pickles_and_takes_parameters(kane, states):
    """The masses promoted, the answer that of a model with other masses."""
    q, u = kane.from_minimal(*states)
    again = pickle.loads(pickle.dumps(kane))
    assert np.array_equal(again.forward_dynamics(q, u), kane.forward_dynamics(q, u))
    promoted = cd.compile(floating_pair(), formulation="kane", parameters=["b.mass"])
    assert np.allclose(promoted.forward_dynamics(q, u), kane.forward_dynamics(q, u), rtol=1e-11)
    heavier = promoted.minimal.forward_dynamics(*states, parameters=[2.5])
    expected = promoted.minimal.body_accelerations(*states, heavier, parameters=[2.5])["b"][1]
    udot = promoted.forward_dynamics(q, u, parameters=[2.5])
    found = promoted.body_accelerations(q, u, udot, parameters=[2.5])["b"][1]
    assert np.allclose(found, expected, rtol=1e-11)


def test_conversion_from_minimal_says_which_mechanism_converts(kane, states):
    with pytest.raises(cd.InputError, match="'absolute' or 'kane'"):
        kane.minimal.from_minimal(*states)
