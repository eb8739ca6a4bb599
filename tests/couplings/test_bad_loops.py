"""Loops that cannot be: typed errors that name the loops and the coordinates."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest

from condyle import Body, Coordinate, Model, Placement, Status, compile
from condyle.analyses import simulate
from condyle.couplings import Explicit
from condyle.errors import InputError, ModelError
from condyle.functions import Linear
from condyle.joints import Ball, Custom, Gimbal, Pin, Slider
from condyle.library import four_bars

from .test_switching import angles, crank_rocker


def chain(*loops: Pin | Ball | Custom, locked: bool = False, **parts: object) -> Model:
    """Three bars of length 1, one on the other, about z."""
    bars = tuple(Body(name, 1.0, (0.5, 0.0, 0.0), (0.1, 0.1, 0.1, 0, 0, 0)) for name in "abc")
    defaults = {"p": 2.0, "q": -1.0, "r": -1.0}
    joints = tuple(
        Pin(
            name,
            parent,
            child,
            Placement((0.0 if parent == "ground" else 1.0, 0.0, 0.0)),
            coordinates=(Coordinate("angle", defaults[name], locked=locked and name != "p"),),
        )
        for name, parent, child in (("p", "ground", "a"), ("q", "a", "b"), ("r", "b", "c"))
    )
    return Model("chain", bars, joints, loops=loops, **parts)  # type: ignore[arg-type]


def closed_at(x: float) -> Pin:
    """The end of the chain pinned to ground, x in front of its beginning."""
    return Pin("end", "c", "ground", Placement((1.0, 0.0, 0.0)), Placement((x, 0.0, 0.0)))


def test_open_loop_is_closed_from_the_defaults() -> None:
    """Defaults need not be assembled; what is independent may be told to stay."""
    free = compile(chain(closed_at(1.3)))
    assert len(free.coordinates) == 1
    held = compile(chain(closed_at(1.3)), independent=("p.angle",))
    assert held.default_state()[0] == pytest.approx(2.0, abs=1e-15)
    for mechanism in (free, held):
        s = mechanism.assembly.pose
        headings = np.cumsum(s)
        assert np.cos(headings).sum() == pytest.approx(1.3, abs=1e-12)
        assert np.sin(headings).sum() == pytest.approx(0.0, abs=1e-12)


def test_loop_that_cannot_close() -> None:
    """Three metres of bars do not reach four; what may move is named."""
    with pytest.raises(ModelError, match=r"loops.end: the loop cannot close from the default pose") as caught:
        compile(chain(closed_at(4.0)))
    text = str(caught.value)
    assert "is left, whatever 'p.angle', 'q.angle', 'r.angle' do" in text
    with pytest.raises(ModelError, match=r"whatever 'q.angle', 'r.angle' do while 'p.angle' stay"):
        compile(chain(closed_at(2.9)), independent=("p.angle",))


def test_independent_set_is_checked() -> None:
    model = chain(closed_at(1.3))
    cases = {
        ("p.angel",): "unknown joint variable 'p.angel'; did you mean 'p.angle'",
        ("p.angle", "p.angle"): "'p.angle' is named twice",
        (
            "p.angle",
            "q.angle",
        ): r"has 1 degrees of freedom: 3 speeds less 2 .* with 2 speeds .*p.angle, q.angle",
        (): r"with 0 speeds were found: none",
    }
    for given, said in cases.items():
        with pytest.raises(InputError, match=said):
            compile(model, independent=given)


def test_independent_coordinates_are_of_embedded_loops() -> None:
    """A plain string is one name."""
    model = chain(closed_at(1.3))
    assert compile(model, independent="p.angle").coordinates == ("p.angle",)
    with pytest.raises(
        InputError, match=r"with loops='multipliers' all joint variables are; loops='embed' has"
    ):
        compile(model, independent=["p.angle"], loops="multipliers")
    with pytest.raises(InputError, match=r"with formulation='absolute' all joint variables are"):
        compile(model, independent=["p.angle"], formulation="absolute")


def test_singular_independent_set() -> None:
    """Where crank and rod are in line, the rocker's angle determines nothing."""
    reach, crank, rocker = 4.5, 1.0, 3.0
    at = np.arccos((4.0**2 + reach**2 - rocker**2) / (2 * 4.0 * reach))
    model = crank_rocker(float(at))
    assert abs(angles(float(at))[1]) < 1e-7
    assert crank < reach
    with pytest.raises(
        InputError, match=r"'rocker.angle' do not determine the loops in the default pose"
    ) as caught:
        compile(model, independent=("rocker.angle",))
    assert "'crank.angle', 'rod.angle' can move although they stand still" in str(caught.value)
    assert compile(model).coordinates != ("rocker.angle",)


def test_singular_mechanism_is_said() -> None:
    """Four-bars folded flat: two motions meet, and acceleration is not determined."""
    with pytest.warns(UserWarning, match=r"the loops are singular in the default pose \(rank 1, 2 nearby\)"):
        mechanism = compile(four_bars(1, np.pi / 2))
    assert mechanism.state_status(mechanism.default_state()[0]) == Status.SINGULAR
    choice = mechanism.assembly.choice
    assert choice is not None
    assert (choice.rank, choice.default_rank) == (2, 1)


