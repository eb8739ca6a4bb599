"""Random closed mechanisms in space: embedded loops and multipliers agree."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condyle import Body, Coordinate, Mechanism, Model, Placement
from condyle.errors import InputError
from condyle.joints import Ball, Cylindrical, Gimbal, Joint, Pin, Planar, Reversed, Screw, Slider, Universal
from condyle.spatial import Transform

from ..joints.cases import EVERY, Case
from .numbers import Numbers, State

IN_CHAIN: tuple[type[Joint], ...] = (Pin, Slider, Screw, Universal, Cylindrical, Planar, Gimbal, Ball)
CLOSING: tuple[type[Joint], ...] = (Pin, Slider, Universal, Cylindrical, Planar, Gimbal, Ball)
ENOUGH = 7  # freedoms of a ring with at least one motion


class Draws:
    """Random numbers of one mechanism."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def placement(self) -> Placement:
        a, b = self.generator.uniform(-0.6, 0.6, (2, 3))
        return Placement(tuple(map(float, a)), tuple(map(float, b)))

    def body(self, name: str) -> Body:
        center = tuple(map(float, self.generator.uniform(-0.2, 0.2, 3)))
        xx, yy = map(float, self.generator.uniform(0.05, 0.1, 2))
        return Body(name, float(self.generator.uniform(0.5, 2.0)), center, (xx, yy, 0.08, 0.01, -0.01, 0.005))

    def joint(self, kind: type[Joint], name: str, parent: str, child: str) -> Joint:
        joint = kind(name, parent, child, self.placement(), self.placement())
        if joint.unit_groups:
            return joint
        values = self.generator.uniform(-0.5, 0.5, len(joint.coordinate_names))
        named = zip(joint.coordinate_names, values, strict=True)
        coordinates = tuple(Coordinate(label, float(value)) for label, value in named)
        return kind(name, parent, child, joint.parent_frame, joint.child_frame, coordinates=coordinates)


@st.composite
def rings(draw: st.DrawFn) -> Model:
    """One or two loops over a tree of random joints, closed in the default pose; enough joints to move."""
    draws = Draws(draw(st.integers(0, 2**32 - 1)))
    bodies, joints, loops, ends = [], [], [], []
    for ring in range(draw(st.integers(1, 2))):
        closing = draw(st.sampled_from(CLOSING))
        freedoms = len(closing("x", "a", "b").speed_names)
        parent = draw(st.sampled_from(["ground", *(body.name for body in bodies)]))
        start = parent
        while freedoms < ENOUGH:
            kind = draw(st.sampled_from(IN_CHAIN))
            name = f"b{len(bodies)}"
            bodies.append(draws.body(name))
            joints.append(draws.joint(kind, f"j{len(joints)}", parent, name))
            freedoms += len(joints[-1].speed_names)
            parent = name
        loops.append((closing, f"loop_{ring}"))
        ends.append((parent, start))
    tree = Mechanism(Model("tree", tuple(bodies), tuple(joints)))
    numbers = Numbers(tree)
    poses = numbers("body_poses", still(tree))
    frames = {"ground": np.eye(4)} | {
        body: pose(poses["rotations"][3 * k : 3 * k + 3], poses["positions"].reshape(-1, 3)[k])
        for k, body in enumerate(tree.bodies)
    }
    closed = []
    for (kind, name), (parent, child) in zip(loops, ends, strict=True):
        on_child = draws.placement()
        X = np.linalg.inv(frames[parent]) @ frames[child] @ matrix(on_child)
        closed.append(kind(name, parent, child, Placement.from_matrix(X[:3, :3], X[:3, 3]), on_child))
    return Model("ring", tuple(bodies), tuple(joints), loops=tuple(closed))


def still(mechanism: Mechanism) -> State:
    q, u = mechanism.default_state()
    return State(q, u, u, u, np.zeros(0), np.zeros(0))


