"""The absolute formulation against the minimal one, on random mechanisms of all joints."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, cached_property

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import solve_ivp

from condyle import Mechanism
from condyle.compiled.quantities import quantity
from condyle.forces import CoordinateSpring
from condyle.library.ankle import TALOCRURAL_AXIS, ankle, range_of_motion

from ..compiled.models import tied
from .mechanisms import CHAINS, FLOATING, TREES, Choice, Numbers, State, seeds

# The absolute form solves a system of all bodies and joints: its round-off is that of a larger sum.
AGREE = 1e-9
REACTIONS_AGREE = 1e-8
DURATION = 0.3  # s, or as long as it takes speeds to change by this share of themselves
PERTURBED = 1e-7
#: Building the graphs takes the time; two states each, new ones in every run, find what is wrong.
few = settings(max_examples=2, deadline=None)
every = pytest.mark.parametrize("choice", CHAINS + TREES + FLOATING, ids=str)


class Absolute:
    """A mechanism of the list in absolute coordinates: one graph, evaluated by CasADi."""

    def __init__(self, minimal: Numbers) -> None:
        self.mechanism = Mechanism(minimal.model, (), "absolute")
        self.graph = g = self.mechanism.graph(minimal.loads)
        found, system = g.forward, g.constrained
        accelerations = g.kinematics.spatial_accelerations(found.udot)[: len(self.mechanism.bodies)]
        residual = system.equations.residual if system else ca.SX(0, 1)
        pivots = (
            [system.factor.smallest_speed_pivot, system.factor.smallest_relative_pivot]
            if system
            else [ca.SX(1)] * 2
        )
        by_multipliers = quantity("forward_dynamics_and_reactions", True).build(g)["reactions"]
        outputs = [ca.horzcat(*accelerations).T, residual, ca.vertcat(*pivots), found.udot, by_multipliers]
        symbols = [g.q, g.u, g.tau, g.wrenches]
        self.function = ca.Function("f", symbols, [ca.densify(o) for o in outputs])
        balanced = quantity("joint_reactions", True).build(g)["reactions"]
        self.balanced = ca.Function("balanced", [g.q, g.u, g.udot, g.wrenches], [balanced])
        self.motion = moving(minimal.graph, self.mechanism.bodies)
        self.own_motion = moving(g, self.mechanism.bodies)

    @cached_property
    def rates(self) -> ca.Function:
        return rates(self.graph)


def moving(graph, bodies) -> ca.Function:
    """(q, u) -> rotations, places, velocities of the bodies."""
    poses = [graph.kinematics.pose(body) for body in bodies]
    velocities = [graph.kinematics.spatial_velocity(body) for body in bodies]
    motion = [ca.vertcat(*[X.R for X in poses]), ca.horzcat(*[X.p for X in poses]).T]
    motion.append(ca.horzcat(*velocities).T)
    return ca.Function("motion", [graph.q, graph.u], [ca.densify(m) for m in motion])


def rates(graph) -> ca.Function:
    """((q, u), wrenches) -> (qdot, udot), no force at the joints."""
    y = ca.vertcat(graph.q, graph.u)
    ydot = ca.densify(ca.vertcat(graph.qdot, graph.forward.udot))
    resting = ca.substitute(ydot, graph.tau, ca.SX.zeros(graph.tau.numel()))
    return ca.Function("rates", [y, graph.wrenches], [resting])


@cache
def absolute(choice: Choice) -> Absolute:
    return Absolute(choice.numbers)


@cache
def minimal_rates(choice: Choice) -> ca.Function:
    return rates(choice.numbers.graph)


def converted(choice: Choice, state: State) -> tuple[np.ndarray, np.ndarray]:
    """(q, u) in absolute coordinates, with the conversion's own code but interpreted kinematics."""
    from condyle.compiled.conversion import from_minimal

    found = absolute(choice)
    R, p, V = (np.array(value.full()) for value in found.motion(state.q, state.u))
    names = found.mechanism.bodies

    class Twin:
        coordinates, speeds = choice.numbers.mechanism.coordinates, choice.numbers.mechanism.speeds

        def body_poses(self, q, parameters):
            return {name: (R[3 * i : 3 * i + 3], p[i]) for i, name in enumerate(names)}

        def body_velocities(self, q, u, parameters):
            return {name: (V[i, :3], V[i, 3:]) for i, name in enumerate(names)}

    found.mechanism.__dict__["minimal"] = Twin()
    return from_minimal(found.mechanism, state.q, state.u, None, False)


def drawn(choice: Choice, seed: int) -> State:
    """A random regular state without forces at the joints."""
    numbers = choice.numbers
    return replace(numbers.state(np.random.default_rng(seed)), tau=np.zeros(numbers.nu))


@every
@few
@given(seed=seeds)
def test_bodies_accelerate_alike(choice, seed):
    """Same accelerations of every body under external wrenches; converted states satisfy every joint."""
    numbers, found, state = choice.numbers, absolute(choice), drawn(choice, seed)
    udot = numbers.one("forward_dynamics", state)
    expected = numbers.one("body_accelerations", replace(state, udot=udot))
    q, u = converted(choice, state)
    values = [np.array(value.full()) for value in found.function(q, u, 0, state.wrenches)]
    accelerations, residual, pivots = values[:3]
    assert np.abs(residual).max(initial=0.0) < 1e-13
    assert pivots.min() > 1e-6
    worst = np.abs(accelerations - expected.reshape(accelerations.shape)).max()
    assert worst <= AGREE * np.abs(expected).max()


