"""R S R' and R C R' for rotations of any structure: the products, in fewer operations about an axis."""

from __future__ import annotations

from itertools import permutations, product

import casadi as ca
import numpy as np
import pytest

from condyle.dynamics.symmetric import congruence, is_sphere, similarity
from condyle.spatial import AXES, axis_rotation, rotation_sequence

ANGLE = ca.SX.sym("angle", 3)
SYMMETRIC = ca.SX.sym("s", 6)
GENERAL = ca.SX.sym("c", 3, 3)
QUARTER_TURNS = [
    np.eye(3)[list(order)] * np.array(signs)[:, None]
    for order in permutations(range(3))
    for signs in product((1.0, -1.0), repeat=3)
    if np.linalg.det(np.eye(3)[list(order)] * np.array(signs)[:, None]) > 0
]


def rotations() -> list[ca.SX]:
    """About each axis, before and after every turn that maps axes to axes; and one without structure."""
    plane = [axis_rotation(axis, ANGLE[0]) for axis in AXES]
    constant = [ca.sparsify(ca.SX(ca.DM(turn))) for turn in QUARTER_TURNS]
    turned = [ca.mtimes(turn, R) for turn in constant for R in plane]
    return [
        *turned,
        *[ca.mtimes(R, turn) for turn in constant for R in plane],
        rotation_sequence("xyz", ANGLE),
    ]


def full(S: ca.SX) -> ca.SX:
    """The symmetric matrix of six entries."""
    a, b, c, d, e, f = ca.vertsplit(S)
    return ca.blockcat([[a, d, e], [d, b, f], [e, f, c]])


def test_equal_to_the_products():
    """Random numbers, every structure."""
    rng = np.random.default_rng(0)
    S, C, angles = rng.normal(size=6), rng.normal(size=(3, 3)), rng.uniform(-3, 3, 3)
    found = [e for R in rotations() for e in (R, congruence(R, full(SYMMETRIC)), similarity(R, GENERAL))]
    values = [np.array(v) for v in ca.Function("f", [ANGLE, SYMMETRIC, GENERAL], found).call([angles, S, C])]
    matrix = np.array(ca.DM(ca.evalf(ca.substitute(full(SYMMETRIC), SYMMETRIC, ca.DM(S)))))
    assert len(values) == 3 * (2 * 24 * 3 + 1)
    for R, symmetric, general in zip(values[::3], values[1::3], values[2::3], strict=True):
        np.testing.assert_allclose(symmetric, R @ matrix @ R.T, atol=2e-15)
        np.testing.assert_allclose(general, R @ C @ R.T, atol=3e-15)


@pytest.mark.parametrize(
    ("turn", "matrix", "most"), [(congruence, full(SYMMETRIC), 17), (similarity, GENERAL, 25)]
)
def test_fewer_operations_about_an_axis(turn, matrix, most):
    """Additions, subtractions and products: plain products take 27 and 36."""
    symbols = [ANGLE, SYMMETRIC, GENERAL]
    for axis in AXES:
        function = ca.Function("f", symbols, [turn(axis_rotation(axis, ANGLE[0]), matrix)])
        kinds = [function.instruction_id(k) for k in range(function.n_instructions())]
        counted = {ca.OP_ADD, ca.OP_SUB, ca.OP_MUL, ca.OP_TWICE}
        assert sum(kind in counted for kind in kinds) <= most


def test_a_sphere_stays_what_it_is():
    """A constant multiple of the identity, and nothing else, is returned as it came."""
    R = rotation_sequence("xyz", ANGLE)
    sphere = ca.sparsify(0.3 * ca.SX.eye(3))
    assert congruence(R, sphere) is sphere
    for other in (ca.diag(ca.SX([0.3, 0.3, 0.2])), ca.SX(ca.DM.ones(3, 3)), SYMMETRIC[0] * ca.SX.eye(3)):
        assert not is_sphere(other)
