"""Joint variables that are given functions of time."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle import Model, compile
from condyle.analyses import simulate
from condyle.couplings import Explicit, Prescribed
from condyle.errors import InputError, ModelError
from condyle.functions import Expression, Fourier, Linear, PiecewiseLinear
from condyle.joints import Pin

from .cases import body

WAVE = Expression(lambda t: 0.4 * ca.sin(3 * t) + 0.2 * t, 1)
AXIS = (0.6, 0.0, 0.8)


def chain(*couplings: Prescribed | Explicit, bodies: tuple[str, ...] = ("a", "b", "c")) -> Model:
    joints = (Pin("p", "ground", "a"), Pin("q", "a", "b", axis=AXIS), Pin("r", "b", "c"))
    return Model("chain", tuple(body(name) for name in bodies), joints, couplings=couplings)


def test_motion_is_that_of_the_free_chain_with_the_motors_torque() -> None:
    """Inverse dynamics of the free chain along the motion: a torque where a motor is, none elsewhere."""
    model = chain(Prescribed("motor", "p.angle", WAVE), Explicit("k", "r.angle", ("q.angle",), Linear(0.5)))
    mechanism = compile(model)
    assert mechanism.coordinates == ("q.angle", "clock.time")
    q, u = mechanism.default_state()
    assert list(u) == [0, 1]
    times = np.linspace(0, 1, 5)
    found = simulate(mechanism, q, u, times, rtol=1e-11, atol=1e-12)
    assert found.status == cd.Status.OK
    assert np.allclose(found.coordinate("p.angle"), 0.4 * np.sin(3 * times) + 0.2 * times, atol=1e-12)
    assert np.allclose(found.coordinate("clock.time"), times, atol=1e-14)
    udot = mechanism.forward_dynamics(found.q, found.u)
    assert not udot[:, 1].any()
    v = mechanism.joint_rates(found.q, found.u)[:, :3]
    slope = 1.2 * np.cos(3 * times) + 0.2
    assert np.allclose(v[:, 0], slope, atol=1e-12)
    J = mechanism.coupling_matrix(found.q)
    bias = mechanism._call("coupling_bias", (found.q, found.u), None, None)
    vdot = (np.einsum("tij,tj->ti", J, udot) + bias)[:, :3]
    assert np.allclose(vdot[:, 0], -3.6 * np.sin(3 * times), atol=1e-11)
    free = compile(chain())
    tau = free.inverse_dynamics(found.joint_values[:, :3], v, vdot)
    # The coupling's own torques do no work on the coupled motion: q and half of r.
    assert np.allclose(tau[:, 1] + 0.5 * tau[:, 2], 0, atol=1e-9)
    power = mechanism.inverse_dynamics(found.q, found.u, udot)[:, 1]
    assert np.allclose(power, tau[:, 0] * slope, atol=1e-9)


def test_multipliers_move_alike() -> None:
    model = chain(Prescribed("motor", "p.angle", WAVE))
    mechanism, other = compile(model), compile(model, loops="multipliers")
    times = np.linspace(0, 0.5, 4)
    mine = simulate(mechanism, *mechanism.default_state(), times, rtol=1e-10, atol=1e-12)
    q, _ = mechanism.default_state()
    s = mechanism.joint_values(q)
    u = mechanism.coupling_matrix(q) @ mechanism.default_state()[1]
    order = [mechanism.joint_variables.index(name) for name in other.coordinates]
    theirs = simulate(other, s[order], u[order], times, rtol=1e-10, atol=1e-12, constraint_tolerance=1e-11)
    assert np.allclose(mine.joint_values[:, order], theirs.q, atol=1e-7)


def test_roles_and_errors() -> None:
    motor = Prescribed("motor", "p.angle", WAVE)
    roles = compile(chain(motor)).coordinate_roles
    assert roles["p.angle"] == "prescribed"
    assert roles["clock.time"] == "locked"
    mechanism = compile(chain(motor))
    q, u = mechanism.default_state()
    with pytest.raises(InputError, match=r"the speed of 'clock.time' is not 1"):
        simulate(mechanism, q, 0 * u, 0.1)
    with pytest.raises(ModelError, match=r"'p.angle' already follows from coupling 'motor'"):
        chain(motor, Prescribed("other", "p.angle"))
    with pytest.raises(ModelError, match=r"unknown joint variable 'p.angel'; did you mean 'p.angle'"):
        chain(Prescribed("motor", "p.angel"))
    kinked = PiecewiseLinear((0.0, 1.0, 2.0), (0.0, 1.0, 0.0), accept_kinks=True)
    with pytest.raises(ModelError, match="has 0 continuous derivatives, 2 are needed"):
        chain(Prescribed("motor", "p.angle", kinked))
    clock = Model(
        "clash", (body("clock"),), (Pin("p", "ground", "clock"),), couplings=(Prescribed("motor", "p.angle"),)
    )
    with pytest.raises(ModelError, match=r"'clock' is the name of what carries time"):
        compile(clock)


def test_in_a_file() -> None:
    series = Fourier(2.0, (1, 2), (0.3, 0.05), mean=0.1)
    model = chain(Prescribed("motor", "p.angle", series))
    text = cd.write_yaml(model)
    assert "type: prescribed" in text
    assert cd.read_yaml(text) == model
