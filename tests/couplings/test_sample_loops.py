"""Closed loops as fitted functions: the same motion without anything to solve."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import condyle as cd
from condyle.couplings import Explicit
from condyle.errors import InputError
from condyle.functions import Linear
from condyle.joints import Coordinate, Pin
from condyle.library.four_bars import four_bars

from .cases import body, crank, spatial


def two_loops() -> cd.Model:
    """Two four-bars of their own on one ground, and a pendulum; a coupling reads what a loop determines."""
    loop = four_bars(1, 0.3)
    names = {item.name: f"{item.name}_b" for item in loop.bodies}

    def renamed(joint):
        parent = names.get(joint.parent, joint.parent)
        return replace(joint, name=f"{joint.name}_b", parent=parent, child=names[joint.child])

    other = tuple(renamed(joint) for joint in loop.joints)
    follower = Pin("follower", "ground", "follower")
    return cd.Model(
        "two",
        (*loop.bodies, *(replace(item, name=names[item.name]) for item in loop.bodies), body("follower")),
        (*loop.joints, *other, follower),
        couplings=(Explicit("after", "follower.angle", ("upright_1.angle",), Linear(0.5)),),
        loops=(*loop.loops, *(renamed(joint) for joint in loop.loops)),
        gravity=loop.gravity,
    )


def test_loops_of_their_own_have_fits_of_their_own():
    """Each reads the one coordinate that moves it; accelerations are those of the solved loops."""
    solved = cd.compile(two_loops(), independent=("upright_0.angle", "upright_0_b.angle"))
    box = {"upright_0.angle": (-0.8, 0.2), "upright_0_b.angle": (-0.7, 0.1)}
    model = cd.sample_loops(solved, "chebyshev", box, tolerance=(1e-10, 1e-9, 1e-8))
    assert [len(item.independents) for item in model.couplings] == [1, 1, 1]
    assert not model.loops
    fitted = cd.compile(model)
    assert fitted.coordinates == solved.coordinates
    rng = np.random.default_rng(0)
    q, u, tau = np.array([-0.3, -0.3]) + rng.uniform(-0.3, 0.3, (5, 2)), *rng.normal(size=(2, 5, 2))
    assert np.allclose(fitted.joint_values(q), solved.joint_values(q), atol=1e-9)
    found, wanted = (item.forward_dynamics(q, u, tau) for item in (fitted, solved))
    assert np.allclose(found, wanted, rtol=1e-7, atol=1e-7)


def test_a_floating_base_moves_no_loop():
    """Its coordinates need no interval; leaving the box is said."""
    solved = cd.compile(crank(), independent=_all_but(crank(), "rod.angle", "piston.displacement"))
    model = cd.sample_loops(solved, "cubic", {"crank.angle": (0.3, 1.1)}, tolerance=(1e-5, 1e-3, 0.1))
    fitted = cd.compile(model)
    assert fitted.coordinates == solved.coordinates
    q, _ = solved.default_state()
    u, tau = np.random.default_rng(1).normal(size=(2, len(solved.speeds)))
    found, wanted = (item.forward_dynamics(q, u, tau) for item in (fitted, solved))
    assert np.abs(found - wanted).max() < 1e-2 * np.abs(wanted).max()
    beyond = q.copy()
    beyond[list(fitted.coordinates).index("crank.angle")] = 1.2
    assert list(fitted.state_status(np.array([q, beyond]))) == [cd.Status.OK, cd.Status.BAD_INPUT]


def _all_but(model: cd.Model, *dependent: str) -> tuple[str, ...]:
    names = cd.compile(model, loops="multipliers").coordinates
    followed = {name for item in model.couplings for name in item.dependents}
    return tuple(name for name in names if name not in dependent and name not in followed)


def test_derivatives_of_a_loop_in_two_coordinates():
    """A five-bar: its fitted gradients and Hessians against those of the paper's equations."""
    from condyle.couplings import Implicit
    from condyle.studies import five_bar
    from condyle.studies.loop_equations import FIVE_BAR, FIVE_BAR_ANGLES, five_bar_chain, five_bar_equations

    chain = five_bar_chain((*five_bar.POSE, *five_bar.NEAR))
    last = Pin("close", "body_4", "ground", cd.Placement((FIVE_BAR["l4"], 0, 0)), cd.Placement((3, 0, 0)))
    solved = cd.compile(replace(chain, loops=(last,)), independent=FIVE_BAR_ANGLES[:2])
    box = dict(zip(FIVE_BAR_ANGLES[:2], ((0.8, 1.3), (0.2, 0.9)), strict=True))
    model = cd.sample_loops(solved, "chebyshev", box, tolerance=(1e-8, 1e-6, 1e-4))
    (fit,) = model.couplings
    exact = Implicit("loop", FIVE_BAR_ANGLES[2:], FIVE_BAR_ANGLES[:2], five_bar_equations(), five_bar.NEAR)
    q = np.random.default_rng(0).uniform((0.8, 0.2), (1.3, 0.9), (20, 2))
    order = [fit.dependents.index(name) for name in exact.dependents]
    assert np.allclose(fit.value(q)[:, order], exact.value(q), atol=2e-8)
    assert np.allclose(fit.hessian(q)[:, order], exact.hessian(q), atol=2e-4)
    assert np.allclose(solved.coupling_matrix(q)[:, 2:], exact.gradient(q), rtol=1e-12, atol=1e-13)
    assert np.allclose(solved.coupling_hessian(q)[:, 2:], exact.hessian(q), rtol=1e-11, atol=1e-12)
    assert not solved.coupling_hessian(q)[:, :2].any()


@pytest.mark.parametrize(
    ("box", "said"),
    [
        ({}, "no interval of 'upright_0.angle'"),
        ({"upright_0.angle": (-0.5, 0.0), "upright.angle": (0, 1)}, "'upright.angle' moves no loop; did you"),
    ],
)
def test_box_names_what_moves_loops(box, said):
    solved = cd.compile(four_bars(1, 0.3), independent=("upright_0.angle",))
    with pytest.raises(InputError) as caught:
        cd.sample_loops(solved, "cubic", box, tolerance=(1.0, 1.0, 1.0))
    assert said in str(caught.value)


def test_what_cannot_be_sampled():
    free = cd.Model("free", (body("a"),), (Pin("p", "ground", "a", coordinates=(Coordinate("angle", 0.1),)),))
    with pytest.raises(InputError, match="model 'free' has no closed loops"):
        cd.sample_loops(cd.compile(free), "cubic", {}, tolerance=(1.0, 1.0, 1.0))
    with pytest.raises(InputError, match="speeds are not their rates"):
        cd.sample_loops(cd.compile(spatial()), "cubic", {}, tolerance=(1.0, 1.0, 1.0))
