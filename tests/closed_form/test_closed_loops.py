"""The closed form with a loop's joint variables [eq. 198] against the mechanism that embeds the loop."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle import closed_form as cf
from condyle.couplings import Implicit, Projection
from condyle.studies import five_bar, four_bar
from condyle.studies.loop_equations import (
    FIVE_BAR_ANGLES,
    FOUR_BAR_ANGLES,
    HEIGHT,
    coupled_five_bar,
    coupled_four_bar,
    five_bar_equations,
    four_bar_equations,
)

LOOPS = {
    "four-bar": (FOUR_BAR_ANGLES, (HEIGHT,), four_bar_equations(), four_bar.NEAR),
    "five-bar": (FIVE_BAR_ANGLES[2:], FIVE_BAR_ANGLES[:2], five_bar_equations(), five_bar.NEAR),
}
PLACES = {"four-bar": np.array([0.4]), "five-bar": np.array([1.1, 0.4])}
every_loop = pytest.mark.parametrize("name", LOOPS)


@dataclass(frozen=True)
class Both:
    """The paper's way, with gradients and Hessians by projection, and the compiled one at the same state."""

    mechanism: cd.Mechanism
    kinematics: cf.Kinematics
    equations: cf.Equations
    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray


@cache
def both(name: str) -> Both:
    loop, q = LOOPS[name], PLACES[name]
    if name == "four-bar":
        model = coupled_four_bar(Implicit("loop", *loop), four_bar.NEAR)
    else:
        model = coupled_five_bar(Implicit("loop", *loop), (*five_bar.POSE, *five_bar.NEAR))
    multibody = cf.Multibody.of(model)
    coupling = Projection("loop", *loop)
    m = len(q)
    names = [*coupling.independents, *coupling.dependents]
    order = [names.index(joint) for joint in multibody.joint_variables]
    f = np.append(q, coupling.value(q))[order]
    slope = np.vstack([np.eye(m), coupling.gradient(q)])[order]
    bend = np.concatenate([np.zeros((m, m, m)), coupling.hessian(q)])[order]
    kinematics = cf.Kinematics(multibody, cf.JointVariables.given(f, slope, bend))
    u, udot = np.random.default_rng(3).normal(size=(2, m))
    return Both(cd.compile(model), kinematics, cf.equations(kinematics, u[:, None]), q, u, udot)


@every_loop
def test_equations_of_motion(name: str) -> None:
    """M qddot + N qdot = G + Q without a multiplier, as the compiled mechanism has it."""
    at = both(name)
    M = at.mechanism.mass_matrix(at.q)
    assert np.allclose(at.equations.M, M, rtol=1e-12)
    bias = (at.equations.N @ at.u[:, None] - at.equations.G)[:, 0]
    assert np.allclose(bias, at.mechanism.bias(at.q, at.u), rtol=1e-12)
    tau = at.mechanism.inverse_dynamics(at.q, at.u, at.udot)
    force = at.equations.generalised_force(at.u[:, None], at.udot[:, None])
    assert np.allclose(force[:, 0], tau, rtol=1e-12)
    falling = at.equations.acceleration(at.u[:, None])[:, 0]
    assert np.allclose(falling, at.mechanism.forward_dynamics(at.q, at.u), rtol=1e-11)


@every_loop
def test_force_at_a_point(name: str) -> None:
    """Figure 12, on a body that the loop moves."""
    at = both(name)
    force, r = np.array([3.0, -2.0, 0.0]), np.array([0.2, 0.4, 0.0])
    placed = at.kinematics.multibody.body("body_3")
    R, _ = at.mechanism.body_poses(at.q)["body_3"]
    wrench = {"body_3": np.concatenate([np.cross(R @ r, force), force])}
    free = at.mechanism.inverse_dynamics(at.q, at.u, at.udot)
    loaded = at.mechanism.inverse_dynamics(at.q, at.u, at.udot, wrenches=wrench)
    found = cf.point_force(at.kinematics, placed.frame, placed.point(r), force)[:, 0]
    assert np.allclose(found, free - loaded, rtol=1e-12)


@every_loop
def test_rate_of_the_mass_matrix(name: str) -> None:
    """Mdot - 2 N is skew along the loop's motion too: by central differences of the compiled mass matrix."""
    at, h = both(name), 1e-6
    Mdot = (at.mechanism.mass_matrix(at.q + h * at.u) - at.mechanism.mass_matrix(at.q - h * at.u)) / (2 * h)
    S = Mdot - 2 * at.equations.N
    assert np.abs(S + S.T).max() <= 1e-7 * (1 + np.abs(Mdot).max())
    assert np.abs(Mdot).max() > 0.1


@every_loop
def test_projection_by_kronecker_products(name: str) -> None:
    """The closed form's elimination [eq. 102-120] and the coupling's, which contracts indices instead."""
    dependents, independents, equations, _ = LOOPS[name]
    q, s = ca.SX.sym("q", len(independents)), ca.SX.sym("s", len(dependents))
    G = ca.vertcat(*[f(*ca.vertsplit(ca.vertcat(q, s))) for f in equations])
    found = cf.project(G, s, q)
    parts = [ca.densify(part) for part in (*found.gradient, *found.hessian)]
    coupling, at = Projection("loop", *LOOPS[name]), PLACES[name]
    values = [part.full() for part in ca.Function("p", [q, s], parts).call([at, coupling.value(at)])]
    n = len(dependents)
    assert np.allclose(np.array(values[:n])[:, :, 0], coupling.gradient(at), rtol=1e-12, atol=1e-13)
    assert np.allclose(np.array(values[n:]), coupling.hessian(at), rtol=1e-11, atol=1e-12)