@every
@few
@given(seed=seeds)
def test_reactions_are_alike(choice, seed):
    """Wrenches of parents on children: by balance along the tree, from multipliers, and by balance in
    absolute coordinates.
    """
    numbers, found, state = choice.numbers, absolute(choice), drawn(choice, seed)
    expected = numbers("forward_dynamics_and_reactions", state)["reactions"].reshape(-1, 6)
    q, u = converted(choice, state)
    udot, by_multipliers = [np.array(v.full()) for v in found.function(q, u, 0, state.wrenches)][3:]
    balanced = np.array(found.balanced(q, u, udot, state.wrenches).full())
    worst = [np.abs(rows - expected).max() / np.abs(expected).max() for rows in (by_multipliers, balanced)]
    assert max(worst) <= REACTIONS_AGREE


@every
@few
@given(seed=seeds)
def test_states_stay_alike(choice, seed):
    """Both integrated for a while: the same poses and velocities, as far as a motion that starts nearby
    stays near.
    """
    numbers, found, state = choice.numbers, absolute(choice), drawn(choice, seed)
    nearby = np.random.default_rng(seed).normal(size=numbers.nu) * PERTURBED
    ends, duration = [], DURATION
    for q, u, function, motion in (
        (state.q, state.u, minimal_rates(choice), found.motion),
        (state.q, state.u + nearby, minimal_rates(choice), found.motion),
        (*converted(choice, state), found.rates, found.own_motion),
    ):

        def rates_at(_time, y, function=function):
            return np.array(function(y, state.wrenches).full())[:, 0]

        y = np.concatenate([q, u])
        if not ends:
            changing = np.abs(rates_at(0.0, y)[q.size :]).max(initial=0.0)
            duration = DURATION * (1 + np.abs(u).max(initial=0.0)) / (1 + changing)
        y = solve_ivp(rates_at, (0.0, duration), y, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
        ends.append(np.concatenate([np.array(v.full()).ravel() for v in motion(y[: q.size], y[q.size :])]))
    size = np.abs(ends[0]).max()
    amplification = np.abs(ends[1] - ends[0]).max() / (PERTURBED * size)
    worst = np.abs(ends[2] - ends[0]).max() / size
    assert worst <= AGREE * max(1.0, amplification)


def test_names_follow_bodies_and_ghosts_the_joints():
    """`body.e0` ... for bodies; a knee of splines keeps its angle as a coordinate behind them."""
    choice = next(c for c in CHAINS if str(c) == "Custom-knee")
    mechanism = absolute(choice).mechanism
    assert mechanism.coordinates[:2] == ("base.e0", "base.e1")
    assert mechanism.coordinates[13:] == ("tip.pz", "tested.angle")
    assert mechanism.bodies == ("base", "tip")
    assert mechanism.joints == ("root", "tested")
    assert mechanism.speeds[-1] == "tested.angle"


def test_reactions_with_forces():
    """Of the compiled mechanisms, with moments between bodies and a spring at a coordinate, which the ghost
    of its joint carries.
    """
    spring = CoordinateSpring("spring", "talocrural.angle", 8.0, rest=0.2)
    model = ankle(forces=(range_of_motion(damping=0.5), spring))
    pins, bodies = Mechanism(model), Mechanism(model, (), "absolute")
    q, u = np.array([0.8, -0.4]), np.array([3.0, -2.0])
    udot, expected = pins.forward_dynamics_and_reactions(q, u)
    states = bodies.from_minimal(q, u)
    accelerations, by_multipliers = bodies.forward_dynamics_and_reactions(*states)
    balanced = bodies.joint_reactions(*states, accelerations)
    assert np.abs(udot).max() > 10
    for joint, pair in expected.items():
        for found in (by_multipliers[joint], balanced[joint]):
            assert np.hstack(found) == pytest.approx(np.hstack(pair), abs=1e-10)
    assert abs(expected["talocrural"][0] @ np.array(TALOCRURAL_AXIS)) > 1  # the spring's


def test_reactions_beside_a_constraint():
    """With the model's own constraint, whose multipliers count where accelerations are solved for."""
    pins, bodies = Mechanism(tied()), Mechanism(tied(), (), "absolute")
    q, u, _ = pins.project(pins.default_state()[0] + 0.1, np.full(len(pins.speeds), 0.7))
    states = bodies.from_minimal(q, u)
    udot, solved = pins.forward_dynamics_and_reactions(q, u)
    accelerations, by_multipliers = bodies.forward_dynamics_and_reactions(*states)
    balanced = bodies.joint_reactions(*states, accelerations)
    for joint, pair in pins.joint_reactions(q, u, udot).items():
        assert np.hstack(by_multipliers[joint]) == pytest.approx(np.hstack(solved[joint]), abs=1e-10)
        assert np.hstack(balanced[joint]) == pytest.approx(np.hstack(pair), abs=1e-10)
        assert np.abs(np.hstack(pair) - np.hstack(solved[joint])).max() > 1.0
