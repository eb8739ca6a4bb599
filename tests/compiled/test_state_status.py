"""A status per state: singular poses, numbers that are none, data that do not reach."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.functions import Linear, NaturalCubicSpline
from condyle.joints import Ball, Custom, Free, Gimbal, Pin, Reversed, Weld
from condyle.status import Status

from ..dynamics.mechanisms import chain, random_body
from ..joints.cases import EVERY, SINGULAR

OK, BAD, LOST = Status.OK, Status.BAD_INPUT, Status.SINGULAR


RNG = np.random.default_rng(0)


def _one(joint) -> cd.Mechanism:
    """The joint between ground and one body."""
    return cd.compile(cd.Model("one", (random_body(RNG, "b"),), (joint,), ground="p"))


@pytest.mark.parametrize("turned", [False, True], ids=["", "reversed"])
@pytest.mark.parametrize(
    ("joint", "pose"), SINGULAR, ids=[f"{type(j).__name__}-{j.name}" for j, _ in SINGULAR]
)
def test_singular_poses_are_singular(joint, pose, turned):
    """Alone, and in a batch with a state that is none."""
    body, ground = ("p", "b") if turned else ("b", "p")
    joint = Reversed(joint) if turned else joint
    mechanism = cd.compile(cd.Model("one", (random_body(RNG, body),), (joint,), ground=ground))
    q = np.array(pose)
    assert mechanism.state_status(q) == LOST
    assert list(mechanism.state_status([q, q + np.nan, q])) == [LOST, BAD, LOST]


@pytest.mark.parametrize("index", range(len(EVERY)), ids=lambda i: str(EVERY[i]))
def test_regular_poses_of_every_joint_are_ok(index):
    """Draws away from singular poses, in one batch."""
    model, sample = chain(EVERY[index])
    rng = np.random.default_rng(index)
    mechanism = cd.compile(model)
    q = np.array([sample(rng) for _ in range(5)])
    assert list(mechanism.state_status(q)) == [OK] * 5


def test_near_a_singular_pose():
    """1e-3 rad from gimbal lock is regular, 1e-8 rad is not: of rates, and of the mass matrix."""
    for joint in (Ball("j", "p", "b", coordinates="xyz"), Gimbal("j", "p", "b")):
        mechanism = _one(joint)
        q = np.array([[0.1, np.pi / 2 - distance, 0.2] for distance in (1e-3, 1e-8)])
        assert list(mechanism.state_status(q)) == [OK, LOST]


def test_numbers_that_are_none_are_bad_input():
    """NaN and infinity in q or u, Euler parameters far from unit; broadcasting u over q."""
    mechanism = _one(Free("j", "p", "b"))
    q, u = mechanism.default_state()
    states = np.array([q] * 5)
    states[1, 5], states[2, 4], states[3, 0], states[4, 0] = np.nan, np.inf, 1.1, 1.0005
    assert list(mechanism.state_status(states, u)) == [OK, BAD, BAD, BAD, OK]
    speeds = np.array([u, u])
    speeds[1, 2] = -np.inf
    assert list(mechanism.state_status(q, speeds)) == [OK, BAD]
    assert mechanism.state_status(states[:, None], speeds).shape == (5, 2)
    assert mechanism.state_status(np.zeros((0, 7)), u).shape == (0,)


def test_coordinates_beyond_the_data_are_bad_input():
    """A spline's ends are covered, what lies outside is an extrapolation."""
    spline = NaturalCubicSpline((-1.0, 0.0, 1.0), (0.1, 0.2, 0.0))
    mechanism = _one(Custom("j", "p", "b", coordinates=("a",), rz=Linear(), tx=spline))
    q = np.array([[-1.0], [1.0], [1.0 + 1e-9], [-2.0]])
    assert list(mechanism.state_status(q)) == [OK, OK, BAD, BAD]


def test_parameters_take_part():
    """A promoted mass of zero makes the mass matrix singular."""
    body = cd.Body("b", 1.0, (0.1, 0.0, 0.0))
    mechanism = cd.compile(cd.Model("m", (body,), (Pin("j", "ground", "b"),)), parameters=["b.mass"])
    assert list(mechanism.state_status([[0.3]], parameters=[[1.0], [0.0]])) == [OK, LOST]


def test_without_speeds():
    """A welded body has one state, and it is regular."""
    model = cd.Model("m", (cd.Body("b", 1.0),), (Weld("j", "ground", "b"),))
    assert cd.compile(model).state_status(np.zeros(0)) == OK
