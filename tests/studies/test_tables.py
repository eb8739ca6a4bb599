"""Tables 1 and 2: the mobilizer and its constrained twins."""

from __future__ import annotations

import numpy as np
import pytest

PAIRS = {
    "ellipsoid": (
        "ellipsoid",
        "ball",
        ("ball", "ellipsoid", "ellipsoid_true_normal", "ellipsoid_euler_parameters"),
    ),
    "knee": ("custom", "pin", ("pin", "custom")),
}
TWINS = ("dense_twin", "general_twin")
#: What the twins are measured against.
AGAINST = {"ellipsoid": ("ellipsoid", "ellipsoid_with_angles"), "knee": ("custom",)}
TOLERANCES = ("1e-04", "1e-06", "1e-08")

both_tables = pytest.mark.parametrize("name", sorted(PAIRS))


@both_tables
def test_twins_find_the_same(study, name):
    """Before anything is timed: accelerations and loads of both twins and of the elimination by hand are the
    mobilizer's.
    """
    figures = study(name)["figures"]
    for figure in ("twin_acceleration_difference", "twin_load_difference"):
        assert set(figures[figure]) == set(TWINS)
        assert 0 < max(figures[figure].values()) <= 1e-13
    assert 0 < figures["hand_derived_difference"] <= 1e-13


@both_tables
def test_manifold_errors(study, name):
    """Round-off for the mobilizer; the tolerance for the projected twin; without projection the error is
    beyond it.
    """
    figures = study(name)["figures"]
    errors, by_tolerance = figures["manifold_error"], figures["manifold_error_general_twin_by_tolerance"]
    assert 0 < errors["mobilizer"] <= 1e-13
    assert tuple(by_tolerance) == TOLERANCES
    assert all(
        1e-4 * float(tolerance) < by_tolerance[tolerance] <= float(tolerance) for tolerance in TOLERANCES
    )
    assert errors["general_twin"] == by_tolerance["1e-04"]
    assert errors["dense_twin"] > 1e-4


@both_tables
def test_operations(study, name):
    """Fewest for the plain joint, then the mobilizer, then the library's twin, and most for the dense one."""
    operations = study(name)["figures"]["operations"]
    mobilizer, plain, _ = PAIRS[name]
    order = [operations[key] for key in (plain, mobilizer, "general_twin", "dense_twin")]
    assert order == sorted(order) and len(set(order)) == 4
    assert operations["hand_derived_twin"] <= operations["general_twin"]


@both_tables
def test_times_are_there(study, name):
    """Scalar and lanes, accelerations and simulations: medians within their quartiles, ratios positive."""
    figures = study(name)["figures"]
    mobilizer, plain, others = PAIRS[name]
    assert set(figures["acceleration_times"]) == {"chained", "scalar", "lanes"}
    assert set(figures["simulation_times"]) == {"scalar", "lanes"}
    for kinds in (figures["acceleration_times"], figures["simulation_times"]):
        for timings in kinds.values():
            assert set(timings) == {*others, *TWINS}
            for timing in timings.values():
                assert 0 < timing["quartile_25"] <= timing["median"] <= timing["quartile_75"] < 1
    pairs = {f"{mobilizer}_over_{plain}", *(f"{twin}_over_{m}" for twin in TWINS for m in AGAINST[name])}
    for figure in (
        "acceleration_time_ratio",
        "acceleration_time_ratio_independent_states",
        "acceleration_time_ratio_lanes",
        "simulation_time_ratio",
        "simulation_time_ratio_lanes",
        "simulation_time_ratio_per_evaluation",
    ):
        assert set(figures[figure]) == pairs
        assert all(0 < ratio < np.inf for ratio in figures[figure].values())
    for kind in ("acceleration", "simulation"):
        for pair, (low, high) in figures[f"{kind}_time_ratio_quartiles"].items():
            assert low <= figures[f"{kind}_time_ratio"][pair] <= high


@both_tables
def test_simulations_at_each_tolerance(study, name):
    """The twins are timed at 1e-4, 1e-6 and 1e-8, each against the mobilizer at the same tolerance."""
    figures = study(name)["figures"]
    by_tolerance = figures["simulation_time_ratio_by_tolerance"]
    assert tuple(by_tolerance) == TOLERANCES
    for ratios in by_tolerance.values():
        assert set(ratios) == {f"{twin}_over_{m}" for twin in TWINS for m in AGAINST[name]}
        assert all(0 < ratio < np.inf for ratio in ratios.values())
    assert by_tolerance["1e-04"].items() <= figures["simulation_time_ratio"].items()


@both_tables
def test_claims_of_speed_follow_from_the_figures(study, name):
    """What "holds" says is what the ratios say."""
    document = study(name)
    figures, claims = document["figures"], [c for c in document["claims"] if c["claim"].startswith("time of")]
    mobilizer, plain, _ = PAIRS[name]
    limit = {"ellipsoid": 1.2, "knee": 2.2}[name]
    over_plain = f"{mobilizer}_over_{plain}"
    expected = []
    for figure in (
        "acceleration_time_ratio",
        "simulation_time_ratio",
        "simulation_time_ratio_per_evaluation",
    ):
        expected.append(figures[figure][over_plain] <= limit)
    for against in AGAINST[name]:
        names = [f"{twin}_over_{against}" for twin in TWINS]
        tables = [figures[f"{kind}_time_ratio"] for kind in ("acceleration", "simulation")]
        expected += [min(ratios[twin] for twin in names) > 1 for ratios in tables]
        by_tolerance = figures["simulation_time_ratio_by_tolerance"].values()
        expected.append(min(ratios[twin] for ratios in by_tolerance for twin in names) > 1)
    assert [claim["holds"] for claim in claims] == expected


def test_energy_of_the_accurate_runs(study):
    """Neither the ellipsoid over 1 s nor the leg over 2 s gains energy worth the name."""
    assert study("ellipsoid")["figures"]["energy_drift_1e-12"] < 7e-12
    assert study("knee")["figures"]["energy_drift_1e-11"] < 1e-7


def test_leg_swings_deeper_than_its_grid_shows(study):
    """The event that stops the leg lies within the grid of 10 ms, and before the end of the splines' data."""
    figures = study("knee")["figures"]
    assert -2.0944 < figures["q_min_at_reversal"] <= figures["q_min"] < figures["q_min_at_reversal"] + 1e-4
    assert np.shape(figures["figure_6"]["ankle"]) == (len(figures["figure_6"]["angle"]), 2)
