"""Couplings that cannot be: one error that names the joint variables."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle import Coordinate, Model
from condyle.couplings import Coupling, Explicit, FiniteDifference, Implicit, Projection
from condyle.errors import InputError, ModelError
from condyle.functions import Expression, Linear, PiecewiseLinear, Scaled, SIMMSpline
from condyle.joints import Ball, Pin

from .cases import body

KINKED = PiecewiseLinear((-1.0, 0.0, 1.0), (0.0, 0.0, 1.0), accept_kinks=True)


def chain(*couplings: Coupling, locked: bool = False) -> Model:
    lock = (Coordinate("angle", 0.1, locked=True),) if locked else ()
    return Model(
        "chain",
        (body("a"), body("b"), body("c")),
        (Pin("p", "ground", "a"), Pin("q", "a", "b"), Pin("r", "b", "c", coordinates=lock)),
        couplings=couplings,
    )


@pytest.mark.parametrize(
    ("couplings", "said"),
    [
        (
            [Explicit("k", "q.angel", ("p.angle",))],
            "unknown joint variable 'q.angel'; did you mean 'q.angle'?",
        ),
        ([Explicit("k", "q.angle", ("q.angle",))], "'q.angle' is coupled to itself"),
        ([Explicit("k", "q.angle", ())], "no independent joint variable is named"),
        ([Explicit("k", "q.angle", ("p.angle", "r.angle"))], "function takes 1 inputs; 2 are named"),
        (
            [Explicit("k", "q.angle", ("r.angle",)), Explicit("l", "r.angle", ("q.angle",))],
            "a cycle: 'q.angle' <- 'r.angle' <- 'q.angle'",
        ),
        (
            [Explicit("k", "q.angle", ("p.angle",)), Explicit("l", "q.angle", ("r.angle",))],
            "'q.angle' already follows from coupling 'k'",
        ),
        (
            [Explicit("k", "q.angle", ("p.angle",), KINKED)],
            "function PiecewiseLinear has 0 continuous derivatives, 2 are needed",
        ),
        (
            [Explicit("k", "q.angle", ("p.angle",), Expression(lambda x: ca.fabs(x) + ca.fmin(x, 1), 1))],
            "function Expression uses fabs, fmin: its slope may jump",
        ),
        (
            [Explicit("k", "q.angle", ("p.angle",), Scaled(Expression(lambda x: ca.floor(x), 1), 2.0))],
            "function Scaled has 0 continuous derivatives, 2 are needed",
        ),
        (
            [Implicit("k", ("q.angle",), ("p.angle",), (Expression(lambda x, s: s + ca.sign(x), 2),))],
            "equations[0]: function Expression uses sign: its slope may jump",
        ),
    ],
)
def test_refused(couplings: list[Coupling], said: str) -> None:
    with pytest.raises(ModelError, match="couplings") as caught:
        chain(*couplings)
    assert said in str(caught.value)


def test_smooth_by_word_of_its_author() -> None:
    """x |x|^3 has three continuous derivatives, though fabs is in it; who says so is believed."""
    formula = Expression(lambda x: x * ca.fabs(x) ** 3, 1, smooth=True)
    assert formula.continuity == 2 and formula.kinks == ("fabs",)
    coupling = Explicit("k", "q.angle", ("p.angle",), formula)
    chain(coupling)
    assert np.allclose(coupling.hessian([[0.0], [-0.5]])[:, 0, 0, 0], [0.0, -3.0])


@pytest.mark.parametrize("kind", [Implicit, Projection, FiniteDifference])
def test_equations_that_contradict_an_explicit_coupling(kind: type) -> None:
    """Whatever the kinds: one joint variable follows from one coupling."""
    loop = kind("loop", ("q.angle",), ("p.angle",), (Expression(lambda x, s: s - x, 2),))
    with pytest.raises(ModelError, match=r"'q.angle' already follows from coupling 'loop'"):
        chain(loop, Explicit("other", "q.angle", ("r.angle",)))


def test_step_of_a_molecule() -> None:
    loop = FiniteDifference("k", ("q.angle",), ("p.angle",), (Expression(lambda x, s: s - x, 2),), step=0.0)
    with pytest.raises(ModelError, match=r"step must be positive, found 0.0"):
        chain(loop)


def test_locked_cannot_depend() -> None:
    with pytest.raises(ModelError, match=r"'r.angle' is locked"):
        chain(Explicit("k", "r.angle", ("p.angle",)), locked=True)


def test_speeds_that_are_no_rates() -> None:
    with pytest.raises(ModelError, match="the speeds of its joint are not coordinate rates"):
        Model(
            "ball",
            (body("a"), body("b")),
            (Ball("ball", "ground", "a", orientation="xyz"), Pin("p", "a", "b")),
            couplings=(Explicit("k", "ball.x", ("p.angle",)),),
        )


def test_treatment_is_known() -> None:
    with pytest.raises(InputError, match="unknown treatment 'multiplier'; did you mean 'multipliers'"):
        cd.compile(chain(), loops="multiplier")


def test_beyond_the_sampled_range() -> None:
    """As for a joint's data: a status in results; an error where the coupling itself is asked."""
    coupling = Explicit("k", "q.angle", ("p.angle",), SIMMSpline((-1.0, 0.0, 1.0), (0.0, 0.1, 0.4)))
    mechanism = cd.compile(chain(coupling))
    q = np.array([[0.5, 0.0], [1.5, 0.0]])
    assert list(mechanism.state_status(q)) == [cd.Status.OK, cd.Status.BAD_INPUT]
    with pytest.raises(InputError, match=r"'p.angle' is 0.5 to 1.5; sampled: -1 to 1"):
        coupling.value(q[:, :1])


