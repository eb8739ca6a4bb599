"""Every constraint in rates of Euler parameters: differentiated in p itself, and converted from omega."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle import Body, Model
from condyle.constraints import Configuration, Constraint, Custom
from condyle.joints import Coordinate, Free
from condyle.spatial import Transform, euler

from ..dynamics.mechanisms import Numbers, close, few, seeds
from .cases import CASES, is_regular

NAMES = ("base", "a2", "b2")
P_I, P_J = np.array([0.1, -0.2, 0.05]), np.array([-0.05, 0.1, 0.3])


def _coincidence(configuration: Configuration) -> ca.SX:
    """d in ground axes, as the papers write it."""
    return configuration.pose("b2").point(ca.SX(P_J)) - configuration.pose("a2").point(ca.SX(P_I))


PRINTED = Custom("coincidence", _coincidence, 3, ("a2", "b2"))
OF_POSES = [case for case in CASES if not case.coordinates and set(case.bodies) <= {*NAMES, "ground"}]
OF_POSES.append(PRINTED)


class Homogeneous:
    """Poses whose rotation is the quadratic form A(p) of parameters that are free to leave |p| = 1."""

    def __init__(self, x: ca.SX):
        self.coordinates = {}
        self.poses = {
            name: Transform(euler.orientation(x[7 * k : 7 * k + 4]), x[7 * k + 4 : 7 * k + 7])
            for k, name in enumerate(NAMES)
        }
        self.poses["ground"] = Transform.identity()

    def pose(self, body: str) -> Transform:
        return self.poses[body]

    def relative_pose(self, reference: str, body: str) -> Transform:
        return self.poses[reference].inverse() @ self.poses[body]


@cache
def _free(constraint: Constraint) -> Numbers:
    bodies = tuple(Body(name, 1.0, inertia=(0.1, 0.2, 0.15, 0.0, 0.0, 0.0)) for name in NAMES)
    # Defaults at which no constraint is singular.
    apart = [(Coordinate("px", 0.3 * k), Coordinate("py", -0.1 * k * k)) for k in range(3)]
    joints = tuple(Free(f"free_{n}", "ground", n, coordinates=c) for n, c in zip(NAMES, apart, strict=True))
    return Numbers(Model("free", bodies, joints, (constraint,)), _pose)


def _pose(rng: np.random.Generator) -> np.ndarray:
    q = rng.uniform(-1, 1, (3, 7))
    q[:, :4] /= np.linalg.norm(q[:, :4], axis=1)[:, None]
    return q.ravel()


@cache
def _differentiated(constraint: Constraint) -> ca.Function:
    """(x, xdot) -> Phi_x (m x 21), gamma (m) in x = (p, r) of every body."""
    x, rates = ca.SX.sym("x", 21), ca.SX.sym("xdot", 21)
    residual = ca.densify(ca.SX(constraint.residual(Homogeneous(x))))
    gamma = -ca.jtimes(ca.jtimes(residual, x, rates), x, rates)
    return ca.Function("rows", [x, rates], [ca.densify(ca.jacobian(residual, x)), ca.densify(gamma)])


@pytest.mark.parametrize("constraint", OF_POSES, ids=lambda c: f"{type(c).__name__}-{c.name}")
@few
@given(seed=seeds)
def test_rows_for_parameters_are_those_for_omega(constraint, seed):
    """Phi_p = 2 D G + c p', gamma_p = gamma - c (pdot.pdot), and back; D and gamma of the library."""
    numbers, rng = _free(constraint), np.random.default_rng(seed)
    state = numbers.state(rng)
    while not is_regular(constraint, numbers, state):
        state = numbers.state(rng)
    library = numbers("constraint_equations", state)
    D, gamma = library["jacobian"].reshape(-1, 3, 6), -library["bias"]
    x, u = state.q.reshape(3, 7), state.u.reshape(3, 6)
    p, pdot = x[:, :4], euler.rate(x[:, :4], u[:, :3])
    rates = np.hstack([pdot, u[:, 3:]])
    rows, parameter_gamma = _differentiated(constraint)(x.ravel(), rates.ravel())
    rows, parameter_gamma = rows.full().reshape(-1, 3, 7), parameter_gamma.full()[:, 0]
    size = np.abs(rows).max() * (1 + np.abs(u).max() ** 2)
    back = parameter_gamma
    for k in range(3):
        Phi, D_omega = rows[:, k, :4], D[:, k, :3]
        along = euler.along_parameters(Phi, p[k])
        assert close(rows[:, k, 4:], D[:, k, 3:], size)
        assert close(euler.angular_rows(Phi, p[k]), D_omega, size)
        assert close(euler.parameter_rows(D_omega, p[k], along), Phi, size)
        in_body = euler.rows_in_body_axes(D_omega, p[k])
        assert close(2 * in_body @ euler.L(p[k]), euler.parameter_rows(D_omega, p[k]), size)
        assert close(euler.rows_in_ground_axes(in_body, p[k]), D_omega, size)
        back = euler.angular_bias(back, pdot[k], along)
        gamma = euler.parameter_bias(gamma, pdot[k], along)
    assert close(back, -library["bias"], size)
    assert close(gamma, parameter_gamma, size)


def test_coincidence_in_parameters_is_as_printed():
    """Rows (-B_i, B_j) with B = 2 G s'bar; gamma with h(s) + (omega.omega) s / 2 in place of h(s)."""
    numbers, rng = _free(PRINTED), np.random.default_rng(3)
    state = numbers.state(rng)
    x, u = state.q.reshape(3, 7), state.u.reshape(3, 6)
    pdot = euler.rate(x[:, :4], u[:, :3])
    rates = np.hstack([pdot, u[:, 3:]]).ravel()
    rows, gamma = (value.full() for value in _differentiated(PRINTED)(state.q, rates))
    moved = {}
    for k, sign, point in ((1, -1.0, P_I), (2, 1.0, P_J)):
        assert np.allclose(rows[:, 7 * k : 7 * k + 4], sign * euler.point_matrix(x[k, :4], point), atol=1e-15)
        w, s = u[k, :3], euler.orientation(x[k, :4]) @ point
        moved[k] = sign * (np.cross(w, np.cross(w, s)) + w @ w * s / 2)
    assert not rows[:, :7].any()
    expected = -moved[1] - moved[2]
    assert np.allclose(gamma[:, 0], expected, atol=1e-14)
