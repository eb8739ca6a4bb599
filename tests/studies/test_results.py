"""Every study: figures that others read by name, numbers of independent references, and the claims."""

import json

import numpy as np
import pytest

from condyle import studies
from condyle.io import json_text
from condyle.studies import twins

#: Names under "figures" that others rely on: None for numbers, a set for a mapping with at least these names.
FIGURES = {
    "screw": {},
    "ellipsoid": {
        "udot0_seth": None,
        "udot0_normal": None,
        "udot0_ball": None,
        "reaction_force0": None,
        "reaction_moment0": None,
        "q_1s": None,
        "u_1s": None,
        "acceleration_time_ratio": {
            "ellipsoid_over_ball",
            "dense_twin_over_ellipsoid",
            "general_twin_over_ellipsoid",
        },
        "simulation_time_ratio": {
            "ellipsoid_over_ball",
            "dense_twin_over_ellipsoid",
            "general_twin_over_ellipsoid",
        },
        "manifold_error": {"mobilizer", "general_twin"},
        "operations": set(),
    },
    "knee": {
        "qdd_0_0": None,
        "qdd_m1p5_3": None,
        "q_min": None,
        "reversal_times": None,
        "acceleration_time_ratio": {"custom_over_pin", "dense_twin_over_custom", "general_twin_over_custom"},
        "simulation_time_ratio": {"custom_over_pin", "dense_twin_over_custom", "general_twin_over_custom"},
        "manifold_error": {"mobilizer", "dense_twin", "general_twin"},
    },
    "lao": {"rotation_deg": None, "angles_123_deg": None, "axis": None, "mobile_fit_rmsd_angstrom": None},
    "reversal": {"udot_reversed_ellipsoid": None},
    "surface": {"normality_error": None},
}

#: Found by an independent implementation: value, and the unit of its last printed digit, or the step of
#: the grid on which it looked.
REFERENCE = {
    ("ellipsoid", "udot0_seth"): ((30.213600926, -6.622542165, 6.382701702), 1e-9),
    ("ellipsoid", "udot0_normal"): ((30.305142896, -8.382525492, 2.421788274), 1e-9),
    ("ellipsoid", "udot0_ball"): ((39.689651570, -0.392676330, -4.228746924), 1e-9),
    ("ellipsoid", "reaction_force0"): ((1.7503628017, 5.5231153568, -6.7119211936), 1e-10),
    ("ellipsoid", "reaction_moment0"): ((0.6011023298, 0.0289436861, 0.2749768651), 1e-10),
    ("ellipsoid", "q_1s"): ((0.9932402669, -1.2443160053, 0.6760820340), 1e-10),
    ("ellipsoid", "u_1s"): ((1.9840465131, -2.4699801784, -0.2624475550), 1e-10),
    ("knee", "qdd_0_0"): (-23.3715772136, 1e-10),
    ("knee", "qdd_m1p5_3"): (12.160545344, 1e-9),
    ("knee", "q_min"): (np.deg2rad(-119.464), np.deg2rad(1e-3)),
    ("knee", "reversal_times"): ((0.65, 1.29, 1.93), 1e-2),
    ("lao", "rotation_deg"): (51.4778, 1e-4),
    ("lao", "angles_123_deg"): ((43.377191, -12.674987, 31.032426), 1e-6),
    ("lao", "axis"): ((0.751785, -0.453841, 0.478380), 1e-6),
    ("lao", "mobile_fit_rmsd_angstrom"): (0.613, 1e-3),
    ("reversal", "udot_reversed_ellipsoid"): ((-14.229835164, -1.638740803, -0.339184097), 1e-9),
}
#: How many units a figure may differ by, where it is more than a rounding: integrated, or found on a grid.
UNITS = {"q_1s": 2, "u_1s": 2, "reversal_times": 1}

# Figures of speed belong to the machine; the study says whether they hold, not a test.
SPEED = ("time of", "operations:")


@pytest.fixture(scope="module", params=sorted(FIGURES))
def result(request):
    """The result of one study, its timing cut to one round."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "ROUNDS", 1)
        return studies.run(request.param)


def test_figures_have_their_names(result):
    """The names under which others read the figures are there, and the document is strict JSON."""
    document = json.loads(json_text(result.as_dict()))
    assert set(document) == {"schema_version", "study", "figures", "claims"}
    for name, inner in FIGURES[result.study].items():
        value = document["figures"][name]
        if inner is None:
            assert np.all(np.isfinite(np.array(value, dtype=float)))
        else:
            assert inner <= set(value)
    assert document["claims"]
    assert all(set(claim) == {"claim", "paper", "here", "holds"} for claim in document["claims"])


def test_numbers_of_independent_references(result):
    """Figures equal those of another implementation to the digits that it printed."""
    for (study, name), (expected, digit) in REFERENCE.items():
        if study == result.study:
            allowed = UNITS.get(name, 0.6)
            difference = np.abs(np.asarray(result.figures[name]) - expected).max()
            assert difference <= allowed * digit, (name, difference / digit)


def test_claims_hold(result):
    """What a study claims about accelerations, loads and manifolds holds."""
    assert not [c for c in result.claims if not c.claim.startswith(SPEED) and not c.holds]
