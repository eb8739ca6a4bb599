"""Every kind of constraint on a tree: bodies accelerate alike in minimal and in absolute coordinates."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings

from condyle import Body, Mechanism, Model, Placement
from condyle.compiled.conversion import from_minimal
from condyle.constraints import Distance
from condyle.joints import Pin
from condyle.mechanism import JointConstraint

from ..dynamics.mechanisms import Numbers, seeds
from .cases import CLOSED, Closed, is_regular

AGREE = 1e-9
few = settings(max_examples=2, deadline=None)
#: Not: joints as constraints, which the rewriting makes itself; coordinates of the joint a2, whose px is that
#: of the body a2 in absolute coordinates.
ON_BODIES = [
    closed
    for closed in CLOSED
    if not isinstance(closed.constraint, JointConstraint)
    and not any(name.startswith("a2.") for name in closed.constraint.coordinates)
]


class Absolute:
    """The model of `numbers` in absolute coordinates, evaluated by CasADi at minimal states."""

    def __init__(self, numbers: Numbers) -> None:
        self.mechanism, self.numbers = Mechanism(numbers.model, (), "absolute"), numbers
        g = self.mechanism.graph(numbers.loads)
        found = g.forward
        accelerations = g.kinematics.spatial_accelerations(found.udot)[: len(self.mechanism.bodies)]
        pivots = g.constrained.factor.smallest_relative_pivot, g.constrained.factor.smallest_speed_pivot
        outputs = [ca.horzcat(*accelerations).T, found.multipliers, ca.vertcat(*pivots)]
        self.function = ca.Function("f", [g.q, g.u, g.wrenches], self._without_tau(g, outputs))

    @staticmethod
    def _without_tau(g, outputs: list[ca.SX]) -> list[ca.SX]:
        outputs = [ca.densify(value) for value in outputs]
        return ca.substitute(outputs, [g.tau], [ca.SX.zeros(g.tau.numel())])

    def __call__(self, state):
        numbers, names = self.numbers, self.mechanism.bodies

        class Twin:
            coordinates, speeds = numbers.mechanism.coordinates, numbers.mechanism.speeds

            def body_poses(self, q, parameters):
                found = numbers("body_poses", state)
                R, p = found["rotations"].reshape(-1, 3, 3), found["positions"].reshape(-1, 3)
                return {name: (R[i], p[i]) for i, name in enumerate(names)}

            def body_velocities(self, q, u, parameters):
                V = numbers.one("body_velocities", state).reshape(-1, 6)
                return {name: (V[i, :3], V[i, 3:]) for i, name in enumerate(names)}

        self.mechanism.__dict__["minimal"] = Twin()
        q, u = from_minimal(self.mechanism, state.q, state.u, None, False)
        return [value.full() for value in self.function(q, u, state.wrenches)]


@cache
def absolute(closed: Closed) -> Absolute:
    return Absolute(closed.numbers)


@pytest.mark.parametrize("closed", ON_BODIES, ids=str)
@few
@given(seed=seeds)
def test_bodies_accelerate_alike_under_constraints(closed, seed):
    """And the constraint's multipliers are those of the minimal form."""
    numbers, rng = closed.numbers, np.random.default_rng(seed)
    state = numbers.state(rng)
    while not is_regular(closed.constraint, numbers, state):
        state = numbers.state(rng)
    state = replace(state, tau=np.zeros(numbers.nu))
    expected = numbers("forward_dynamics_and_reactions", state)
    accelerations = numbers.one("body_accelerations", replace(state, udot=expected["udot"])).reshape(-1, 6)
    found, multipliers, pivots = absolute(closed)(state)
    count = expected["multipliers"].size
    scale = 1 / min(1.0, float(numbers("constraint_multipliers", state)["smallest_pivot"][0]))
    assert pivots.min() > 0
    assert np.abs(found - accelerations).max() <= AGREE * scale * np.abs(accelerations).max()
    size = np.abs(expected["multipliers"]).max()
    assert np.abs(multipliers[-count:, 0] - expected["multipliers"]).max() <= AGREE * scale * size


@pytest.mark.parametrize("talus", [1.0, 1e-3, 0.0], ids=lambda mass: f"talus of {mass} kg")
def test_a_loop_that_leaves_no_freedom(talus):
    """Two pins and two rods between ground and the last body: as many equations as speeds. What keeps the
    loop's equations apart are speeds of the body between, which they do not name.
    """
    moments = (1e-4 * talus,) * 3 + (0.0,) * 3
    bodies = (
        Body("talus", talus, inertia=moments),
        Body("foot", 1.2, inertia=(0.0014, 0.004, 0.0037, 0, 0, 0)),
    )
    joints = (
        Pin("upper", "ground", "talus", Placement((0.0, 0.0, 0.1)), axis=(0.28, 0.96, 0.0)),
        Pin(
            "lower",
            "talus",
            "foot",
            Placement((0.0, 0.0, -0.04)),
            Placement((-0.03, 0.0, 0.03)),
            axis=(0.8, 0, 0.6),
        ),
    )
    rods = tuple(
        Distance(f"rod{k}", "ground", "foot", (0.3, y, 0.1), (0.1, 0.02, 0.0), length=0.3)
        for k, y in ((0, 0.1), (1, -0.2))
    )
    model = Model("braced", bodies, joints, rods)
    numbers = Numbers(model, lambda rng: rng.uniform(-0.5, 0.5, 2))
    state = replace(numbers.state(np.random.default_rng(1)), tau=np.zeros(2))
    expected = numbers("forward_dynamics_and_reactions", state)
    accelerations = numbers.one("body_accelerations", replace(state, udot=expected["udot"])).reshape(-1, 6)
    found, multipliers, pivots = Absolute(numbers)(state)
    assert pivots.min() > 1e-9
    assert np.abs(found - accelerations).max() < 1e-10 * np.abs(accelerations).max()
    size = np.abs(expected["multipliers"]).max()
    assert np.abs(multipliers[-2:, 0] - expected["multipliers"]).max() < 1e-9 * size
