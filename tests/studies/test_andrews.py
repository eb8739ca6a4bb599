"""The squeezer in its embedded and constrained forms: motions, and how times at equal error are found."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.bench.squeezer import TIMES, Curve, contenders, rms, series
from condyle.library.andrews import angles, loop_equations
from condyle.solve import TRBDF2, DormandPrince54

FORMS = {"fourier", "implicit", "dae, projection", "dae, velocity projection", "dae, Baumgarte"}


def test_motion(study):
    """As the independent implementation, to 1e-11; the published figures are good to 1.4e-9 only."""
    figures = study("andrews")["figures"]
    assert figures["beta_0p03"] == pytest.approx(15.810771195152, rel=1e-11)
    assert figures["betadot_0p03"] == pytest.approx(1139.92030225894, rel=1e-11)
    assert figures["beta_0p05"] == pytest.approx(33.8153407213, rel=1e-11)
    assert figures["rms_position"] <= 1e-4 and figures["rms_speed"] <= 3e-3
    assert figures["figure_18"]["angle"][-1] == pytest.approx(33.8153407213, abs=1e-5)
    # At the end, where errors are largest.
    assert figures["figure_18"]["speed"][-1] == pytest.approx(1140.942733435, abs=1e-2)


def test_diagram(study):
    """All forms are there; errors fall with the tolerance, by the order of the method."""
    figures = study("andrews")["figures"]
    assert set(figures["work_precision"]) == FORMS | {"dae, projection, own norm"}
    for curve in figures["work_precision"].values():
        tolerance, error = np.array(curve["tolerance"]), np.array(curve["rms_position"])
        assert (np.diff(error) < 0).all() and (np.array(curve["time_s"]) > 0).all()
        # The error estimate of TR-BDF2 is of third order, its result of second.
        slope = np.polyfit(np.log(tolerance), np.log(error), 1)[0]
        assert 0.5 < slope < 0.85
    expected = {
        f"{form}_{by}" for form in ("fourier", "implicit") for by in ("equal_tolerance", "equal_error")
    }
    assert set(figures["time_ratio"]) == expected
    assert all(np.isfinite(value) and value > 0 for value in figures["time_ratio"].values())


def test_figure_17(study):
    """The series are the paper's joint variables: they satisfy its equations on its grid."""
    figure = study("andrews")["figures"]["figure_17"]
    assert figure["error"] <= 1e-7 and len(figure["q"]) == 629
    q, th = np.array(figure["q"]), {name: np.array(x) for name, x in figure["angles"].items()}
    # E from ground pivot B is E from A: the last two of eq. 199, with the literature's lengths.
    x = -0.06934 + 0.04 * np.cos(th["th2"]) + 0.02 * np.cos(th["th2"] + th["th6"])
    np.testing.assert_allclose(x, -0.03635 + 0.035 * np.cos(th["th4"]), atol=1e-8)
    assert np.abs(np.diff(q) - 0.01).max() < 1e-12


def test_fit_is_that_of_the_law_of_cosines():
    """Series against the closed form, at angles between those sampled."""
    fitted = series()
    for beta in np.random.default_rng(2).uniform(-np.pi, np.pi, 40):
        exact = [angles(beta)[name.removesuffix(".angle")] for name in fitted.dependents]
        np.testing.assert_allclose(fitted.value([beta]), exact, rtol=0, atol=1e-7)
        np.testing.assert_allclose(loop_equations().value([beta], exact), exact, rtol=0, atol=1e-13)


def test_forms_take_the_same_steps():
    """With one error norm the constrained forms step as the embedded one does; with their own, more often."""
    with pytest.warns(UserWarning, match="follow from the others"):
        forms = contenders()
        assert {name for name, form in forms.items() if not form.own_norm} == FORMS
        steps = {name: int(form.simulate(TRBDF2(), 1e-6).steps[0]) for name, form in forms.items()}
    assert all(abs(steps[name] - steps["fourier"]) <= 10 for name in FORMS)
    assert steps["dae, projection, own norm"] > 2 * steps["fourier"]
    exact = forms["implicit"].motion(DormandPrince54(), 1e-11)
    assert exact.shape == (len(TIMES), 2)
    found = {name: rms(forms[name].motion(DormandPrince54(), 1e-9), exact)[0] for name in FORMS}
    assert max(found.values()) <= 1e-5 and found["implicit"] <= 1e-7


def test_time_at_equal_error():
    """Between two tolerances by powers; not a number outside."""
    curve = Curve(
        np.array([1e-4, 1e-6]), np.array([1.0, 4.0]), np.array([[1e-2, 1.0], [1e-4, 0.1]]), np.array([5, 9])
    )
    assert curve.seconds_at(1e-3) == pytest.approx(2.0)
    assert curve.seconds_at(0.1, column=1) == pytest.approx(4.0)
    assert np.isnan(curve.seconds_at(1e-5))
