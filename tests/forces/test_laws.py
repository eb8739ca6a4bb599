"""What holds for every force of the list in cases.py."""

from __future__ import annotations

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

import condyle as cd
import condyle.forces
from condyle.forces import CoordinateSpring, Force

from ..dynamics.mechanisms import Numbers, State, close, few, seeds
from .cases import CASES, actions, numbers, tree

over_all = pytest.mark.parametrize("index", range(len(CASES)), ids=lambda k: str(CASES[k]))


def test_the_list_holds_every_kind():
    """A kind that is exported is tested."""
    exported = {getattr(condyle.forces, name) for name in condyle.forces.__all__}
    kinds = {kind for kind in exported if issubclass(kind, Force)} - {Force}
    assert {type(case.force) for case in CASES} == kinds


def _with_loads(index: int, state: State) -> tuple[Numbers, State]:
    """The tree without the force, with wrenches on bodies (ground axes) and tau that do the same."""
    plain, loaded = numbers(None), numbers(index)
    (force,) = (CASES[index].force,)
    pairs, generalised, _ = (part.full() for part in actions(index)(state.q, state.u))
    poses = loaded("body_poses", state)
    pose = {"ground": (np.eye(3), np.zeros(3))}
    for k, body in enumerate(loaded.mechanism.bodies):
        pose[body] = poses["rotations"][3 * k : 3 * k + 3], poses["positions"][k]
    wrenches = {body: np.zeros(6) for body in ("ground", *plain.loads)}
    tau = state.tau.copy()
    if pairs.size:
        reference, body = force.bodies
        R, apart = pose[reference][0], pose[body][1] - pose[reference][1]
        moment, push = R @ pairs[:3, 0], R @ pairs[3:, 0]
        wrenches[body] += np.concatenate([moment, push])
        wrenches[reference] -= np.concatenate([moment + np.cross(apart, push), push])
    if generalised.size:
        (name,) = force.coordinates
        rates = plain.mechanism.tree.coordinates.index(name)
        tau += generalised[0, 0] * _rate_matrix(plain, state)[rates]
    given = np.concatenate([wrenches[body] for body in plain.loads])
    return plain, replace(state, tau=tau, wrenches=given)


def _rate_matrix(numbers: Numbers, state: State) -> np.ndarray:
    columns = [numbers("coordinate_rates", replace(state, u=unit))["qdot"] for unit in np.eye(numbers.nu)]
    return np.array(columns).T


@over_all
@few
@given(seed=seeds)
def test_equal_to_external_loads(index, seed):
    """Accelerations, tau and reactions are those under wrenches on each body: action and reaction."""
    ours = numbers(index)
    state = ours.state(np.random.default_rng(seed))
    plain, given = _with_loads(index, state)
    condition = ours.condition(state)
    forward = ours("forward_dynamics", state)["udot"]
    expected = plain("forward_dynamics", given)["udot"]
    assert close(forward, expected, condition * np.abs(expected).max())
    both = [n("forward_dynamics_and_reactions", s) for n, s in ((ours, state), (plain, given))]
    assert close(both[0]["reactions"], both[1]["reactions"], condition * np.abs(both[1]["reactions"]).max())
    tau = ours("inverse_dynamics", state)["tau"]
    added = given.tau - state.tau
    expected = plain("inverse_dynamics", given)["tau"] - added
    assert close(tau, expected, np.abs(given.wrenches).max())
    assert close(ours("bias", state)["bias"], plain("bias", given)["bias"] - added, np.abs(tau).max())
    assert close(
        ours("joint_reactions", state)["reactions"],
        plain("joint_reactions", given)["reactions"],
        np.abs(given.wrenches).max(),
    )


@over_all
def test_a_common_rigid_motion_meets_no_resistance(index):
    """Action equals reaction: forces between bodies give the floating base structural zeros."""
    force = CASES[index].force
    added = numbers(index).graph.forces.generalised
    if "ground" in force.bodies or isinstance(force, CoordinateSpring):
        assert added.nnz()
    else:
        assert added[:6].nnz() == 0 < added[6:].nnz()


