"""A mechanism rooted at either end: the same motion, joint coordinates and loads."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given

from condyle import Model
from condyle.joints import Free, Reversed
from condyle.spatial import euler_parameters_from_rotation

from ..joints.cases import EVERY
from .mechanisms import (
    Numbers,
    State,
    close,
    few,
    joined,
    placed,
    random_body,
    random_placement,
    sampler,
    seeds,
)

GRAVITY = (0.3, -9.80665, 0.7)


def _turned(joint):
    return joint.joint if isinstance(joint, Reversed) else Reversed(joint)


@cache
def _ends(index: int) -> tuple[Numbers, Numbers]:
    """Bodies a, b, c: free at a with joints one, two; free at c with both reversed. Each loaded at its far
    end.
    """
    rng = np.random.default_rng([index, 3])
    bodies = tuple(random_body(rng, name) for name in "abc")
    cases = EVERY[index], EVERY[(7 * index + 3) % len(EVERY)]
    one, two = (
        placed(case.joint, name, parent, child, random_placement(rng), random_placement(rng))
        for case, (name, parent, child) in zip(cases, (("one", "a", "b"), ("two", "b", "c")), strict=True)
    )
    sample = joined([sampler(case) for case in cases])
    at_a = Model("a", bodies, (Free("root", "ground", "a"), one, two), gravity=GRAVITY)
    at_c = Model(
        "c", bodies[::-1], (Free("root", "ground", "c"), _turned(two), _turned(one)), gravity=GRAVITY
    )
    return Numbers(at_a, joined([_somewhere, sample]), loads=("c",)), Numbers(at_c, sample, loads=("a",))


def _somewhere(rng: np.random.Generator) -> np.ndarray:
    e = rng.normal(size=4)
    return np.concatenate([e / np.linalg.norm(e), rng.uniform(-1, 1, 3)])


def _at_other_end(one: Numbers, other: Numbers, state: State, tau: np.ndarray) -> State:
    """The state of `other` in which all bodies move as in `state` of `one`."""

    def swapped(values: np.ndarray, root: np.ndarray, slices: str) -> np.ndarray:
        parts = {link.joint.name: values[getattr(link, slices)] for link in one.mechanism.tree.links}
        return np.concatenate([root, parts["two"], parts["one"]])

    poses = one("body_poses", state)
    R, p = poses["rotations"][6:9], poses["positions"].reshape(-1, 3)[2]
    V = one.one("body_velocities", state).reshape(-1, 6)[2]
    A = one.one("body_accelerations", state).reshape(-1, 6)[2]
    q = swapped(state.q, np.concatenate([euler_parameters_from_rotation(R), p]), "q")
    u, udot = swapped(state.u, V, "u"), swapped(state.udot, A, "u")
    return replace(state, q=q, u=u, udot=udot, tau=swapped(tau, np.zeros(6), "u"))


@pytest.mark.parametrize("index", range(len(EVERY)), ids=lambda i: str(EVERY[i]))
@few
@given(seed=seeds)
def test_either_end_may_be_the_root(index, seed):
    """Forward: same joint accelerations. Inverse: same tau, and the root's reaction here is the tip's load
    there.
    """
    one, other = _ends(index)
    state = one.state(np.random.default_rng(seed))
    state = replace(state, wrenches=np.zeros(6), tau=np.concatenate([np.zeros(6), state.tau[6:]]))
    state = replace(state, udot=one.one("forward_dynamics", state))
    twin = _at_other_end(one, other, state, state.tau)
    condition = max(one.condition(state), other.condition(twin))
    loads = np.abs(one.one("bias", state)).max() + np.abs(state.tau).max() + np.abs(twin.u).max() ** 2
    found = other.one("forward_dynamics", twin)
    assert close(found, twin.udot, condition * (np.abs(twin.udot).max() + loads))


@pytest.mark.parametrize("index", range(len(EVERY)), ids=lambda i: str(EVERY[i]))
@few
@given(seed=seeds)
def test_root_reaction_is_the_tip_load_of_the_other(index, seed):
    """Ground's wrench on a found with c loaded, laid on a, makes ground's wrench on c equal that load."""
    one, other = _ends(index)
    state = one.state(np.random.default_rng(seed))
    tau = one.one("inverse_dynamics", state)
    root = one.one("joint_reactions", state)[0]
    twin = replace(_at_other_end(one, other, state, tau), wrenches=root)
    back = other.one("joint_reactions", twin)[0]
    M, udot = one.mass_matrix(state), state.udot
    size = (np.abs(M) @ np.abs(udot)).max() + np.abs(one.one("bias", state)).max() + np.abs(tau).max()
    size = size * (1 + np.abs(twin.q).max()) + np.abs(other.mass_matrix(twin)).max() * np.abs(twin.udot).max()
    assert close(back, state.wrenches, size)
    assert close(other.one("inverse_dynamics", twin)[6:], twin.tau[6:], size)
