"""Velocity matrix and bias of the catalogue, differentiated, against the papers' closed forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle import Body, Model, Placement
from condyle.constraints import (
    Ball,
    ConstantAngle,
    Constraint,
    Distance,
    FunctionOfJoint,
    ModifiedUniversal,
    PointOnSurface,
    Revolute,
    Universal,
    VectorToLink,
    Weld,
)
from condyle.functions import Polynomial
from condyle.joints import Free
from condyle.spatial import axis_rotation, euler_parameters_from_rotation, perpendiculars, rotation_about

from ..dynamics.mechanisms import Numbers, State, close, few, seeds
from . import closed_forms as by_hand
from .closed_forms import Moving, Rows

P_I, P_J = (0.1, -0.2, 0.05), (-0.05, 0.1, 0.3)
S_I, S_J = (0.6, 0.0, 0.8), (0.48, -0.6, 0.64)
PAIR = {"body_a": "i", "body_b": "j"}
POINTS = {"point_a": P_I, "point_b": P_J}
AXES = {"axis_a": S_I, "axis_b": S_J}
RADII, CENTER = (0.3, 0.5, 0.4), (0.03, -0.12, 0.05)
F, H = (
    Polynomial((0.2, -0.7, 0.3)),
    [Polynomial((0.1, 0.2, -0.3)), Polynomial((0.0, 0.4)), Polynomial((0.3,))],
)
TURNS = {"driver_axis": S_J, "axis": S_I, "body_frame": Placement(P_J)}
PATELLA = FunctionOfJoint("c", "i", "j", "k", **TURNS, angle=F, position=tuple(H))
FIXED = Placement((0.1, 0.2, 0.3), (0.4, -0.3, 0.8))


def _matrix(expression: ca.SX) -> np.ndarray:
    return np.asarray(ca.DM(expression).full())


@cache
def _numbers(constraint: Constraint) -> Numbers:
    """Three free bodies."""
    bodies = tuple(Body(name, 1.0, inertia=(0.1, 0.2, 0.15, 0.0, 0.0, 0.0)) for name in "ijk")
    joints = tuple(Free(f"free_{name}", "ground", name) for name in "ijk")
    return Numbers(Model("three", bodies, joints, (constraint,)), lambda rng: _pose(rng))


def _pose(rng: np.random.Generator) -> np.ndarray:
    q = rng.uniform(-1, 1, 21).reshape(3, 7)
    q[:, :4] /= np.linalg.norm(q[:, :4], axis=1)[:, None]
    return q.ravel()


def _bodies(numbers: Numbers, state: State) -> list[Moving]:
    found = numbers("body_poses", state)
    A, r = found["rotations"].reshape(-1, 3, 3), found["positions"].reshape(-1, 3)
    u = state.u.reshape(3, 6)
    return [Moving(A[n], r[n], u[n, :3], u[n, 3:]) for n in range(3)]


def _agree(
    constraint: Constraint, state: State, expected: Rows, scale: float = 1.0, condition: float = 1.0
) -> None:
    """`scale` times the library's equations against the rows by hand."""
    numbers = _numbers(constraint)
    found = numbers("constraint_equations", state)
    G = found["jacobian"].reshape(-1, 18)
    D = np.hstack(expected.D)
    rates = np.abs(state.u).max() ** 2
    assert close(scale * found["residual"], expected.residual, condition)
    assert close(scale * G[:, : D.shape[1]], D, condition)
    assert not G[:, D.shape[1] :].any()
    assert close(-scale * found["bias"], expected.gamma, condition * rates * np.abs(D).max())


def _draw(constraint: Constraint, seed: int) -> tuple[State, list[Moving]]:
    numbers = _numbers(constraint)
    state = numbers.state(np.random.default_rng(seed))
    return state, _bodies(numbers, state)


