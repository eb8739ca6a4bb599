"""Joint variables that solve equations: values, derivatives, and mechanisms that hold them."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle import Coordinate, Model, Status, compile
from condyle.couplings import Explicit, Implicit
from condyle.errors import InputError, ModelError
from condyle.functions import Expression, Linear
from condyle.joints import Pin

from .cases import body

LENGTHS = (5.0, 2.0, 4.0, 5**0.5)  # ground and bars of the paper's four-bar, table 1


def four_bar(near: tuple[float, ...] = (0.95, -1.9, 1.77)) -> Implicit:
    """The paper's equations 121: angles of three bars from the height q of the second one's centre."""
    l0, l1, l2, l3 = LENGTHS

    def along(q: ca.SX, a: ca.SX, b: ca.SX, c: ca.SX) -> ca.SX:
        return l1 * ca.cos(a) + l2 * ca.cos(a + b) + l3 * ca.cos(a + b + c) - l0

    def up(q: ca.SX, a: ca.SX, b: ca.SX, c: ca.SX) -> ca.SX:
        return l1 * ca.sin(a) + l2 * ca.sin(a + b) + l3 * ca.sin(a + b + c)

    def height(q: ca.SX, a: ca.SX, b: ca.SX, c: ca.SX) -> ca.SX:
        return l1 * ca.sin(a) + l2 / 2 * ca.sin(a + b) - q

    equations = tuple(Expression(formula, 4) for formula in (along, up, height))
    return Implicit("bars", ("one.angle", "two.angle", "three.angle"), ("height.angle",), equations, near)


def test_four_bar_at_rest_height() -> None:
    """Angles and their derivatives at q = 0, from an independent implementation."""
    coupling = four_bar()
    q = np.zeros(1)
    assert np.allclose(coupling.value(q), (0.9539508999976, -1.9079017999952, 1.7716743250656), atol=2e-13)
    slopes = (0.8083413925670, -0.7523260081949, -0.7523260081949)
    assert np.allclose(coupling.gradient(q)[:, 0], slopes, atol=2e-13)
    bends = (0.2905536544388, 0.3358656209211, -0.5864333310651)
    assert np.allclose(coupling.hessian(q)[:, 0, 0], bends, atol=2e-12)


def test_derivatives_are_slopes() -> None:
    """Of many values at once, against differences."""
    coupling = four_bar()
    q = np.linspace(-1.5, 1.5, 7)[:, None]
    guess = coupling.value(q)
    values = [coupling.value(q + h, guess) for h in (-1e-5, 1e-5)]
    assert np.allclose((values[1] - values[0]) / 2e-5, coupling.gradient(q, guess)[..., 0], atol=1e-7)
    slopes = [coupling.gradient(q + h, guess)[..., 0] for h in (-1e-5, 1e-5)]
    assert np.allclose((slopes[1] - slopes[0]) / 2e-5, coupling.hessian(q, guess)[..., 0, 0], rtol=1e-6)


def test_out_of_reach() -> None:
    """Beyond 2.0574 the bars cannot stand."""
    with pytest.raises(InputError, match=r"1 of 2 values of 'one.angle', .*first at height.angle = 2.1"):
        four_bar().value(np.array([[0.0], [2.1]]))


def chain(coupling: Implicit, *more: Explicit) -> Model:
    """A chain of pins whose last three are coupled."""
    names = ("height", "one", "two", "three")
    defaults = dict(zip(names[1:], (0.95, -1.9, 1.77), strict=True))
    joints = tuple(
        Pin(name, parent, name, coordinates=(Coordinate("angle", defaults.get(name, 0.0)),))
        for name, parent in zip(names, ("ground", *names), strict=False)
    )
    return Model("chain", tuple(body(name) for name in names), joints, couplings=(coupling, *more))


def test_default_pose_is_solved() -> None:
    mechanism = compile(chain(four_bar()))
    assert mechanism.coordinates == ("height.angle",)
    exact = (0.0, 0.9539508999976, -1.9079017999952, 1.7716743250656)
    assert np.allclose(mechanism.joint_values(np.zeros(1)), exact, atol=2e-13)


def test_same_branch_far_away_and_infeasible_beyond() -> None:
    """Values follow the default's branch, whatever lies beside them in the batch; beyond reach they are
    NaN.
    """
    mechanism = compile(chain(four_bar()))
    q = np.concatenate([np.linspace(-2.05, 2.05, 21), [2.06, np.nan]])[:, None]
    found = mechanism.close(q)
    assert list(found.status[-2:]) == [Status.SINGULAR, Status.BAD_INPUT]
    assert (found.status[:-2] == Status.OK).all()
    assert list(mechanism.state_status(q[-3:])) == [Status.OK, Status.INFEASIBLE, Status.BAD_INPUT]
    assert np.isnan(found.joint_values[-2, 1:]).all()
    middle = np.flatnonzero(np.abs(q[:, 0]) < 1e-12)[0]
    assert found.iterations[middle] <= 4
    for k in (0, 7, 20):
        alone = mechanism.close(q[k])
        assert np.array_equal(alone.joint_values, found.joint_values[k])
        assert alone.iterations == found.iterations[k]
    # The arc of the paper's reference; the mirrored one has the other signs.
    exact = (2.0, np.pi / 2, -np.pi / 2, -1.1071487178)
    assert np.allclose(mechanism.joint_values([2.0]), exact, atol=1e-9)


def test_refused() -> None:
    """Every fault by itself, with the names of joint variables."""
    one = Expression(lambda x, s, t: s - x, 3)
    cases = {
        "1 equations for 2 dependent joint variables": (one,),
        r"equations\[1\] takes 2 inputs; 3 are needed: height.angle, one.angle, two.angle": (
            one,
            Expression(lambda x, s: s, 2),
        ),
        "no equation contains 'two.angle'": (one, Expression(lambda x, s, t: s * s - x, 3)),
    }
    for said, equations in cases.items():
        with pytest.raises(ModelError, match=said):
            chain(Implicit("k", ("one.angle", "two.angle"), ("height.angle",), equations))


def test_no_default_pose() -> None:
    nowhere = Expression(lambda x, s: s * s + x * x + 1, 2)
    model = chain(Implicit("k", ("one.angle",), ("height.angle",), (nowhere,)))
    with pytest.raises(ModelError, match=r"couplings.k: no values of 'one.angle' near their defaults"):
        compile(model)


def test_cycle_through_an_implicit_coupling() -> None:
    implicit = Implicit("k", ("one.angle",), ("two.angle",), (Expression(lambda x, s: s - x, 2),))
    with pytest.raises(ModelError, match=r"a cycle: 'one.angle' <- 'two.angle' <- 'one.angle'"):
        chain(implicit, Explicit("l", "two.angle", ("one.angle",), Linear(0.3)))
