"""The toolbox of Euler parameters: expressions and arrays agree, angles, least rotation, signs of data."""

from __future__ import annotations

from functools import partial

import casadi as ca
import numpy as np
import pytest

from condyle.spatial import euler, euler_parameters_from_rotation, rotation_sequence
from condyle.spatial.euler.transformation import E, K
from condyle.spatial.euler.transformation import L as doubled_L

RNG = np.random.default_rng(7)


def unit(*shape: int) -> np.ndarray:
    p = RNG.normal(size=(*shape, 4))
    return p / np.linalg.norm(p, axis=-1, keepdims=True)


SIZES = {
    "G": (4,), "L": (4,), "L_star": (4,), "R_star": (4,), "bar": (3,), "plus": (3,), "tilde": (3,),
    "orientation": (4,), "orientation_of_axis": (4,), "orientation_rate": (4, 4), "point_matrix": (4, 3),
    "point_acceleration": (4, 4, 4, 3), "centripetal": (4, 4, 3), "angular_velocity": (4, 4),
    "angular_velocity_in_body": (4, 4), "angular_acceleration": (4, 4),
    "angular_acceleration_in_body": (4, 4),
    "rate": (4, 3), "rate_from_body": (4, 3), "second_rate": (4, 3, 3), "second_rate_from_body": (4, 3, 3),
    "conjugate": (4,), "product": (4, 4), "relative": (4, 4), "relative_rate": (4, 4, 4, 4),
    "parameter_force": (4, 3), "parameter_force_from_body": (4, 3), "torque": (4, 4),
    "torque_in_body": (4, 4),
}  # fmt: skip
ROWS = {
    "rows_in_body_axes": ((2, 3), (4,)), "rows_in_ground_axes": ((2, 3), (4,)),
    "parameter_rows": ((2, 3), (4,), (2,)), "angular_rows": ((2, 4), (4,)),
    "along_parameters": ((2, 4), (4,)),
    "parameter_bias": ((2,), (4,), (2,)), "angular_bias": ((2,), (4,), (2,)),
}  # fmt: skip
SHAPES = {name: tuple((n,) for n in sizes) for name, sizes in SIZES.items()} | ROWS
FUNCTIONS = [(name, getattr(euler, name), shapes) for name, shapes in SHAPES.items()]
FUNCTIONS += [("E", E, ((4,),)), ("doubled_L", doubled_L, ((4,),)), ("K", K, ((4,), (4,), (3, 3)))]
FUNCTIONS += [
    (f"{name}-{sequence}", partial(getattr(euler, name), sequence), ((4 if "from_p" in name else 3,),))
    for name in ("parameters_from_sequence", "rate_matrix", "regularity", "sequence_from_parameters")
    for sequence in euler.SEQUENCES
]
NUMERIC_ONLY = {"with_continuous_sign", "dependent_parameter", "SEQUENCES"}


def by_casadi(function, arguments: list[np.ndarray]) -> np.ndarray:
    symbols = [ca.SX.sym("x", *array.shape) for array in arguments]
    graph = ca.Function("f", symbols, [ca.densify(ca.SX(function(*symbols)))])
    return graph(*[ca.DM(array) for array in arguments]).full()


@pytest.mark.parametrize(("name", "function", "shapes"), FUNCTIONS, ids=[name for name, *_ in FUNCTIONS])
def test_expressions_and_arrays_agree(name, function, shapes):
    """One definition for both; arrays with two leading axes give the same as each member alone."""
    arguments = [RNG.normal(size=(2, 5, *shape)) for shape in shapes]
    found = np.asarray(function(*arguments))
    for member in np.ndindex(2, 5):
        alone = np.asarray(function(*[argument[member] for argument in arguments]))
        assert np.allclose(found[member], alone, rtol=1e-14, atol=1e-14)
    symbolic = by_casadi(function, [argument[0, 0] for argument in arguments])
    assert np.allclose(symbolic.reshape(np.shape(found[0, 0])), found[0, 0], rtol=1e-13, atol=1e-13)


def test_every_function_is_tested():
    covered = {name.partition("-")[0] for name, *_ in FUNCTIONS} | NUMERIC_ONLY
    assert set(euler.__all__) - covered == {
        "least_rotation",  # below
        "relative_second_rate",
        "Normality",  # with Kane's equations
    }


def test_second_rate_of_a_relative_orientation_is_symbolic_too():
    """It takes pairs: the list above passes single arrays."""
    arguments = [RNG.normal(size=4) for _ in range(6)]

    def paired(*x):
        return euler.relative_second_rate((x[0], x[1]), (x[2], x[3]), (x[4], x[5]))

    assert np.allclose(by_casadi(paired, arguments)[:, 0], paired(*arguments), rtol=1e-13)