def _met(constraint: Constraint, seed: int, point_i=P_I, point_j=P_J) -> tuple[State, list[Moving]]:
    """A state in which the two points meet and stay together."""
    state, (i, j, _) = _draw(constraint, seed)
    link = by_hand.Link(i, j, point_i, point_j)
    q, u = state.q.copy(), state.u.copy()
    q[11:14] -= link.d
    u[9:12] -= link.rate
    state = replace(state, q=q, u=u)
    return state, _bodies(_numbers(constraint), state)


@dataclass(frozen=True)
class Scalar:
    """A constraint whose rows are scalar products: they hold by hand at every state."""

    constraint: Constraint
    rows: object
    scale: float = 1.0

    def __str__(self) -> str:
        return type(self.constraint).__name__


SCALARS = [
    Scalar(
        ConstantAngle("c", **PAIR, **AXES, angle=1.1),
        lambda i, j: by_hand.constant_angle(i, j, S_I, S_J, 1.1),
    ),
    Scalar(
        VectorToLink("c", **PAIR, **POINTS, axis_a=S_I, along=0.2),
        lambda i, j: by_hand.vector_to_link(i, j, P_I, P_J, S_I, 0.2),
    ),
    Scalar(
        Distance("c", **PAIR, **POINTS, length=0.4), lambda i, j: by_hand.massless_link(i, j, P_I, P_J, 0.4)
    ),
    Scalar(
        ModifiedUniversal("c", **PAIR, **POINTS, **AXES, length=0.3, angle=1.2, along_a=0.1, along_b=-0.05),
        lambda i, j: by_hand.modified_universal(i, j, (P_I, P_J), (S_I, S_J), 0.3, 1.2, (0.1, -0.05)),
    ),
    Scalar(
        PointOnSurface("c", "i", "j", P_I, RADII, Placement(CENTER)),
        lambda i, j: by_hand.point_on_ellipsoid(i, j, P_I, CENTER, RADII),
        2 / min(RADII),
    ),
]


@pytest.mark.parametrize("case", SCALARS, ids=str)
@few
@given(seed=seeds)
def test_scalar_rows_are_those_of_the_papers(case, seed):
    state, (i, j, _) = _draw(case.constraint, seed)
    _agree(case.constraint, state, case.rows(i, j), case.scale)


@few
@given(seed=seeds)
def test_direction_on_the_other_body_is_the_exchanged_constraint(seed):
    """Row 4 of 004-29 and 32: s_j.d - c is `VectorToLink` from j to i with the other sign."""
    constraint = VectorToLink("c", "j", "i", P_J, P_I, S_J, along=-0.2)
    state, (i, j, _) = _draw(constraint, seed)
    _agree(constraint, state, by_hand.link_to_vector(i, j, P_I, P_J, S_J, 0.2), -1.0)


def _in_axes_of_i(i: Moving, rows: Rows) -> Rows:
    return Rows(i.A.T @ rows.residual, tuple(i.A.T @ D for D in rows.D), i.A.T @ rows.gamma)


@few
@given(seed=seeds)
def test_spherical(seed):
    """Our rows are in axes of i; they differ from the paper's by that turn where the points meet."""
    constraint = Ball("c", "i", "j", P_I, P_J)
    state, (i, j, _) = _met(constraint, seed)
    _agree(constraint, state, _in_axes_of_i(i, by_hand.coincidence(i, j, P_I, P_J)))


@few
@given(seed=seeds)
def test_classical_universal(seed):
    """004-2 to 19, for any angle."""
    constraint = Universal("c", **PAIR, **POINTS, **AXES, angle=1.1)
    state, (i, j, _) = _met(constraint, seed)
    met = _in_axes_of_i(i, by_hand.coincidence(i, j, P_I, P_J))
    _agree(constraint, state, by_hand._stack(met, by_hand.constant_angle(i, j, S_I, S_J, 1.1)))


