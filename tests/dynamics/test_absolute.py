"""The absolute formulation against the minimal one, on random mechanisms of all joints."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import casadi as ca
import numpy as np
import pytest

from condyle import Mechanism

from .mechanisms import CHAINS, FLOATING, TREES, Choice, Numbers, State

# The absolute form solves a system of all bodies and joints: its round-off is that of a larger sum.
AGREE = 1e-9


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
        outputs = [ca.horzcat(*accelerations).T, residual, ca.vertcat(*pivots)]
        self.function = ca.Function("f", [g.q, g.u, g.tau, g.wrenches], [ca.densify(o) for o in outputs])
        bodies = self.mechanism.bodies
        h = minimal.graph
        poses = [h.kinematics.pose(body) for body in bodies]
        velocities = [h.kinematics.spatial_velocity(body) for body in bodies]
        motion = [ca.vertcat(*[X.R for X in poses]), ca.horzcat(*[X.p for X in poses]).T]
        motion.append(ca.horzcat(*velocities).T)
        self.motion = ca.Function("motion", [h.q, h.u], [ca.densify(m) for m in motion])


@cache
def absolute(choice: Choice) -> Absolute:
    return Absolute(choice.numbers)


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


@pytest.mark.parametrize("choice", CHAINS + TREES + FLOATING, ids=str)
def test_bodies_accelerate_alike(choice):
    """Same accelerations of every body under external wrenches; converted states satisfy every joint."""
    numbers, found = choice.numbers, absolute(choice)
    rng = np.random.default_rng(choice.index)
    for _ in range(3):
        state = replace(numbers.state(rng), tau=np.zeros(numbers.nu))
        udot = numbers.one("forward_dynamics", state)
        expected = numbers.one("body_accelerations", replace(state, udot=udot))
        q, u = converted(choice, state)
        accelerations, residual, pivots = (
            np.array(value.full()) for value in found.function(q, u, 0, state.wrenches)
        )
        assert np.abs(residual).max(initial=0.0) < 1e-13
        assert pivots.min() > 1e-6
        worst = np.abs(accelerations - expected.reshape(accelerations.shape)).max()
        assert worst <= AGREE * np.abs(expected).max()


def test_names_follow_bodies_and_ghosts_the_joints():
    """`body.e0` ... for bodies; a knee of splines keeps its angle as a coordinate behind them."""
    choice = next(c for c in CHAINS if str(c) == "Custom-knee")
    mechanism = absolute(choice).mechanism
    assert mechanism.coordinates[:2] == ("base.e0", "base.e1")
    assert mechanism.coordinates[13:] == ("tip.pz", "tested.angle")
    assert mechanism.bodies == ("base", "tip")
    assert mechanism.joints == ("root", "tested")
    assert mechanism.speeds[-1] == "tested.angle"