def test_nothing_resists() -> None:
    """A massless body on what couplings move is no error, one that nothing resists is."""
    light = cd.Body("light")
    joints = (Pin("p", "ground", "a"), Pin("q", "ground", "light"))
    Model("m", (body("a"), light), joints, couplings=(Explicit("k", "q.angle", ("p.angle",)),))
    turned = Explicit("k", "p.angle", ("q.angle",), Expression(lambda x: 0 * x, 1))
    with pytest.raises(ModelError, match=r"no mass resists a motion of 'q.angle'"):
        cd.compile(Model("m", (body("a"), light), joints, couplings=(turned,)))


def test_gradient_and_hessian_are_batched() -> None:
    coupling = Explicit("k", "q.angle", ("p.angle", "r.angle"), Expression(lambda x, y: ca.sin(x) * y, 2))
    q = np.random.default_rng(0).standard_normal((3, 4, 2))
    x, y = q[..., 0], q[..., 1]
    assert np.allclose(coupling.value(q)[..., 0], np.sin(x) * y, rtol=1e-14)
    assert np.allclose(coupling.gradient(q)[..., 0, :], np.stack([np.cos(x) * y, np.sin(x)], -1), rtol=1e-14)
    H = coupling.hessian(q)[..., 0, :, :]
    assert H.shape == (3, 4, 2, 2)
    assert np.allclose(H[..., 0, 0], -np.sin(x) * y, rtol=1e-13)
    assert np.allclose(H[..., 0, 1], np.cos(x), rtol=1e-13)
    assert np.allclose(H[..., 1, 0], np.cos(x), rtol=1e-13)
    assert not H[..., 1, 1].any()


def test_written_and_read() -> None:
    model = chain(Explicit("k", "q.angle", ("p.angle",), Linear(0.5, 0.1)))
    text = cd.write_yaml(model)
    assert "couplings:" in text
    assert cd.read_yaml(text) == model
    with pytest.raises(ModelError, match="unknown joint variable") as caught:
        cd.read_yaml(text.replace("dependent: q.angle", "dependent: x.angle"))
    assert "unknown joint variable 'x.angle'" in str(caught.value)
