"""Redundant, contradictory, unreachable and singular sets of constraints in both formulations, named."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import condyle as cd
from condyle.constraints import Ball, Constraint, Distance, ModifiedUniversal, VectorToLink, Weld
from condyle.errors import ModelError
from condyle.joints import Free, Pin
from condyle.status import Status

from . import four_bar

FORMULATIONS = ("minimal", "absolute")
over_both = pytest.mark.parametrize("formulation", FORMULATIONS)


def rod(name: str, length: float) -> Distance:
    return Distance(name, "ground", "shank", (0.2, -0.5, 0.0), (0.0, -0.3, 0.0), length=length)


def leg(*constraints: Constraint) -> cd.Model:
    """Two links that swing in the plane z = 0."""
    bodies = tuple(cd.Body(n, 1.0, (0, -0.2, 0), (0.02, 0.01, 0.02, 0, 0, 0)) for n in ("thigh", "shank"))
    knee = Pin("knee", "thigh", "shank", cd.Placement((0, -0.4, 0)))
    return cd.Model("leg", bodies, (Pin("hip", "ground", "thigh"), knee), constraints)


def examined(model: cd.Model, formulation: str) -> tuple[cd.Mechanism, Any, list[str]]:
    """The mechanism, its report, and what was said."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        mechanism = cd.compile(model, formulation=formulation)
        report = mechanism.constraint_report
    return mechanism, report, [str(one.message) for one in said]


@over_both
def test_redundant(formulation):
    """The same rod twice: one is left out by name, and the leg moves as with one."""
    twice, report, said = examined(leg(rod("rod", 0.3), rod("again", 0.3)), formulation)
    once, _, silence = examined(leg(rod("rod", 0.3)), formulation)
    assert silence == []
    assert report.redundant_names == ("again[0]",) and not report.unmet
    assert len(said) == 1
    assert "model 'leg': 1 of 2 constraint equations follow from the others" in said[0]
    assert said[0].endswith("again[0]")
    q, u, status = once.project(*once.default_state())
    assert status == Status.OK
    assert np.abs(twice.forward_dynamics(q, u) - once.forward_dynamics(q, u)).max() < 1e-11
    one, other = twice.constraint_multipliers(q, u)[0][-2:]
    assert abs(one) > 0.1 and other == 0.0


@over_both
def test_contradictory(formulation):
    """Two lengths of one rod: both are named with what the closest pose misses, and nothing simulates."""
    mechanism, report, said = examined(leg(rod("rod", 0.3), rod("other", 0.25)), formulation)
    assert set(report.unmet) == {"rod[0]", "other[0]"}
    halfway = (0.3**2 - 0.25**2) / 2
    assert np.allclose(list(report.unmet.values()), halfway, rtol=1e-3)
    assert len(said) == 1
    assert "misses rod[0] by 0.0137, other[0] by 0.0137" in said[0]
    assert "other[0] and the others ask for different things" in said[0] and "contradict" in said[0]
    assert cd.simulate(mechanism, *mechanism.default_state(), 0.1).status == Status.NOT_CONVERGED


@over_both
def test_out_of_reach(formulation):
    """No pose at all: how much is missing, and where to look."""
    mechanism, report, said = examined(leg(rod("rod", 3.0)), formulation)
    assert set(report.unmet) == {"rod[0]"} and report.redundant == ()
    assert len(said) == 1
    assert "closest that was found misses rod[0] by" in said[0] and "whether the bodies can reach" in said[0]
    assert mechanism.project(*mechanism.default_state())[2] == Status.NOT_CONVERGED


@over_both
def test_what_no_motion_changes(formulation):
    """A point of a plane leg asked to lie off the plane; and the rows of a weld that ask for the same."""
    off = VectorToLink("off", "ground", "shank", point_a=(0.0, 0.0, 0.1))
    _, report, said = examined(leg(off), formulation)
    assert report.unmet == {"off[0]": pytest.approx(0.1)}
    assert "no motion of the model changes off[0]" in said[-1]
    weld = Weld("cast", "ground", "shank", cd.Placement((0.0, -0.75, 0.2)))
    _, report, said = examined(leg(weld), formulation)
    assert "cast[5] by 0.2" in said[-1]
    assert "no motion of the model changes cast[5]" in said[-1]


@over_both
def test_singular_default_pose(formulation):
    """A parallelogram with all links in line: said with both ranks; other poses are regular."""
    mechanism, report, said = examined(four_bar.parallelogram(0.0), formulation)
    assert report.rank - report.default_rank == 1 and not report.unmet
    assert len(said) == 1 and "singular in the default pose" in said[0]
    assert mechanism.state_status(*mechanism.default_state()) == Status.SINGULAR
    other, _, silence = examined(four_bar.parallelogram(0.8), formulation)
    assert silence == []
    assert other.state_status(*other.default_state()) == Status.OK


@over_both
def test_a_set_with_several_faults_names_each(formulation):
    """One redundant, two contradictory: two warnings, each with its own names."""
    peg = Ball("peg", "ground", "shank", (0.3, -0.5, 0.0), (0.0, -0.3, 0.0))
    _, report, said = examined(leg(peg, rod("rod", 0.3)), formulation)
    assert "peg[2]" in said[0] and "follow from the others" in said[0]
    assert "contradict" in said[1] and "rod[0]" in said[1]
    assert "peg[2]" not in report.unmet


def test_coplanar_axes_and_a_link_without_length_are_refused():
    """Before any formulation: with the numbers, and the joint to take instead."""
    points = ("ground", "foot"), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    foot = cd.Body("foot", 1.0, inertia=(0.01, 0.02, 0.02, 0, 0, 0))
    for offset, words in (
        ((0.03, 0.04, 0.0), "axis_a, axis_b and the link are coplanar"),
        ((0.0, 0.0, 0.0), "the classical joint, a universal"),
    ):
        joint = ModifiedUniversal.at_pose("ankle", *points, axes, (np.eye(3), offset))
        with pytest.raises(ModelError, match=words):
            cd.Model("foot", (foot,), (Free("free", "ground", "foot"),), (joint,))