def test_whole_joints() -> None:
    """The three speeds of a ball are no rates of coordinates: such joints depend or not as a whole."""
    bodies = tuple(Body(name, 1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0)) for name in "abc")

    def ring(kind: type[Ball] | type[Gimbal]) -> Model:
        joints = (
            Pin("in", "ground", "a"),
            kind("ball", "a", "b", Placement((0.3, 0.0, 0.0))),
            Pin("out", "ground", "c", Placement((1.0, 0.0, 0.2)), axis=(0.0, 1.0, 0.0)),
        )
        loop = Ball("loop", "b", "c", Placement((0.7, 0.0, 0.2)), Placement((0.0, 0.0, 0.0)))
        return Model("rssr", bodies, joints, loops=(loop,))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(compile(ring(Gimbal)).coordinates) >= 1
    with pytest.raises(InputError, match=r"'ball.e1', 'ball.e2', 'ball.e3' belong to 'ball' as well"):
        compile(ring(Ball), independent=("ball.e0",))


def test_roles() -> None:
    """Settled when a mechanism is made."""
    coupling = Explicit("k", "r.angle", ("q.angle",), Linear(-0.2, -0.8))
    model = dataclasses.replace(chain(), couplings=(coupling,))
    assert compile(model).coordinate_roles == {
        "p.angle": "independent",
        "q.angle": "independent",
        "r.angle": "coupled",
    }
    assert set(compile(chain(locked=True)).coordinate_roles.values()) == {"independent", "locked"}
    looped = compile(chain(closed_at(1.3)), independent=("p.angle",)).coordinate_roles
    assert looped == {"p.angle": "independent", "q.angle": "closing", "r.angle": "closing"}


def test_coupled_cannot_be_chosen() -> None:
    coupling = Explicit("k", "q.angle", ("p.angle",), Linear(-0.5))
    model = dataclasses.replace(chain(), couplings=(coupling,))
    with pytest.raises(InputError, match=r"'q.angle' is not independent; did you mean 'p.angle'|'r.angle'"):
        compile(model, independent=("q.angle", "r.angle"))
    looped = dataclasses.replace(chain(closed_at(1.3)), couplings=(coupling,))
    with pytest.raises(InputError, match=r"'q.angle' follows from a coupling"):
        compile(looped, independent=("q.angle",))


def test_locked_joints_leave_nothing_to_close() -> None:
    with pytest.raises(ModelError, match=r"whatever 'p.angle' do"):
        compile(chain(closed_at(1.3), locked=True))


def test_described_wrongly() -> None:
    """All at once, when the model is made."""
    with pytest.raises(ModelError, match=r"loops\.") as caught:
        chain(
            Pin("self", "a", "a"),
            Pin("far", "c", "grond"),
            Pin("kept", "c", "ground", coordinates=(Coordinate("angle"),)),
        )
    text = str(caught.value)
    assert "loops.self: joins 'a' to itself" in text
    assert "loops.far.child: unknown body 'grond'; did you mean 'ground'?" in text
    assert "loops.kept: the coordinates of a joint that closes a loop are no joint variables" in text


def test_near_is_checked() -> None:
    with pytest.raises(
        InputError, match=r"near: unknown joint variable 'p.angel'; did you mean 'p.angle'.*a number"
    ):
        compile(chain(closed_at(1.3)), near={"p.angel": 1.0, "q.angle": float("nan")})


def test_slider_crank_by_either() -> None:
    """Coordinates in metres or radians alike."""
    bars = (Body("crank", 1.0, inertia=(1, 1, 1, 0, 0, 0)), Body("rod", 1.0, inertia=(1, 1, 1, 0, 0, 0)))
    piston = Body("piston", 1.0, inertia=(1, 1, 1, 0, 0, 0))
    joints = (
        Pin("crank", "ground", "crank", coordinates=(Coordinate("angle", 0.5),)),
        Pin("rod", "crank", "rod", Placement((0.3, 0.0, 0.0))),
        Slider(
            "piston", "ground", "piston", axis=(1.0, 0.0, 0.0), coordinates=(Coordinate("displacement", 1.2),)
        ),
    )
    loop = Pin("wrist", "rod", "piston", Placement((1.0, 0.0, 0.0)))
    model = Model("slider_crank", (*bars, piston), joints, loops=(loop,))
    for name in ("crank.angle", "piston.displacement"):
        mechanism = compile(model, independent=(name,))
        crank, rod, x = mechanism.assembly.pose
        assert 0.3 * np.cos(crank) + np.cos(crank + rod) == pytest.approx(x, abs=1e-12)
        assert 0.3 * np.sin(crank) + np.sin(crank + rod) == pytest.approx(0.0, abs=1e-12)


def test_a_frame_stands() -> None:
    """Two bars and ground: no coordinate is left, loads are carried all the same."""
    frame = dataclasses.replace(
        chain(), bodies=chain().bodies[:2], joints=chain().joints[:2],
        loops=(Pin("end", "b", "ground", Placement((1.0, 0.0, 0.0)), Placement((1.2, 0.0, 0.0))),),
    )  # fmt: skip
    mechanism = compile(frame)
    q, u = mechanism.default_state()
    assert q.size == u.size == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = compile(frame, loops="multipliers")
        _, expected = other.forward_dynamics_and_reactions(mechanism.joint_values(q), np.zeros(2))
    found = mechanism.joint_reactions(q, u, u)
    for joint in ("p", "q"):
        assert np.allclose(found[joint][1], expected[joint][1], atol=1e-12)
    still = simulate(mechanism, q, u, 0.1)
    assert still.status == Status.OK
    assert np.allclose(still.joint_values, mechanism.assembly.pose, atol=1e-14)
