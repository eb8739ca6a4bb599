"""Every study: figures that others read by name, numbers of an independent implementation, and the claims."""

from __future__ import annotations

import numpy as np
import pytest

from condyle import studies
from condyle.errors import InputError

TABLE_1 = {"ellipsoid_over_ball", "dense_twin_over_ellipsoid", "general_twin_over_ellipsoid"}
TABLE_2 = {"custom_over_pin", "dense_twin_over_custom", "general_twin_over_custom"}

DRIFT = {"energy_drift_J", "time_s"}

#: Names under "figures" that others rely on: their shape as arrays of numbers, or the names that a mapping
#: has.
FIGURES = {
    "andrews": {
        **dict.fromkeys(("beta_0p03", "betadot_0p03", "beta_0p05", "rms_position", "rms_speed"), ()),
        "time_ratio": {
            *("fourier_equal_tolerance", "fourier_equal_error"),
            *("implicit_equal_tolerance", "implicit_equal_error"),
        },
    },
    "ankle": {
        **{
            f"l{length}_{mode}": {"evaluations"}
            for length in ("0.0000", "0.0360", "0.0417", "0.0474")
            for mode in ("free", "cone", "cone_damped")
        },
        "formulation_difference_m": (),
    },
    "benchmarks": {"A01": {"error_m"} | DRIFT, "A02_2": DRIFT, "A02_40": DRIFT, "A03": DRIFT, "A04": DRIFT},
    "drivers": {
        "chain_a": {
            *("t", "lambda_hip", "lambda_knee", "lambda_universal"),
            *("torque_hip", "torque_knee", "torque_universal"),
        },
        "chain_a_angle_difference": (),
        "chain_b_lambda_t0": (6,),
        "constraint_counts": {"upper_E", "upper_A", "gait_E", "gait_A"},
        "failure_hip_max_error_deg": (),
        "failure_knee_range_deg": (2,),
    },
    "screw": {},
    "ellipsoid": {
        "udot0_seth": (3,),
        "udot0_normal": (3,),
        "udot0_ball": (3,),
        "reaction_force0": (3,),
        "reaction_moment0": (3,),
        "q_1s": (3,),
        "u_1s": (3,),
        "acceleration_time_ratio": TABLE_1,
        "simulation_time_ratio": TABLE_1,
        "manifold_error": {"mobilizer", "general_twin"},
        "operations": {"ball", "ellipsoid", "dense_twin", "general_twin", "hand_derived_twin"},
    },
    "knee": {
        "qdd_0_0": (),
        "qdd_m1p5_3": (),
        "q_min": (),
        "reversal_times": (3,),
        "acceleration_time_ratio": TABLE_2,
        "simulation_time_ratio": TABLE_2,
        "manifold_error": {"mobilizer", "dense_twin", "general_twin"},
        "operations": {"pin", "custom", "dense_twin", "general_twin", "hand_derived_twin"},
    },
    "euler-parameters": {"identities": set(), "free_body": set()},
    "four-bar": {"theta_q0": (3,), "dtheta_q0": (3,), "ddtheta_q0": (3,)},
    "five-bar": {"f": (2,), "f_q": (2, 2)},
    "lao": {"rotation_deg": (), "angles_123_deg": (3,), "axis": (3,), "mobile_fit_rmsd_angstrom": ()},
    "reversal": {"udot_reversed_ellipsoid": (3,)},
    "surface": {"normality_error": ()},
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
    ("lao", "slide_angstrom"): (0.507, 1e-3),
    ("lao", "translation_pdb_origin_angstrom"): ((43.045640, 31.015173, -37.162592), 1e-6),
    ("lao", "translation_centroid_angstrom"): ((-2.960416, -9.825559, -3.608779), 1e-6),
    ("lao", "hinge_origin_angstrom"): ((24.73685, 65.66265, 40.66796), 1e-5),
    ("lao", "stationary_fit_rmsd_angstrom"): (0.391, 1e-3),
    ("lao", "mobile_rmsd_before_angstrom"): (13.29, 1e-2),
    ("lao", "mobile_fit_rmsd_angstrom"): (0.613, 1e-3),
    ("four-bar", "theta_q0"): ((0.9539508999976, -1.9079017999952, 1.7716743250656), 1e-13),
    ("four-bar", "dtheta_q0"): ((0.8083413925670, -0.7523260081949, -0.7523260081949), 1e-13),
    ("four-bar", "ddtheta_q0"): ((0.2905536544388, 0.3358656209211, -0.5864333310651), 1e-13),
    ("five-bar", "f"): ((-1.18797714022, -2.04803767420), 1e-11),
    ("five-bar", "f_q"): (
        ((-1.12077482720, -0.96461946488), (0.70025067265, 0.31271933706)),
        1e-11,
    ),
    ("reversal", "udot_reversed_ellipsoid"): ((-14.229835164, -1.638740803, -0.339184097), 1e-9),
}
#: How many units a figure may differ by, where it is more than a rounding: integrated, or found on a grid.
UNITS = {"q_1s": 2, "u_1s": 2, "reversal_times": 1}

