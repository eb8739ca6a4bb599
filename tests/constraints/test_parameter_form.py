"""Every constraint in rates of Euler parameters: differentiated in p itself, and converted from omega."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle import Body, Model, constraints
from condyle.constraints import Configuration, Constraint, Custom
from condyle.joints import Coordinate, Free, Joint, Reversed
from condyle.joints.derived import coordinate_rates
from condyle.mechanism import JointConstraint
from condyle.spatial import Transform, euler

from ..dynamics.mechanisms import Numbers, State, close, few, seeds
from ..joints.cases import EVERY, Case
from .cases import CASES, is_regular, tree

P_I, P_J = np.array([0.1, -0.2, 0.05]), np.array([-0.05, 0.1, 0.3])


def _coincidence(configuration: Configuration) -> ca.SX:
    """d in ground axes, as the papers write it."""
    return configuration.pose("b2").point(ca.SX(P_J)) - configuration.pose("a2").point(ca.SX(P_I))


def _between(joint: Joint) -> Joint:
    """The joint from a2 to b2."""
    if isinstance(joint, Reversed):
        return Reversed(replace(joint.joint, parent="b2", child="a2"))
    return replace(joint, parent="a2", child="b2")


def _as_constraint(case: Case) -> JointConstraint:
    """A joint of the minimal formulation as absolute coordinates take it; a ghost stands for free numbers."""
    joint = _between(case.joint)
    ghost = "base" if joint.equations(Transform.identity()) is None else None
    return JointConstraint(str(case), joint, ghost, in_ground=True)


PRINTED = Custom("coincidence", _coincidence, 3, ("a2", "b2"))
JOINTS = [joint for joint in map(_as_constraint, EVERY) if joint.size]
ALL: list[Constraint] = [*CASES, PRINTED, *JOINTS]


class Homogeneous:
    """Poses whose rotation is the quadratic form A(p) of parameters that are free to leave |p| = 1."""

    def __init__(self, names: tuple[str, ...], x: ca.SX, coordinates: dict[str, ca.SX]):
        self.coordinates = coordinates
        self.poses = {
            name: Transform(euler.orientation(x[7 * k : 7 * k + 4]), x[7 * k + 4 : 7 * k + 7])
            for k, name in enumerate(names)
        }
        self.poses["ground"] = Transform.identity()

    def pose(self, body: str) -> Transform:
        return self.poses[body]

    def relative_pose(self, reference: str, body: str) -> Transform:
        return self.poses[reference].inverse() @ self.poses[body]


@dataclass(frozen=True, eq=False)
class Freed:
    """A constraint on bodies that float, its coordinates those of other joints on ground.

    `rows`: (x, xdot) -> Phi_x, gamma of Phi_x xddot = gamma, x = (p, r) of every body and then q;
    `speeds`: (q, u) -> N, Ndot u of the coordinates.
    """

    names: tuple[str, ...]
    numbers: Numbers
    rows: ca.Function
    speeds: ca.Function


@cache
def freed(constraint: Constraint) -> Freed:
    names = tuple(dict.fromkeys(name for name in constraint.bodies if name != "ground"))
    inertia = (0.1, 0.2, 0.15, 0.0, 0.0, 0.0)
    # Defaults at which no constraint is singular.
    apart = [(Coordinate("px", 0.3 * k), Coordinate("py", -0.1 * k * k)) for k in range(3)]
    joints = [Free(f"free_{n}", "ground", n, coordinates=c) for n, c in zip(names, apart, strict=False)]
    read = {name.partition(".")[0] for name in constraint.coordinates}
    for joint in tree().joints:
        if joint.name in read:
            described = joint.joint if isinstance(joint, Reversed) else joint
            joints.append(replace(described, parent="ground", child=f"on_{joint.name}"))
    bodies = tuple(Body(joint.child, 1.0, inertia=inertia) for joint in joints)
    numbers = Numbers(Model("freed", bodies, tuple(joints), (constraint,)), lambda rng: _pose(rng, joints))
    graph, floating = numbers.graph, len(names)
    x, rates = ca.SX.sym("x", numbers.nq), ca.SX.sym("xdot", numbers.nq)
    coordinates = {name: x[k] for k, name in enumerate(numbers.mechanism.coordinates)}
    residual = ca.densify(ca.SX(constraint.residual(Homogeneous(names, x, coordinates))))
    gamma = -ca.jtimes(ca.jtimes(residual, x, rates), x, rates)
    outputs = [ca.densify(ca.jacobian(residual, x)), ca.densify(gamma)]
    links = numbers.mechanism.tree.links[floating:]
    qdot = [ca.SX(0, 1), *(coordinate_rates(k.joint, graph.q[k.q], graph.u[k.u]) for k in links)]
    qdot = ca.vertcat(*qdot)
    N = ca.jacobian(qdot, graph.u[6 * floating :])
    carried = ca.jtimes(qdot, graph.q, graph.linkage.qdot())
    speeds = ca.Function("speeds", [graph.q, graph.u], [ca.densify(N), ca.densify(carried)])
    return Freed(names, numbers, ca.Function("rows", [x, rates], outputs), speeds)


def _pose(rng: np.random.Generator, joints: list[Joint]) -> np.ndarray:
    parts = []
    for joint in joints:
        values = rng.uniform(-1, 1, len(joint.coordinate_names))
        for start in joint.unit_groups:
            values[start : start + 4] /= np.linalg.norm(values[start : start + 4])
        parts.append(values)
    return np.concatenate(parts)


def test_every_kind_is_among_them():
    """Each constraint that users have, and each joint in either direction."""
    kinds = {getattr(constraints, name) for name in constraints.__all__} - {Configuration, Constraint}
    assert kinds <= {type(constraint) for constraint in ALL}
    free = {str(case) for case in EVERY if isinstance(case.joint.forward, Free)}
    assert {joint.name for joint in JOINTS} == {str(case) for case in EVERY} - free


def _regular(constraint: Constraint, found: Freed, rng: np.random.Generator) -> State:
    for _ in range(50):
        state = found.numbers.state(rng)
        rows = found.rows(state.q, np.zeros(found.numbers.nq))[0].full()
        # Rows grow without bound near half turns, and with them the round-off.
        if is_regular(constraint, found.numbers, state) and np.abs(rows).max() < 100:
            return state
    raise AssertionError("no regular state among 50 draws")


@pytest.mark.parametrize("constraint", ALL, ids=lambda c: f"{type(c).__name__}-{c.name}")
@few
@given(seed=seeds)
def test_rows_for_parameters_are_those_for_omega(constraint, seed):
    """Phi_p = 2 D G + c p', gamma_p = gamma - c (pdot.pdot), and back; D and gamma of the library."""
    found = freed(constraint)
    numbers, floating = found.numbers, len(found.names)
    state = _regular(constraint, found, np.random.default_rng(seed))
    library = numbers("constraint_equations", state)
    D, gamma = library["jacobian"].reshape(-1, numbers.nu), -library["bias"]
    x, u = state.q[: 7 * floating].reshape(-1, 7), state.u[: 6 * floating].reshape(-1, 6)
    p, pdot = x[:, :4], euler.rate(x[:, :4], u[:, :3])
    N, carried = (value.full() for value in found.speeds(state.q, state.u))
    qdot = N @ state.u[6 * floating :]
    rates = np.concatenate([np.hstack([pdot, u[:, 3:]]).ravel(), qdot])
    rows, parameter_gamma = (value.full() for value in found.rows(state.q, rates))
    size = np.abs(rows).max() * (1 + np.abs(state.u).max() ** 2)
    size = size * max(1.0, np.abs(rows).max())  # entries of a row come from quotients of such size
    # Coordinates: their second rates are N udot + Ndot u.
    assert close(rows[:, 7 * floating :] @ N, D[:, 6 * floating :], size)
    back = parameter_gamma[:, 0] - rows[:, 7 * floating :] @ carried[:, 0]
    gamma = gamma + rows[:, 7 * floating :] @ carried[:, 0]
    for k in range(floating):
        Phi, D_omega = rows[:, 7 * k : 7 * k + 4], D[:, 6 * k : 6 * k + 3]
        along = euler.along_parameters(Phi, p[k])
        assert close(rows[:, 7 * k + 4 : 7 * k + 7], D[:, 6 * k + 3 : 6 * k + 6], size)
        assert close(euler.angular_rows(Phi, p[k]), D_omega, size)
        assert close(euler.parameter_rows(D_omega, p[k], along), Phi, size)
        in_body = euler.rows_in_body_axes(D_omega, p[k])
        assert close(2 * in_body @ euler.L(p[k]), euler.parameter_rows(D_omega, p[k]), size)
        assert close(euler.rows_in_ground_axes(in_body, p[k]), D_omega, size)
        back = euler.angular_bias(back, pdot[k], along)
        gamma = euler.parameter_bias(gamma, pdot[k], along)
    assert close(back, -library["bias"], size)
    assert close(gamma, parameter_gamma[:, 0], size)


def test_coincidence_in_parameters_is_as_printed():
    """Rows (-B_i, B_j) with B = 2 G s'bar; gamma with h(s) + (omega.omega) s / 2 in place of h(s)."""
    found = freed(PRINTED)
    state = found.numbers.state(np.random.default_rng(3))
    x, u = state.q.reshape(2, 7), state.u.reshape(2, 6)
    pdot = euler.rate(x[:, :4], u[:, :3])
    rates = np.hstack([pdot, u[:, 3:]]).ravel()
    rows, gamma = (value.full() for value in found.rows(state.q, rates))
    moved = {}
    for k, sign, point in ((0, -1.0, P_I), (1, 1.0, P_J)):
        assert np.allclose(rows[:, 7 * k : 7 * k + 4], sign * euler.point_matrix(x[k, :4], point), atol=1e-15)
        w, s = u[k, :3], euler.orientation(x[k, :4]) @ point
        moved[k] = sign * (np.cross(w, np.cross(w, s)) + w @ w * s / 2)
    expected = -moved[0] - moved[1]
    assert np.allclose(gamma[:, 0], expected, atol=1e-14)