def pose(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    return X


def matrix(placement: Placement) -> np.ndarray:
    import casadi as ca

    X = placement.transform()
    return pose(np.array(ca.DM(X.R).full()), np.array(ca.DM(X.p).full())[:, 0])


@given(rings(), st.integers(0, 2**32 - 1))
@settings(max_examples=12)
def test_embedded_is_constrained(model: Model, seed: int) -> None:
    both_agree(model, seed)


def both_agree(model: Model, seed: int) -> None:
    """Accelerations, reactions, energies and derivatives in a random state beside the default pose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # redundant equations and singular poses occur, and are said
        try:
            mechanism = Mechanism(model)
        except InputError as error:
            # Balls depend as a whole; now and then their three speeds are more than the loops determine.
            assert "degrees of freedom" in str(error)
            return
        other = Numbers(Mechanism(model, loops="multipliers"))
    choice = mechanism.assembly.choice
    assert choice is not None
    numbers = Numbers(mechanism)
    generator = np.random.default_rng(seed)
    nu = len(mechanism.speeds)
    q = moved_a_little(numbers, generator)
    z, closed = mechanism.assembly.solver.settle(q, mechanism.assembly.unknown)
    assert closed or choice.conditioning < 1e-2
    if not closed:
        return  # beyond a dead point that is near
    u, udot, tau = generator.standard_normal((3, nu))
    state = State(q, u, udot, tau, z, np.zeros(0))
    J = numbers.one("coupling_matrix", state).reshape(-1, nu)
    regularity = numbers("regularity", state)
    if min(float(value[0]) for value in regularity.values()) < 1e-8:
        return  # near a dead point both lose digits
    all_tau = np.zeros(J.shape[0])
    all_tau[list(mechanism.roles.independent_speeds)] = tau
    s = numbers.one("joint_values", state)
    whole = State(s, J @ u, J @ udot + numbers.one("coupling_bias", state), all_tau, np.zeros(0), np.zeros(0))
    residual = other("constraint_equations", whole)["residual"]
    assert np.abs(residual).max() < 1e-10
    mine, theirs = (
        item("forward_dynamics_and_reactions", at) for item, at in ((numbers, state), (other, whole))
    )
    accelerations = J @ mine["udot"] + numbers.one("coupling_bias", state)
    scale = 1 + np.abs(accelerations).max()
    assert np.abs(accelerations - theirs["udot"]).max() < 1e-8 * scale
    # Where equations are redundant, which joint carries how much is a matter of which of them are solved for.
    if len(choice.rows) == choice.rank and other.mechanism.constraint_report.redundant == choice.redundant:
        size = 1 + np.abs(theirs["reactions"]).max()
        assert np.abs(mine["reactions"] - theirs["reactions"]).max() < 1e-7 * size
    for quantity in ("kinetic_energy", "potential_energy"):
        assert np.isclose(numbers.one(quantity, state)[0], other.one(quantity, whole)[0], rtol=1e-10)
    derivatives_are_slopes(numbers, state, generator)


@pytest.mark.parametrize("case", [case for case in EVERY if len(case.joint.speed_names) < 6], ids=str)
def test_every_joint_closes_a_loop(case: Case) -> None:
    """The joint, at a pose of its sampler, between ground and the end of a chain of eight freedoms."""
    seed = sum(map(ord, str(case)))
    draws = Draws(seed)
    bodies = tuple(draws.body(name) for name in "abc")
    kinds = (Gimbal, Planar, Universal)
    joints = tuple(
        draws.joint(kind, f"j{k}", parent, child)
        for k, (kind, parent, child) in enumerate(zip(kinds, ("ground", *"ab"), "abc", strict=True))
    )
    tree = Mechanism(Model("tree", bodies, joints))
    R, p = tree.body_poses(tree.default_state()[0])["c"]
    inner, at = case.joint.forward, case.sample(np.random.default_rng(seed))
    q = ca.SX.sym("q", at.size)
    joint_pose = inner.pose(q)
    numbers = ca.Function("pose", [q], [ca.densify(joint_pose.R), ca.densify(joint_pose.p)])(at)
    X_PB = pose(*(np.array(value.full()).squeeze() for value in numbers))
    X = pose(R, p) @ matrix(inner.child_frame) @ np.linalg.inv(X_PB)
    fields: dict[str, Any] = {"parent_frame": Placement.from_matrix(X[:3, :3], X[:3, 3])}
    if inner.equations(Transform.identity()) is None:  # its coordinates are joint variables
        named = zip(inner.coordinate_names, at, strict=True)
        fields["coordinates"] = tuple(Coordinate(name, float(value)) for name, value in named)
    loop = dataclasses.replace(inner, name="loop", parent="ground", child="c", **fields)
    loop = Reversed(loop) if isinstance(case.joint, Reversed) else loop
    both_agree(Model("ring", bodies, joints, loops=(loop,)), seed)


def moved_a_little(numbers: Numbers, generator: np.random.Generator) -> np.ndarray:
    """Coordinates beside the default pose, Euler parameters of unit length."""
    mechanism = numbers.mechanism
    q, _ = mechanism.default_state()
    q = q + 0.02 * generator.standard_normal(q.size)
    for start in mechanism.unit_groups:
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return q


def derivatives_are_slopes(numbers: Numbers, state: State, generator: np.random.Generator) -> None:
    """Of inverse dynamics, along a motion: against central differences."""
    nu, settle = len(state.u), numbers.mechanism.assembly.solver.settle
    w = generator.standard_normal(nu)
    dq = numbers.one("coordinate_rates", State(state.q, w, w, w, state.z, state.p))
    found = numbers("inverse_dynamics_derivatives", state)
    values = []
    for h in (-1e-6, 1e-6):
        q = state.q + h * dq
        values.append(
            numbers.one(
                "inverse_dynamics", State(q, state.u, state.udot, state.tau, settle(q, state.z)[0], state.p)
            )
        )
    slope = (values[1] - values[0]) / 2e-6
    exact = found["dq"].reshape(nu, -1) @ dq
    assert np.abs(slope - exact).max() < 1e-4 * (1 + np.abs(exact).max())
