"""The four-bar: closures against its closed form, redundant closures, dead points, projection."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest

import condyle as cd
from condyle.constraints import Ball
from condyle.status import Status

from . import four_bar
from .four_bar import BALL, PLANAR, TWICE, closed, crank_motion, cut_at_ground, pose, speeds

CLOSURES = {
    "planar": (lambda: closed(PLANAR), ()),
    "ball": (lambda: closed(BALL), ("loop[2]",)),
    "twice": (lambda: closed(*TWICE), ("again[0]", "again[1]")),
    "ball and planar": (lambda: closed(BALL, TWICE[1]), ("loop[2]", "again[0]", "again[1]")),
}


@cache
def mechanism(name: str) -> cd.Mechanism:
    build, redundant = CLOSURES[name]
    found = cd.compile(build())
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert found.constraint_report.redundant_names == redundant
    assert len(said) == bool(redundant)
    return found


@pytest.mark.parametrize("name", list(CLOSURES))
def test_crank_accelerates_as_in_closed_form(name):
    """One equation of motion in the crank angle, from energies; redundant closures give the same."""
    four = mechanism(name)
    for crank, rate, torque in ((0.9, 0.0, 0.0), (1.7, 2.0, 3.0), (-0.4, -3.0, 1.0), (3.0, 1.0, -2.0)):
        q, u = pose(crank), speeds(crank, rate)
        assert np.abs(four.constraint_residual(q)).max() <= 1e-14
        udot = four.forward_dynamics(q, u, [torque, 0.0, 0.0])
        expected = float(crank_motion()(crank, rate, torque))
        assert abs(udot[0] - expected) <= 1e-11 * (abs(expected) + rate**2 + 10)


@pytest.mark.parametrize("name", ["ball", "twice", "ball and planar"])
def test_redundant_equations_are_named_and_left_out(name):
    """A warning names model and equations; their multipliers are 0 and the residuals still watched."""
    build, redundant = CLOSURES[name]
    with pytest.warns(UserWarning, match="follow from the others") as said:
        report = cd.compile(build()).constraint_report
    assert all(equation in str(said[0].message) for equation in redundant)
    assert report.rank == 2 and report.redundant_names == redundant
    four = mechanism(name)
    multipliers, pivot = four.constraint_multipliers(pose(0.9), speeds(0.9, 1.0))
    assert not multipliers[list(report.redundant)].any()
    assert multipliers[list(report.independent)].all()
    assert pivot > 1e-3
    assert four.constraint_residual(pose(0.9)).shape == (len(report.names),)


def test_a_loop_cut_in_its_ground_link_by_a_weld():
    """Six equations of which three are redundant in a plane; the crank moves as with two (a foot of 1 g
    aside).
    """
    with pytest.warns(UserWarning, match="3 of 6 constraint equations"):
        four = cd.compile(cut_at_ground())
        assert four.constraint_report.rank == 3
    q, u = pose(0.9), speeds(0.9, 2.0)
    udot = four.forward_dynamics(np.append(q, -q.sum()), np.append(u, -u.sum()))
    expected = float(crank_motion()(0.9, 2.0, 0.0))
    assert abs(udot[0] - expected) <= 1e-11 * (abs(expected) + 10)  # the welded foot does not move


def test_folded_parallelogram_is_reported():
    """All links in line: a warning when that is the default; the smallest pivot vanishes there alone."""
    with pytest.warns(UserWarning, match="singular in the default pose"):
        report = cd.compile(four_bar.parallelogram(0.0)).constraint_report
    assert (report.rank, report.default_rank, report.redundant) == (2, 1, ())
    four = cd.compile(four_bar.parallelogram(0.8))
    q, u = four.default_state()
    flat = np.array([0.0, 0.0, -np.pi])
    assert np.abs(four.constraint_residual([q, flat])).max() <= 1e-15
    _, pivot = four.constraint_multipliers([q, flat], u)
    assert pivot[0] > 1e-2
    assert not pivot[1] > 1e-12  # zero or not a number
    assert list(four.state_status([q, flat])) == [Status.OK, Status.SINGULAR]


def test_projection_reaches_its_tolerance_on_both_levels():
    """Positions and speeds of a batch, each to the tolerance; a state on the manifold stays where it is."""
    four = mechanism("planar")
    rng = np.random.default_rng(0)
    crank = np.linspace(-3, 3, 12)
    exact = np.array([pose(angle) for angle in crank])
    q = exact + rng.uniform(-0.05, 0.05, exact.shape)
    u = rng.uniform(-2, 2, q.shape)
    for tolerance in (1e-4, 1e-8, 1e-12):
        q_new, u_new, status = four.project(q, u, tolerance=tolerance)
        assert (status == Status.OK).all()
        assert np.abs(four.constraint_residual(q_new)).max() <= tolerance
        rate = np.einsum("kij,kj->ki", four.constraint_jacobian(q_new), u_new)
        assert np.abs(rate).max() <= 1e-13 * np.abs(u_new).max() * 10
    closed_form = np.array([pose(angle) for angle in q_new[:, 0]])
    assert np.abs(np.exp(1j * q_new) - np.exp(1j * closed_form)).max() <= 1e-10
    moving = np.array([speeds(angle, 1.0) for angle in crank])
    q_same, u_same, _ = four.project(exact, moving)
    assert (
        np.abs(q_same - exact).max() <= 1e-14
        and np.abs(u_same - moving).max() <= 1e-13 * np.abs(moving).max()
    )


def test_projection_is_shortest_in_the_kinetic_metric():
    """The change of speed is M-orthogonal to every speed that the constraints allow."""
    four = mechanism("planar")
    q, u = pose(0.9), np.array([1.0, -2.0, 0.5])
    _, projected, _ = four.project(q, u)
    allowed = speeds(0.9, 1.0)
    assert abs(allowed @ four.mass_matrix(q) @ (projected - u)) <= 1e-13


def test_what_cannot_be_assembled_has_a_status():
    """A loop too long for its links: NOT_CONVERGED, or SINGULAR, for that state; the others are projected."""
    far = Ball("loop", "ground", "rocker", (5.0, 0.0, 0.0), (four_bar.ROCKER, 0.0, 0.0))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        four = cd.compile(closed(far))
        _, _, status = four.project(pose(0.9), np.zeros(3))
    assert any("no pose near the default one satisfies" in str(one.message) for one in said)
    assert status in (Status.NOT_CONVERGED, Status.SINGULAR)
    planar = mechanism("planar")
    states = np.array([pose(0.9), [np.nan, 0.0, 0.0], pose(1.2) + 0.01])
    q, _, status = planar.project(states, np.zeros(3))
    assert list(status) == [Status.OK, Status.BAD_INPUT, Status.OK]
    assert np.abs(planar.constraint_residual(q[[0, 2]])).max() <= 1e-10
