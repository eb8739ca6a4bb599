"""Frames of one-degree-of-freedom joints and their joint matrices [eq. 38-41, 59-71], and what they are made
from.
"""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle import closed_form as cf
from condyle.closed_form import Frame, Kinematics, Multibody, kron, tilde
from condyle.errors import InputError
from condyle.joints import Ball, Pin

from . import systems
from .systems import CASES, case, expressions, kinematics, numbers, state

AXIS, OTHER = np.array([2.0, -1.0, 2.0]) / 3.0, np.array([0.6, 0.0, -0.8])
REVOLUTE = Frame("pin", 0, True, OTHER, AXIS, 0.7)
PRISMATIC = Frame("slider", 0, False, OTHER, AXIS, 0.9)
Q = ca.SX.sym("q", 2)
F = ca.sin(Q[0]) + Q[0] * Q[1]
AT = np.array([0.4, -0.8])


def test_rotation_is_rodrigues():
    """Equation 39 is the exponential of the skew matrix."""
    series, term = np.eye(3), np.eye(3)
    for k in range(1, 30):
        term = term @ tilde(AXIS) * (1.3 / k)
        series = series + term
    assert np.abs(REVOLUTE.rotation(1.3) - series).max() <= 1e-15
    assert np.abs(tilde(AXIS) @ OTHER - np.cross(AXIS, OTHER)).max() <= 1e-16


def test_transform():
    """Equation 38: shifted along V_d in the parent's axes, then turned."""
    for frame, f, d, theta in ((REVOLUTE, 1.3, 0.7, 1.3), (PRISMATIC, 0.2, 0.2, 0.9)):
        A4 = frame.transform(f)
        assert np.abs(A4[:3, 3] - d * OTHER).max() <= 1e-16
        assert np.abs(A4[:3, :3] - Frame("", 0, True, OTHER, AXIS).rotation(theta)).max() <= 1e-16
        assert np.array_equal(A4[3], [0, 0, 0, 1])


def test_slope_of_the_transform():
    """Equations 59-69: d(A4')/dq = (^A4' A4') kron grad f, for both kinds of joint."""
    gradient = numbers(Q, ca.gradient(F, Q), AT)
    for frame in (REVOLUTE, PRISMATIC):
        A4 = frame.transform(F)
        slope, value = numbers(Q, cf.derivative(A4.T, Q), AT), numbers(Q, A4, AT)
        assert np.abs(slope - kron(frame.joint_matrix.T @ value.T, gradient)).max() <= 1e-15
        d = frame.constant if frame.revolute else numbers(Q, F, AT).item()
        assert np.abs(value.T[3] - [*(d * OTHER), 1]).max() <= 1e-16  # eq. 59
        assert np.abs(value.T[:3, :3] - value[:3, :3].T).max() == 0  # eq. 60
    A, f = REVOLUTE.rotation(F), numbers(Q, F, AT).item()
    slope, VT = numbers(Q, cf.derivative(A.T, Q), AT), tilde(AXIS).T
    whole = numbers(Q, cf.derivative(REVOLUTE.transform(F).T, Q), AT)
    assert np.abs(whole[:6, :3] - slope).max() <= 1e-15 and not whole[6:].any()  # eq. 61
    sine = kron(VT * np.cos(f), gradient)  # eq. 63
    half = kron(0.5 * (VT @ VT) * np.sin(f), gradient)  # eq. 64 with its factor 1/2
    assert np.abs(numbers(Q, cf.derivative(VT * ca.sin(F), Q), AT) - sine).max() <= 1e-15
    assert np.abs(numbers(Q, cf.derivative((VT @ VT) * ca.sin(F / 2) ** 2, Q), AT) - half).max() <= 1e-15
    assert np.abs(sine + 2 * half - slope).max() <= 1e-15  # eq. 62
    slope_in_f = REVOLUTE.rotation_slope(f)
    assert np.abs(kron(slope_in_f, gradient) - slope).max() <= 1e-15  # eq. 65
    assert np.abs(VT @ REVOLUTE.rotation(f).T - slope_in_f).max() <= 1e-15  # eq. 66
    assert np.abs(np.linalg.matrix_power(VT, 3) + VT).max() <= 1e-15  # below eq. 65
    assert np.abs(kron(VT @ REVOLUTE.rotation(f).T, gradient) - slope).max() <= 1e-15  # eq. 67, 68


