"""Massless bodies: fine where the mechanism stays solvable; where it does not, the error names the body."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle import Body, Model, Placement
from condyle.joints import Ball, Coordinate, Cylindrical, Pin, Slider, Universal
from condyle.status import Status

ROD = Body("tip", 1.0, (0.3, 0.1, 0.2), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
LIGHT = Body("light")
ASIDE = Placement((0.2, 0.1, 0.0))


def _two(first, second) -> Model:
    return Model("two", (LIGHT, ROD), (first, second))


@pytest.mark.parametrize(
    ("first", "second", "speeds"),
    [
        (Pin("one", "ground", "light"), Pin("two", "light", "tip"), ("one.angle", "two.angle")),
        (Slider("one", "ground", "light"), Cylindrical("two", "light", "tip", axis=(1.0, 0.0, 0.0)),
         ("one.displacement", "two.displacement")),
        (Pin("one", "ground", "light", axis=(0.6, 0.8, 0.0)), Ball("two", "light", "tip"),
         ("one.angle", "two.wx", "two.wy")),
    ],
    ids=["coaxial pins", "slider in a cylinder", "pin through a ball"],
)  # fmt: skip
def test_motions_that_cancel_are_an_error(first, second, speeds):
    """The massless body and the speeds that move together are named."""
    with pytest.raises(cd.errors.ModelError) as raised:
        cd.compile(_two(first, second))
    (problem,) = raised.value.problems
    assert problem.where == "bodies.light"
    assert all(repr(name) in problem.what for name in speeds)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Pin("one", "ground", "light"), Pin("two", "light", "tip", ASIDE)),
        (Universal("one", "ground", "light"), Ball("two", "light", "tip", ASIDE)),
        (Slider("one", "ground", "light"), Slider("two", "light", "tip", axis=(0.0, 1.0, 0.0))),
        (
            Pin("one", "ground", "light", coordinates=(Coordinate("angle", locked=True),)),
            Pin("two", "light", "tip"),
        ),
    ],
    ids=["parallel pins", "rod", "crossed sliders", "one of two locked"],
)
def test_massless_bodies_between_are_fine(first, second):
    """Accelerations are finite and inverse dynamics gives the loads back."""
    mechanism = cd.compile(_two(first, second))
    rng = np.random.default_rng(0)
    q, u = mechanism.default_state()
    q = q + 0.1 * rng.uniform(-1, 1, q.size) * (1 - np.isin(np.arange(q.size), mechanism.tree.locked_speeds))
    tau = rng.uniform(-1, 1, u.size)
    udot = mechanism.forward_dynamics(q, u, tau)
    free = [k for k in range(u.size) if k not in mechanism.tree.locked_speeds]
    found = mechanism.inverse_dynamics(q, u, udot)
    assert np.abs(found - tau)[free].max() <= 1e-12 * np.abs(mechanism.bias(q, u)).max()


def test_a_singular_default_pose_is_no_error():
    """A point mass on the axis of its pin by default, and off it as soon as the slider moves."""
    joints = (Pin("one", "ground", "light"), Slider("two", "light", "tip"))
    mechanism = cd.compile(Model("m", (LIGHT, Body("tip", 1.0)), joints))
    assert list(mechanism.state_status([[0.0, 0.0], [0.0, 0.5]])) == [Status.SINGULAR, Status.OK]
