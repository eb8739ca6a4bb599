"""Poses and rigid-body inertia in other frames."""

from __future__ import annotations

import casadi as ca
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from condyle.spatial import Placement, RigidInertia, Transform

seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=50, deadline=None)


def number(expression: ca.SX) -> np.ndarray:
    return np.array(ca.DM(ca.evalf(expression)).full())


def random_transform(rng: np.random.Generator) -> Transform:
    return Placement.from_matrix(
        Rotation.random(random_state=rng).as_matrix(), rng.normal(size=3)
    ).transform()


def homogeneous(X: Transform) -> np.ndarray:
    return np.vstack([np.hstack([number(X.R), number(X.p)]), [0, 0, 0, 1]])


@quick
@given(seed=seeds)
def test_transforms_compose_as_homogeneous_matrices(seed):
    """X_AC = X_AB X_BC, the inverse undoes, points follow."""
    rng = np.random.default_rng(seed)
    A, B = random_transform(rng), random_transform(rng)
    assert np.abs(homogeneous(A @ B) - homogeneous(A) @ homogeneous(B)).max() < 1e-14
    assert np.abs(homogeneous(A.inverse()) - np.linalg.inv(homogeneous(A))).max() < 1e-14
    r = rng.normal(size=3)
    assert np.abs(number(A.point(ca.SX(r)))[:, 0] - (homogeneous(A) @ [*r, 1])[:3]).max() < 1e-14


def test_identity_is_recognised():
    """Only the constant identity counts as one."""
    assert Transform.identity().is_identity_rotation()
    assert not Placement(angles=(0.1, 0.0, 0.0)).transform().is_identity_rotation()
    assert not Transform(ca.SX.sym("R", ca.Sparsity.diag(3)), ca.SX(3, 1)).is_identity_rotation()


@quick
@given(seed=seeds)
def test_inertia_equals_that_of_point_masses(seed):
    """Mass, first moment and inertia of a cloud of particles follow it into another frame."""
    rng = np.random.default_rng(seed)
    masses, points = rng.uniform(0.1, 1, 6), rng.normal(size=(6, 3))

    def about(positions: np.ndarray) -> np.ndarray:
        return sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, positions, strict=True))

    center = masses @ points / masses.sum()
    central = about(points - center)
    entries = [central[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    inertia = RigidInertia.of(masses.sum(), tuple(center), tuple(entries))
    assert np.abs(number(inertia.about_origin) - about(points)).max() < 1e-12
    X_BA = random_transform(rng)
    seen = inertia.seen_from(X_BA)
    moved = points @ number(X_BA.R).T + number(X_BA.p)[:, 0]
    assert abs(number(seen.mass)[0, 0] - masses.sum()) < 1e-15
    assert np.abs(number(seen.moment)[:, 0] - masses @ moved).max() < 1e-13
    assert np.abs(number(seen.about_origin) - about(moved)).max() < 1e-12
    assert np.abs(number(seen.central) - number(X_BA.R) @ central @ number(X_BA.R).T).max() < 1e-12


def test_massless_bodies():
    """Only a constant zero mass with zero inertia is massless; a promoted mass is not."""
    nothing = (0.0,) * 6
    assert RigidInertia.of(0.0, (0.0, 0.0, 0.0), nothing).is_massless()
    assert not RigidInertia.of(0.0, (0.0, 0.0, 0.0), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)).is_massless()
    assert not RigidInertia.of(1.0, (0.0, 0.0, 0.0), nothing).is_massless()
    assert not RigidInertia.of(ca.SX.sym("m"), (0.0, 0.0, 0.0), nothing).is_massless()


def test_diagonal_central_inertia_stays_sparse():
    """Principal axes parallel to the frame's leave three entries, however far the frame's origin is."""
    inertia = RigidInertia.of(2.0, (0.1, -0.2, 0.3), (0.02, 0.015, 0.01, 0.0, 0.0, 0.0))
    assert inertia.seen_from(Placement((0.4, 0.5, -0.6)).transform()).central.nnz() == 3