def test_joint_matrices():
    """Equations 70 and 71: constant, and d(A4)/df = A4 ^A4."""
    f = ca.SX.sym("f")
    for frame in (REVOLUTE, PRISMATIC):
        A4 = frame.transform(f)
        slope = ca.Function("slope", [f], [ca.jacobian(ca.vec(A4), f)])
        for value in (-1.0, 0.3, 2.0):
            wanted = slope(value).full().reshape(4, 4, order="F")
            found = frame.transform(value) @ frame.joint_matrix
            assert np.abs(found - wanted).max() <= 1e-15
    assert np.array_equal(REVOLUTE.joint_matrix[:3, :3], tilde(AXIS))
    assert np.abs(PRISMATIC.joint_matrix[:3, 3] - PRISMATIC.rotation(0.0).T @ OTHER).max() <= 1e-16


@pytest.mark.parametrize("name", CASES)
def test_frames_place_the_bodies_of_the_model(name):
    """Equations 40, 41: products along the paths, and points, as the compiled mechanism has them."""
    model, multibody, q, _ = case(name)
    k, values = kinematics(name), state(name)[0]
    s = ca.vertcat(*[expressions(model, q)[n] for n in multibody.joint_variables])
    poses = cd.compile(model).body_poses(numbers(q, s, values)[:, 0])
    for name, body in multibody.bodies.items():
        A4 = k.A4(body.frame)
        R, p = poses[name]
        assert np.abs(A4[:3, :3] @ body.R - R).max() <= 1e-14
        assert np.abs(cf.position(k, body.frame, body.p)[:, 0] - p).max() <= 1e-14
        r = np.array([0.3, -0.2, 0.5])
        assert np.abs(cf.position(k, body.frame, body.point(r))[:, 0] - (p + R @ r)).max() <= 1e-14
    for i in range(1, len(multibody.frames) + 1):
        for j in multibody.path(i):
            assert np.abs(k.A4(j) @ k.A4(i, j) - k.A4(i)).max() <= 1e-14


def test_every_step_has_one_constant():
    """Sliders do not turn; pins shift by a constant: as many frames as degrees of freedom."""
    multibody = Multibody.of(systems.pins_and_sliders())
    assert [frame.revolute for frame in multibody.frames] == [True, False, True, False, True]
    assert [frame.parent for frame in multibody.frames] == [0, 1, 2, 1, 4]
    assert all(frame.constant == 0 for frame in multibody.frames if not frame.revolute)
    # gimbal 3, cylindrical 2, screw 2, universal 2, custom 4 (two functions are zero), planar 3
    assert len(Multibody.of(systems.chains()).frames) == 3 + 2 + 2 + 2 + 4 + 3
    assert multibody.path(3) == [1, 2, 3] and multibody.path(0) == []


def test_bad_input():
    """Joints that are no chains, missing and unknown variables, symbols from elsewhere, unknown bodies."""
    body = cd.Body("b", 1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    ball = cd.Model("m", (body,), (Ball("hip", "ground", "b"),))
    with pytest.raises(InputError, match=r"'hip': Ball is no chain.*Pin, Slider"):
        Multibody.of(ball)
    pin = cd.Model("m", (body,), (Pin("hip", "ground", "b"),))
    multibody, q = Multibody.of(pin), ca.SX.sym("q")
    with pytest.raises(InputError, match=r"no expression for 'hip.angle'; .*'hip.angel'.*did you mean"):
        multibody.variables(q, {"hip.angel": q})
    with pytest.raises(InputError, match="depend on elsewhere, which is no entry of q"):
        multibody.variables(q, {"hip.angle": q * ca.SX.sym("elsewhere")})
    with pytest.raises(InputError, match="unknown body 'a'"):
        multibody.body("a")
    with pytest.raises(InputError, match="2 joint variables given, 1 frames"):
        Kinematics(multibody, cf.JointVariables.of(q, [q, q]))
    with pytest.raises(ValueError, match="no ancestor"):
        kinematics("chains").A4(1, 2)
