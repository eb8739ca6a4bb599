"""Facts about the massless link: the two-revolute chain, loss of rank, the reflected solution."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle import Body, Model, Placement
from condyle.constraints import Distance, ModifiedUniversal, Universal
from condyle.errors import ModelError
from condyle.joints import Free, Pin
from condyle.spatial import euler_parameters_from_rotation

from ..dynamics.mechanisms import Numbers, State, close, few, random_body, seeds
from .closed_forms import Link, Moving, modified_universal

S_I, S_J = (0.6, 0.0, 0.8), (0.48, -0.6, 0.64)
P_I, P_J = (0.02, -0.03, 0.05), (0.06, 0.04, 0.01)
FOOT = random_body(np.random.default_rng(3), "foot")


@cache
def _two_revolutes() -> Numbers:
    """Ground is the leg; pins about S_I at P_I and about S_J at P_J with a massless body between them."""
    first = Pin("first", "ground", "link", Placement(P_I), Placement(P_I), axis=S_I)
    second = Pin("second", "link", "foot", Placement(P_J), Placement(P_J), axis=S_J)
    sample = lambda rng: rng.uniform(-1.5, 1.5, 2)  # noqa: E731
    return Numbers(Model("chain", (Body("link"), FOOT), (first, second)), sample, loads=("foot",))


@cache
def _link() -> Numbers:
    """The foot alone, free, with the massless link."""
    joint = ModifiedUniversal.at_pose("link", ("ground", "foot"), (P_I, P_J), (S_I, S_J))
    model = Model("link", (FOOT,), (Free("free", "ground", "foot"),), (joint,))
    return Numbers(model, lambda rng: rng.normal(size=7), loads=("foot",))


@few
@given(seed=seeds)
def test_massless_link_is_two_revolutes(seed):
    """Fact (i): same poses satisfy the equations, and the foot accelerates alike, to 1e-12."""
    one, other = _two_revolutes(), _link()
    state = one.state(np.random.default_rng(seed))
    quiet = np.zeros(2)
    state = State(state.q, state.u, quiet, quiet, wrenches=state.wrenches)
    poses, velocities = one("body_poses", state), one.one("body_velocities", state).reshape(-1, 6)[1]
    R, p = poses["rotations"].reshape(-1, 3, 3)[1], poses["positions"].reshape(-1, 3)[1]
    twin = State(
        np.concatenate([euler_parameters_from_rotation(R), p]),
        velocities,
        np.zeros(6),
        np.zeros(6),
        wrenches=state.wrenches,
    )
    equations = other("constraint_equations", twin)
    assert np.abs(equations["residual"]).max() < 1e-15
    G = equations["jacobian"].reshape(4, 6)
    assert np.abs(G @ velocities).max() < 1e-14
    assert np.linalg.matrix_rank(G) == 4
    udot = one.one("forward_dynamics", state)
    found = other.one("forward_dynamics", twin)
    moved = one.one("body_accelerations", State(state.q, state.u, udot, quiet)).reshape(-1, 6)[1]
    condition = one.condition(state) / np.linalg.svd(G, compute_uv=False)[-1]
    assert close(found, moved, condition * np.abs(moved).max(), roundings=100)
    assert np.abs(found - moved).max() <= 1e-12 * condition * max(1.0, np.abs(moved).max())


def _at(d: np.ndarray, rng: np.random.Generator):
    """Rows of the link's equations when body i is ground and d is as given (ground axes)."""
    i = Moving(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))
    j = Moving(np.eye(3), np.asarray(P_I) + d - np.asarray(P_J), rng.normal(size=3), rng.normal(size=3))
    assert np.allclose(Link(i, j, P_I, P_J).d, d)
    c = np.dot(S_I, S_J)
    along = np.dot(S_I, d), np.dot(S_J, d)
    return modified_universal(i, j, (P_I, P_J), (S_I, S_J), np.linalg.norm(d), np.arccos(c), along)


def test_rank_is_lost_where_the_axes_and_the_link_are_coplanar():
    """Fact (ii): four independent rows beside the plane, three in it, and a vanishing one at no length."""
    rng = np.random.default_rng(1)
    inside = 0.02 * np.asarray(S_I) - 0.03 * np.asarray(S_J)
    normal = np.cross(S_I, S_J)
    beside = np.linalg.svd(_at(inside + 0.02 * normal, rng).D[1], compute_uv=False)
    flat = np.linalg.svd(_at(inside, rng).D[1], compute_uv=False)
    assert beside[-1] > 1e-3 * beside[0]
    assert flat[-1] < 1e-15 * flat[0] < flat[-2]
    shrinking = [np.linalg.norm(_at(s * normal, rng).D[1][0]) for s in (1e-1, 1e-3, 1e-6)]
    assert np.allclose(np.divide(shrinking, shrinking[0]), (1, 1e-2, 1e-5), rtol=1e-9, atol=0)


def test_reflected_link_satisfies_the_equations():
    """Fact (iii): d mirrored by the plane of the axes; assembly keeps the side on which it starts."""
    joint = ModifiedUniversal.at_pose("link", ("ground", "foot"), (P_I, P_J), (S_I, S_J))
    normal = np.cross(S_I, S_J)
    normal /= np.linalg.norm(normal)
    d = np.asarray(P_J) - np.asarray(P_I)
    shift = -2 * normal * (normal @ d)
    assert np.linalg.norm(shift) > 1e-2
    q = np.concatenate([[1.0, 0, 0, 0], shift])
    twin = State(q, np.zeros(6), np.zeros(6), np.zeros(6), wrenches=np.zeros(6))
    assert np.abs(_link()("constraint_equations", twin)["residual"]).max() < 1e-16
    assert joint.along_a == pytest.approx(np.dot(S_I, d + shift), abs=1e-16)


def _refused(constraint) -> str:
    body = Body("foot", 1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    with pytest.raises(ModelError) as caught:
        Model("m", (body,), (Free("free", "ground", "foot"),), (constraint,))
    return str(caught.value)


def test_coplanar_axes_are_refused():
    in_plane = tuple(0.02 * np.asarray(S_I) - 0.03 * np.asarray(S_J) + np.asarray(P_I))
    text = _refused(ModifiedUniversal.at_pose("link", ("ground", "foot"), (P_I, in_plane), (S_I, S_J)))
    assert "constraints.link" in text and "coplanar" in text and "lose rank" in text


def test_no_length_points_to_the_classical_joint():
    text = _refused(ModifiedUniversal.at_pose("link", ("ground", "foot"), (P_I, P_I), (S_I, S_J)))
    assert "length 0" in text and "universal" in text
    assert "ball" in _refused(Distance("link", "ground", "foot", length=0.0))


def test_impossible_components_and_parallel_axes_are_refused():
    """A link shorter than its component on an axis; axes at no angle; axes that are not unit vectors."""
    too_long = ModifiedUniversal("link", "ground", "foot", length=0.1, along_a=0.2)
    assert "no link has" in _refused(too_long)
    assert "parallel" in _refused(Universal("u", "ground", "foot", angle=0.0))
    assert "length 2" in _refused(Universal("u", "ground", "foot", axis_a=(0.0, 2.0, 0.0)))


def test_promoted_length_is_not_judged():
    """A symbol in place of the length shapes the equations, not the checks."""
    symbol = ca.SX.sym("length")
    joint = ModifiedUniversal("link", "ground", "foot", length=symbol, along_b=0.1)
    assert joint.problems() == []