@over_all
@few
@given(seed=seeds)
def test_power_is_what_the_energy_loses(index, seed):
    """Conservative: power = -dU/dt. Dampers: power <= 0 and no energy is stored."""
    ours, case = numbers(index), CASES[index]
    state = ours.state(np.random.default_rng(seed))
    with_force = ours("bias", state)["bias"]
    added = numbers(None)("bias", replace(state, wrenches=np.zeros(24)))["bias"] - with_force
    work, stored = float(added @ state.u), float(_energy_rate(index)(state.q, state.u))
    size = float(np.abs(added).max() * np.abs(state.u).sum() + np.abs(with_force).max())
    if case.energy == "conserves":
        assert abs(work + stored) <= 1e-12 * (size + abs(stored))
    if case.energy == "dissipates":
        assert stored == 0 and work <= 1e-13 * size


def _energy_rate(index: int) -> ca.Function:
    graph = numbers(index).graph
    rate = ca.jtimes(ca.SX(graph.forces.potential), graph.q, graph.linkage.qdot())
    return ca.Function("rate", [graph.q, graph.u], [ca.densify(rate)])


def test_cases_do_something():
    """Most random poses lie beyond the limits, so that the laws are not about zeros."""
    rng = np.random.default_rng(0)
    for index, case in enumerate(CASES):
        largest = []
        for _ in range(20):
            state = numbers(index).state(rng)
            pairs, generalised, _ = actions(index)(state.q, state.u)
            largest.append(np.abs(np.concatenate([pairs.full().ravel(), generalised.full().ravel()])).max())
        assert np.mean(np.array(largest) > 1e-3) > 0.7, case


@over_all
def test_derivatives(index):
    """Of inverse and forward dynamics, force elements included, against differentiation of the graph."""
    ours = numbers(index)
    state, graph = ours.state(np.random.default_rng(5)), ours.graph
    for name, third in (("inverse_dynamics", graph.udot), ("forward_dynamics", graph.tau)):
        (value,) = ours.outputs(name).values()
        # Both sides along directions that keep Euler parameters unit: the recursion leaves others out.
        along = ca.jacobian(graph.linkage.qdot(), graph.u)
        parts = [
            ca.mtimes(ca.jacobian(value, graph.q), along),
            ca.jacobian(value, graph.u),
            ca.jacobian(value, third),
        ]
        expected = ca.Function("expected", ours.symbols, [ca.densify(part) for part in parts])
        arguments = (state.q, state.u, state.udot, state.tau, state.parameters, state.wrenches, state.point)
        wanted = [part.full() for part in expected(*arguments)]
        found = ours(f"{name}_derivatives", state)
        got = [found["dq"] @ _rate_matrix(ours, state), found["du"], found["dthird"]]
        for a, b in zip(got, wanted, strict=True):
            assert np.abs(a - b).max() <= 1e-10 * np.abs(b).max() * ours.condition(state), name


@over_all
def test_absolute_coordinates(index):
    """The same force on free bodies held by constraints gives the bodies the same accelerations."""
    ours, plain = numbers(index), numbers(None).mechanism
    absolute = cd.compile(tree(CASES[index].force), formulation="absolute")
    absolute.__dict__["minimal"] = plain  # its kinematics are the same, and compiled once
    accelerate = absolute.function("forward_dynamics")
    for seed in range(3):
        state = replace(ours.state(np.random.default_rng(seed)), tau=np.zeros(ours.nu))
        udot = ours("forward_dynamics", state)["udot"]
        expected = ours("body_accelerations", replace(state, udot=udot))["accelerations"]
        q, u = absolute.from_minimal(state.q, state.u)
        found = accelerate(q, u, 0, 0, 0, 0, 0).full()[: expected.size, 0].reshape(expected.shape)
        assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()
