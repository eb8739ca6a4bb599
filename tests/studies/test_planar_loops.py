"""The four-bar and the five-bar: figures that agree with a classical analysis, by all ways."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle.couplings import Implicit, sample
from condyle.errors import InputError
from condyle.studies import five_bar, four_bar
from condyle.studies.loop_equations import FOUR_BAR, FOUR_BAR_ANGLES, HEIGHT, four_bar_equations
from condyle.studies.loop_motion import hermite
from condyle.studies.planar_analysis import Loop, analyse

IMPLICIT = Implicit("loop", FOUR_BAR_ANGLES, (HEIGHT,), four_bar_equations(), four_bar.NEAR)
#: Figures of |v| and |a| of an independent implementation, amplitude 1.5, and how far round-off moves them.
FOUR_BAR_DIGITS = {
    "cubic": ((5.7, 2.9), 0.1),
    "quintic": ((10.0, 7.2), 0.1),
    "molecule": ((7.2, 6.8), 0.4),
}


def pair(digits: dict[str, float]) -> np.ndarray:
    return np.array([digits["speed"], digits["acceleration"]])


def test_exact_ways_reach_14_figures(study):
    """Projection and implicit function theorem; the paper has 7 for its mechanism and 6 for the other."""
    for name in ("four-bar", "five-bar"):
        digits = study(name)["figures"]["digits"]
        for way in ("projection", "implicit"):
            assert pair(digits[way]).min() >= 13.8, (name, way)


@pytest.mark.parametrize("way", FOUR_BAR_DIGITS)
def test_figures_of_the_others(study, way):
    """Natural cubic splines of step 0.01 do not reach the paper's 7 figures; quintic ones of 0.005 do."""
    wanted, near = FOUR_BAR_DIGITS[way]
    assert np.abs(pair(study("four-bar")["figures"]["digits"][way]) - wanted).max() <= near


@pytest.mark.parametrize(("amplitude", "wanted"), [(0.5, (7.4, 4.5)), (1.0, (5.5, 3.5))])
def test_natural_splines_on_smaller_motions(amplitude, wanted):
    """Seven figures of the speed for a small motion; never of the acceleration."""
    spline = four_bar.fit(IMPLICIT, "natural cubic", 0.01)
    trajectory = hermite(np.linspace(0, 3, 301), amplitude * four_bar.KNOTS)
    motions = four_bar.point_motions({"spline": spline}, spline, trajectory)
    assert np.abs(pair(four_bar.agreement(motions)["spline"]) - wanted).max() <= 0.1


def test_claims_that_do_not_hold(study):
    """Exactly those of the natural splines."""
    claims = study("four-bar")["claims"]
    false = [claim["claim"] for claim in claims if not claim["holds"]]
    assert len(false) == 2 and all(claim.startswith("natural cubic splines") for claim in false)
    assert not [claim for claim in study("five-bar")["claims"] if not claim["holds"]]


def test_dead_point(study):
    """Where the slopes are infinite, found with 30 digits by another program; a sweep cannot pass it."""
    assert study("four-bar")["figures"]["largest_height"] == pytest.approx(2.0573804551317963, abs=1e-14)
    exact = (np.pi / 2, -np.pi / 2, -1.1071487178)
    assert np.allclose(IMPLICIT.value([2.0], np.array([exact])), exact, atol=1e-9)
    with pytest.raises(InputError, match=r"cannot pass 'height.displacement' = 2\.057\d+: a dead"):
        sample(IMPLICIT, "cubic", ((0.0, 2.1),), tolerance=(1.0, 1.0, 1.0), start=(0.0,))


def test_the_other_arc():
    """The guess chooses the branch, and the sweep stays on it: angles there are the mirrored ones."""
    box = ((-1.0, 1.0),)
    tolerance = (1e-6, 1e-4, 1e-2)
    fits = [
        sample(IMPLICIT, "chebyshev", box, tolerance=tolerance, start=(0.0,), guess=guess)
        for guess in (four_bar.NEAR, tuple(-np.array(four_bar.NEAR)))
    ]
    q = np.linspace(-1, 1, 9)[:, None]
    assert np.allclose(fits[1].value(q), -fits[0].value(-q), atol=2e-6)
    assert np.abs(fits[0].value(q) - fits[1].value(q)).max() > 1


def test_both_formulations_move_the_point_alike(study):
    """The compiled mechanism, which solves the loop itself, and the paper's closed form."""
    for name in ("four-bar", "five-bar"):
        assert study(name)["figures"]["mechanism_difference"] <= 1e-12


def test_figures_by_step(study):
    """Numerical differentiation of the five-bar, steps 1e-2, 1e-3, 1e-4."""
    found = study("five-bar")["figures"]["digits_by_way"]
    for step, gradient, acceleration in ((0.01, 5.2, 4.5), (0.001, 7.2, 6.5), (0.0001, 9.2, 6.6)):
        digits = found[f"molecule {step:g}"]
        assert abs(digits["gradient"] - gradient) <= 0.1
        assert abs(digits["acceleration"] - acceleration) <= 0.4


def test_manifold(study):
    """All over both turns joint 4 closes the triangle of its bars, on one branch; it is a period of both."""
    figures = study("five-bar")["figures"]
    assert figures["assembly_error"] <= 1e-14
    f4 = np.array(figures["manifold"]["f4"])
    assert f4.shape == (five_bar.GRID,) * 2
    assert np.abs(f4[0] - f4[-1]).max() <= 1e-14 and np.abs(f4[:, 0] - f4[:, -1]).max() <= 1e-14
    assert f4.max() < 0


def test_classical_analysis_by_differences():
    """Velocities and accelerations of the reference are slopes of its positions."""
    p, h = FOUR_BAR, 1e-4
    times = 0.7 + h * np.array([-1.0, 0.0, 1.0])
    trajectory = hermite(times, four_bar.KNOTS)
    loop = Loop((p["l1"], p["l2"], p["l3"]), p["l0"], lambda x, q: x[4] + 2 * ca.sin(x[5]) - q, inputs=1)
    start = loop.start(IMPLICIT.value(trajectory.q[0]))
    found = analyse(loop, start, 2, p["l_p"], trajectory.q, trajectory.qdot, trajectory.qddot)
    x = found.position
    assert np.allclose((x[2] - x[0]) / (2 * h), found.velocity[1], rtol=1e-6)
    assert np.allclose((x[2] - 2 * x[1] + x[0]) / h**2, found.acceleration[1], rtol=1e-5)


def test_hermite():
    """Through the given values with zero slopes; rates are slopes."""
    values = np.array([[0.0, 1.0], [2.0, -1.0], [-1.0, 0.5]])
    knots = hermite(np.array([0.0, 1.0, 2.0]), values)
    assert np.allclose(knots.q, values) and not knots.qdot.any()
    h = 1e-5
    near = hermite(1.3 + h * np.array([-1.0, 0.0, 1.0]), values)
    assert np.allclose((near.q[2] - near.q[0]) / (2 * h), near.qdot[1], rtol=1e-8)
    assert np.allclose((near.qdot[2] - near.qdot[0]) / (2 * h), near.qddot[1], rtol=1e-8)
