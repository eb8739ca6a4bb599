"""Bodies described by their mass centres: the same kinetic energy and accelerations, with translation and
rotation uncoupled.
"""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle import Model
from condyle.dynamics.centered import centered
from condyle.dynamics.crba import crba
from condyle.dynamics.rnea import rnea
from condyle.joints import Cylindrical, Free, Pin, Planar, Slider

from .mechanisms import Numbers, close, few, joined, random_body, random_placement, seeds

JOINTS = (Free, Planar)


@cache
def _numbers(kind) -> Numbers:
    """Beside the body on ground, a pin with a second free body, which has to stay as it is."""
    rng = np.random.default_rng(4)
    bodies = tuple(random_body(rng, name) for name in ("alone", "carrier", "carried"))
    joints = (
        kind(
            "tested", "ground", "alone", parent_frame=random_placement(rng), child_frame=random_placement(rng)
        ),
        Pin("pin", "ground", "carrier"),
        kind("other", "carrier", "carried", parent_frame=random_placement(rng)),
    )
    model = Model("centered", bodies, joints, gravity=(0.3, -9.8, 0.5))
    return Numbers(model, joined([_sample(kind), lambda r: r.uniform(-3, 3, 1), _sample(kind)]))


def _sample(kind):
    if kind is Planar:
        return lambda rng: rng.uniform(-1, 1, 3)

    def free(rng: np.random.Generator) -> np.ndarray:
        e = rng.standard_normal(4)
        return np.concatenate([e / np.linalg.norm(e), rng.uniform(-1, 1, 3)])

    return free


@cache
def _function(kind) -> ca.Function:
    """(q, u, udot) -> T, mass matrix in u', loads in u', and those from the loads in u."""
    graph = _numbers(kind).graph
    linkage = graph.linkage
    found = centered(linkage)
    moved = found.linkage
    accelerations = ca.solve(found.T, graph.udot + found.shift)
    loads = rnea(moved, accelerations).tau
    expected = ca.mtimes(found.T.T, rnea(linkage, graph.udot).tau)
    return ca.Function(
        "centered",
        [graph.q, graph.u, graph.udot],
        [ca.densify(e) for e in (found.T, crba(moved), loads, expected)],
    )


@pytest.mark.parametrize("kind", JOINTS)
@few
@given(seed=seeds)
def test_the_mass_matrix_is_the_same_quadratic_form_and_uncoupled(kind, seed):
    """M' = T'MT, whose entries between the body's translation and rotation vanish."""
    numbers = _numbers(kind)
    state = numbers.state(np.random.default_rng(seed))
    T, M, loads, expected = (v.full() for v in _function(kind)(state.q, state.u, state.udot))
    original = numbers.mass_matrix(state)
    assert not np.array_equal(T, np.eye(len(T)))
    assert close(M, T.T @ original @ T, np.abs(T.T) @ np.abs(original) @ np.abs(T))
    turning, size = (3, 6) if kind is Free else (1, 3)
    body = M[:size, :size]
    assert np.array_equal(body[:turning, turning:], np.zeros_like(body[:turning, turning:]))
    assert np.array_equal(body[turning:, turning:], body[turning, turning] * np.eye(size - turning))
    assert close(loads, expected, np.abs(original) @ np.abs(state.udot), state.u @ state.u)


@pytest.mark.parametrize(("joint", "moved"), [(Planar, True), (Cylindrical, False), (Slider, True)])
def test_a_mass_center_that_stays_coupled_is_left(joint, moved):
    """A cylindrical joint turns its mass centre where it grants no translation."""
    rng = np.random.default_rng(7)
    model = Model("one", (random_body(rng, "body"),), (joint("tested", "ground", "body"),))
    assert bool(centered(Numbers(model, lambda rng: np.zeros(3)).graph.linkage).arms) == moved