def test_power_of_a_torque_is_that_of_its_force_on_the_parameters():
    p, n = unit(20), RNG.normal(size=(20, 3))
    pdot = euler.rate(p, omega := RNG.normal(size=(20, 3)))
    power = (n * omega).sum(axis=1)
    Q = euler.parameter_force(p, n)
    assert np.allclose((Q * pdot).sum(axis=1), power, rtol=1e-13)
    assert np.allclose(euler.torque(p, Q + 3.0 * p), n, atol=1e-13)
    A = euler.orientation(p)
    body = np.einsum("nji,nj->ni", A, n)
    assert np.allclose(euler.parameter_force_from_body(p, body), Q, atol=1e-13)
    assert np.allclose(euler.torque_in_body(p, Q), body, atol=1e-13)


def test_points_move_as_differentiated():
    """B pdot and B pddot + 2 Gdot s'bar pdot are derivatives of A(p) s' along a curve; and h."""
    p, pdot = ca.SX.sym("p", 4), ca.SX.sym("pdot", 4)
    pddot, s = ca.SX.sym("pddot", 4), ca.SX.sym("s", 3)
    x = ca.mtimes(euler.orientation(p), s)
    velocity = ca.jtimes(x, p, pdot)
    acceleration = ca.jtimes(velocity, ca.vertcat(p, pdot), ca.vertcat(pdot, pddot))
    found = [velocity, acceleration]
    given = [ca.mtimes(euler.point_matrix(p, s), pdot), euler.point_acceleration(p, pdot, pddot, s)]
    numbers = [RNG.normal(size=n) for n in (4, 4, 4, 3)]
    f = ca.Function("f", [p, pdot, pddot, s], [found[0] - given[0], found[1] - given[1]])
    assert max(float(ca.norm_inf(value)) for value in f(*numbers)) < 1e-12
    e = unit()
    rate = euler.rate(e, omega := RNG.normal(size=3))
    along = euler.orientation(e) @ numbers[3]
    assert np.allclose(
        euler.centripetal(e, rate, numbers[3]), np.cross(omega, np.cross(omega, along)), atol=1e-13
    )


@pytest.mark.parametrize("sequence", euler.SEQUENCES)
def test_sequences_there_and_back(sequence):
    angles = RNG.uniform(-1, 1, (200, 3)) * (3.1, 1.55, 3.1)
    if sequence[0] == sequence[2]:
        angles[:, 1] = 1.57 + angles[:, 1]
    p = euler.parameters_from_sequence(sequence, angles)
    assert np.allclose(
        np.asarray(ca.DM(rotation_sequence(sequence, angles[3]))), euler.orientation(p[3]), atol=1e-15
    )
    away = 1 / np.abs(euler.regularity(sequence, angles)).min()
    for side in (p, -p):
        found = euler.sequence_from_parameters(sequence, side)
        assert np.abs(found - angles).max() < 1e-14 * away
    W = euler.rate_matrix(sequence, angles)
    assert np.allclose(np.abs(np.linalg.det(W)), np.abs(euler.regularity(sequence, angles)), atol=1e-15)
    step = 1e-6 * RNG.normal(size=(200, 3))
    turned = euler.parameters_from_sequence(sequence, angles + step)
    slope = (turned - euler.parameters_from_sequence(sequence, angles - step)) / 2
    assert np.allclose(euler.angular_velocity(p, slope), np.einsum("nij,nj->ni", W, step), atol=1e-15)


@pytest.mark.parametrize("sequence", euler.SEQUENCES)
@pytest.mark.parametrize("end", [0, 1])
def test_sequences_fail_where_their_outer_axes_are_parallel(sequence, end):
    """The rate matrix has rank two there; the orientation comes back all the same, its last angle zero."""
    middle = (0.0, np.pi)[end] if sequence[0] == sequence[2] else (-np.pi / 2, np.pi / 2)[end]
    angles = np.array([0.7, middle, 0.4])
    assert abs(euler.regularity(sequence, angles)) < 1e-15
    assert np.linalg.svd(euler.rate_matrix(sequence, angles), compute_uv=False)[2] < 1e-15
    p = euler.parameters_from_sequence(sequence, angles)
    back = euler.sequence_from_parameters(sequence, p)
    assert back[2] == 0.0
    again = euler.parameters_from_sequence(sequence, back)
    assert np.allclose(euler.orientation(again), euler.orientation(p), atol=1e-8)