#: Speed belongs to the machine: the study says whether these hold, not a test.
SPEED = "time of"
#: Judged where the elimination of constraints is tested.
BY_HAND = "operations: twin / shortest elimination by hand"
#: Findings of a paper that its data do not show; test_ankle.py says which.
NOT_SHOWN = (
    "F10: exactly conservative with the normal of the cone",
    "F12",
    "F13 (fig. 18): the modified",
    "F15",
    "closed chain: of the sets with SC e1 e2 e3",  # test_drivers.py says how these are
    "closed chain: torques of E-rot and A-rot",
    "E-rot e1 e2 e3 has no limits",
    "the same as printed",  # test_euler_parameters.py says which are not
    "natural cubic splines",  # test_planar_loops.py says how far they are off
)

every_study = pytest.mark.parametrize("name", sorted(FIGURES))


def test_these_are_all_studies():
    """A new study gets a line here."""
    assert sorted(FIGURES) == list(studies.titles())


def test_unknown_study():
    """A name that nearly matches is shown."""
    with pytest.raises(InputError, match="ellipsoid"):
        studies.run("elipsoid")


@every_study
def test_figures_have_their_names(study, name):
    """The document is strict JSON; the names under which others read its figures are there, with their
    shapes.
    """
    document = study(name)
    assert list(document) == ["schema_version", "study", "figures", "claims"]
    assert (document["schema_version"], document["study"]) == (1, name)
    for figure, expected in FIGURES[name].items():
        value = document["figures"][figure]
        if isinstance(expected, set):
            assert expected <= set(value)
            assert all(np.isfinite(value[inner]).all() for inner in expected)
        else:
            assert np.shape(value) == expected
            assert np.isfinite(value).all()


@every_study
def test_claims_are_complete(study, name):
    """Each has the paper's figure beside ours, and whether it holds."""
    claims = study(name)["claims"]
    assert claims
    for claim in claims:
        assert list(claim) == ["claim", "paper", "here", "holds"]
        assert isinstance(claim["claim"], str) and isinstance(claim["holds"], bool)
        assert claim["paper"] is not None and claim["here"] is not None


@every_study
def test_numbers_of_independent_references(study, name):
    """Figures equal those of another implementation to the digits that it printed."""
    for (owner, figure), (expected, digit) in REFERENCE.items():
        if owner == name:
            difference = np.abs(np.subtract(study(name)["figures"][figure], expected)).max()
            assert difference <= UNITS.get(figure, 0.6) * digit, (figure, difference / digit)


@every_study
def test_claims_hold(study, name):
    """What a study claims about accelerations, loads, manifolds and operations holds."""
    exempt = (SPEED, BY_HAND, *NOT_SHOWN)
    claims = [claim for claim in study(name)["claims"] if not claim["claim"].startswith(exempt)]
    assert claims
    assert not [claim for claim in claims if not claim["holds"]]
