"""Every driver in rates of Euler parameters: differentiated in p itself, and converted from omega."""

import casadi as ca
import numpy as np
import pytest

from condyle.drivers import Driver
from condyle.spatial import Transform, euler

from .pair import Pair, State, unit
from .test_laws import CASES, every


class Homogeneous:
    """Bodies j and i whose Euler parameters are free to leave |p| = 1; A(p) is quadratic, p_ij bilinear."""

    def __init__(self, x: ca.SX):
        self.p = {"j": x[:4], "i": x[7:11], "ground": ca.SX([1.0, 0.0, 0.0, 0.0])}
        self.poses = {
            "j": Transform(euler.orientation(x[:4]), x[4:7]),
            "i": Transform(euler.orientation(x[7:11]), x[11:14]),
            "ground": Transform.identity(),
        }
        names = ("e0", "e1", "e2", "e3", "px", "py", "pz")
        self.coordinates = {
            f"{body}.{name}": x[7 * k + n] for k, body in enumerate("ji") for n, name in enumerate(names)
        }

    def pose(self, body: str) -> Transform:
        return self.poses[body]

    def relative_pose(self, reference: str, body: str) -> Transform:
        return self.poses[reference].inverse() @ self.poses[body]

    def relative_euler_parameters(self, reference: str, body: str) -> ca.SX:
        return euler.relative(self.p[body], self.p[reference])


def differentiated(driver: Driver) -> ca.Function:
    """(x, xdot, target, its rate and acceleration) -> Phi_x (m x 14), gamma with Phi_x xddot = gamma."""
    x, rates = ca.SX.sym("x", 14), ca.SX.sym("xdot", 14)
    target, first, second = (ca.SX.sym(name, len(driver.targets)) for name in ("p", "pdot", "pddot"))
    phi = ca.densify(ca.SX(driver.residual(Homogeneous(x), target)))
    y, ydot = ca.vertcat(x, target), ca.vertcat(rates, first)
    gamma = -ca.jtimes(ca.jtimes(phi, y, ydot), y, ydot) - ca.jtimes(phi, target, second)
    outputs = [ca.densify(ca.jacobian(phi, x)), ca.densify(gamma)]
    return ca.Function("rows", [x, rates, target, first, second], outputs)


@every
def test_rows_for_parameters_are_those_for_omega(name):
    """Phi_p = 2 D G + c p' and gamma_p = gamma - c (pdot.pdot), c = Phi_p p, of both bodies; and back."""
    driver = CASES[name]
    pair, rows = Pair(driver), differentiated(driver)
    for seed in range(5):
        state, generator = State.random(seed), np.random.default_rng(seed)
        target, rate, acceleration = generator.standard_normal((3, len(driver.targets)))
        target = unit(target) if driver.orientation else target
        found = pair(state.q, state.u, target, rate, acceleration)
        x, u = state.q.reshape(2, 7), state.u.reshape(2, 6)
        p, pdot = x[:, :4], euler.rate(x[:, :4], u[:, :3])
        xdot = np.hstack([pdot, u[:, 3:]]).ravel()
        Phi, gamma = (value.full() for value in rows(state.q, xdot, target, rate, acceleration))
        expected = found.gamma
        for k in range(2):
            D_omega, Phi_p = found.D[:, 6 * k : 6 * k + 3], Phi[:, 7 * k : 7 * k + 4]
            along = euler.along_parameters(Phi_p, p[k])
            assert Phi[:, 7 * k + 4 : 7 * k + 7] == pytest.approx(
                found.D[:, 6 * k + 3 : 6 * k + 6], abs=1e-12
            )
            assert euler.angular_rows(Phi_p, p[k]) == pytest.approx(D_omega, abs=1e-12)
            assert euler.parameter_rows(D_omega, p[k], along) == pytest.approx(Phi_p, abs=1e-12)
            expected = euler.parameter_bias(expected, pdot[k], along)
        assert gamma[:, 0] == pytest.approx(expected, abs=1e-11)