@pytest.mark.parametrize("sequence", euler.SEQUENCES)
def test_expressions_of_angles_hold_where_axes_are_parallel(sequence):
    """The same selects as in numbers: the last angle is zero there, nothing is divided by it."""
    angles = np.array([0.7, 0.0 if sequence[0] == sequence[2] else np.pi / 2, 0.4])
    p = euler.parameters_from_sequence(sequence, angles)
    found = by_casadi(partial(euler.sequence_from_parameters, sequence), [p])[:, 0]
    assert np.allclose(found, euler.sequence_from_parameters(sequence, p), atol=1e-15)


def test_matrices_are_what_section_two_says():
    """G G' = L L' = 1, G'G = L'L = 1 - p p', G p = L p = 0; A, Adot and s~ by them."""
    p = unit(30)
    pdot = euler.rate(p, omega := RNG.normal(size=(30, 3)))
    s, eye = RNG.normal(size=(30, 3)), np.eye(3)
    A = euler.orientation(p)
    across = np.eye(4) - p[:, :, None] * p[:, None, :]
    for name in ("G", "L"):
        m = getattr(euler, name)(p)
        assert np.allclose(m @ np.swapaxes(m, 1, 2), eye, atol=1e-14)
        assert np.allclose(np.swapaxes(m, 1, 2) @ m, across, atol=1e-14)
        assert np.abs(np.einsum("nij,nj->ni", m, p)).max() < 1e-15
    G, L = euler.G(p), euler.L(p)
    transposed = np.swapaxes(L, 1, 2)
    assert np.allclose(G @ euler.bar(s) @ transposed, -A @ euler.tilde(s), atol=1e-14)
    assert np.allclose(euler.orientation_rate(p, pdot), euler.tilde(omega) @ A, atol=1e-14)
    assert np.allclose(2 * G @ np.swapaxes(euler.L(pdot), 1, 2), euler.tilde(omega) @ A, atol=1e-14)
    for matrix in (euler.L_star(p), euler.R_star(p), E(p)):
        assert np.allclose(matrix @ np.swapaxes(matrix, 1, 2), np.eye(4), atol=1e-14)


def test_unknown_sequence():
    with pytest.raises(ValueError, match="xxy"):
        euler.parameters_from_sequence("xxy", np.zeros(3))


def test_least_rotation():
    """It takes a to b, its angle is that between them, its axis is across both; opposite directions too."""
    a, b = RNG.normal(size=(2, 50, 3))
    a, b = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (a, b))
    b[:3], b[3] = -a[:3], a[3]
    p = euler.least_rotation(a, b)
    assert np.allclose(np.linalg.norm(p, axis=1), 1, atol=1e-15)
    assert np.allclose(np.einsum("nij,nj->ni", euler.orientation(p), a), b, atol=1e-14)
    assert np.allclose(2 * p[:, 0] ** 2 - 1, (a * b).sum(axis=1), atol=1e-14)
    assert np.abs((p[:, 1:] * a).sum(axis=1)).max() < 1e-15
    assert np.allclose(by_casadi(euler.least_rotation, [a[9], b[9]])[:, 0], p[9], atol=1e-15)


def test_signs_of_data_become_continuous():
    """Random signs are undone, gaps passed over, the first frame kept; so is the data's derivative."""
    time = np.linspace(0, 1, 200)
    angle = 9.0 * time
    p = np.stack([np.cos(angle / 2), 0 * angle, 0.6 * np.sin(angle / 2), 0.8 * np.sin(angle / 2)], axis=-1)
    p = np.stack([p, -p])
    mixed = p * RNG.choice([-1.0, 1.0], (2, 200, 1))
    mixed[:, 40:43] = np.nan
    mixed[:, 0] = p[:, 0]
    found = euler.with_continuous_sign(mixed)
    known = np.isfinite(mixed).all(axis=-1)
    assert np.array_equal(found[known], p[known])
    assert np.array_equal(np.isnan(found), np.isnan(mixed))
    already = euler_parameters_from_rotation(euler.orientation(p))
    assert (already[..., 0] >= 0).all()
    assert (
        np.abs(np.diff(already, axis=1)).max()
        > 0.5
        > np.abs(np.diff(euler.with_continuous_sign(already), axis=1)).max()
    )


def test_parameters_of_many_rotations():
    """All four branches, half turns included."""
    p = np.concatenate([unit(50), np.eye(4), np.array([[0.0, 0.6, -0.8, 0.0], [1e-9, 1.0, 0.0, 0.0]])])
    found = euler_parameters_from_rotation(euler.orientation(p).reshape(2, 28, 3, 3)).reshape(56, 4)
    same = np.abs((found * p).sum(axis=1))
    assert (found[:, 0] >= 0).all()
    assert np.abs(same - 1).max() < 1e-15
    assert np.abs(found[:, 0] - np.abs(p[:, 0])).max() < 1e-15