@few
@given(seed=seeds)
def test_revolute(seed):
    """Coincidence and two normals."""
    constraint = Revolute("c", **PAIR, **POINTS, **AXES)
    state, (i, j, _) = _met(constraint, seed)
    normals = [by_hand.constant_angle(i, j, _matrix(t)[:, 0], S_J, np.pi / 2) for t in perpendiculars(S_I)]
    met = _in_axes_of_i(i, by_hand.coincidence(i, j, P_I, P_J))
    _agree(constraint, state, by_hand._stack(met, *normals))


@few
@given(seed=seeds)
def test_fixed_to_ground(seed):
    """r - r0 and L(p0) p with its gamma (omega.omega) L(p0) p / 4; our angular rows are the double."""
    constraint = Weld("c", "ground", "i", FIXED)
    state, (i, _, _) = _draw(constraint, seed)
    frame = FIXED.transform()
    A0, r0 = _matrix(frame.R), _matrix(frame.p)[:, 0]
    p0, p = (euler_parameters_from_rotation(A) for A in (A0, i.A))
    p = p if p @ p0 > 0 else -p
    L = np.hstack([-p0[1:, None], p0[0] * np.eye(3) - by_hand.tilde(p0[1:])])
    G = np.hstack([-p[1:, None], p[0] * np.eye(3) + by_hand.tilde(p[1:])])
    no = np.zeros((3, 3))
    D = np.vstack([np.hstack([L @ G.T, no]), np.hstack([no, A0.T])])
    gamma = np.concatenate([i.w @ i.w * (L @ p) / 2, np.zeros(3)])
    expected = Rows(np.concatenate([2 * L @ p, A0.T @ (i.r - r0)]), (D,), gamma)
    _agree(constraint, state, expected, condition=(p @ p0) ** -2.0)  # singular at a half turn


@few
@given(seed=seeds)
def test_patella_follows_the_knee(seed):
    """At states where tibia and patella turn about their axes: there the paper's angle is the angle."""
    rng = np.random.default_rng(seed)
    state, (i, j, k) = _draw(PATELLA, seed)
    phi = rng.uniform(-2, 2, 2)
    rates = rng.uniform(-2, 2, 2)
    q, u = state.q.reshape(3, 7).copy(), state.u.reshape(3, 6).copy()
    for body, axis, angle, rate in ((2, S_I, phi[0], rates[0]), (1, S_J, phi[1], rates[1])):
        q[body, :4] = euler_parameters_from_rotation(i.A @ _matrix(rotation_about(axis, angle)))
        u[body, :3] = i.w + i.A @ np.array(axis) * rate
    state = replace(state, q=q.ravel(), u=u.ravel())
    i, j, k = _bodies(_numbers(PATELLA), state)
    angle = _with_slopes(F, phi[1])
    position = tuple(np.array(parts) for parts in zip(*[_with_slopes(h, phi[1]) for h in H], strict=True))
    _agree(PATELLA, state, by_hand.function_of_joint(i, j, k, (S_I, S_J), phi, angle, P_J, position))


def _with_slopes(function: Polynomial, x: float) -> tuple[float, float, float]:
    c = np.polynomial.Polynomial(function.coefficients)
    return c(x), c.deriv()(x), c.deriv(2)(x)


def test_axes_across_are_a_right_handed_basis():
    for axis in (S_I, S_J, (0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.6, 0.8, 0.0)):
        t1, t2 = (_matrix(t)[:, 0] for t in perpendiculars(axis))
        basis = np.column_stack([t1, t2, axis])
        assert np.allclose(basis.T @ basis, np.eye(3), atol=1e-15)
        assert np.linalg.det(basis) > 0
    symbol = ca.SX.sym("u", 3)
    t1, t2 = perpendiculars((symbol[0], symbol[1], symbol[2]))
    R = _matrix(axis_rotation("y", 0.3))
    for axis in R.T:
        found = ca.Function("f", [symbol], [ca.horzcat(t1, t2)])(axis).full()
        basis = np.column_stack([found, axis])
        assert np.allclose(basis.T @ basis, np.eye(3), atol=1e-15)
