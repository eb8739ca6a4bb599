"""The study of drivers against the numbers of an independent implementation, digit for digit."""

import numpy as np
import pytest

#: t: lambda hip (3), lambda knee, lambda universal (2), moment hip (3), knee, universal (2).
CHAIN_A = {
    0.0: (
        (3.839346404, 0.200392068, 26.56704543, 16.2791112, 0.09342313549, -1.416669252),
        (-2.199843501, -0.0149700384, -13.18572981, -8.131808544, 0.7064257123, -0.04658568323),
    ),
    0.25: (
        (-2.510386571, -2.65825425, 53.2282673, 33.87253494, -0.1548682003, 0.4130768473),
        (0.8927064934, 2.820963642, -24.92758445, -16.15240537, -0.2063088834, 0.07734804234),
    ),
    0.5: (
        (-9.345246842, 3.603198368, -25.34030525, 11.85421851, -0.2799259726, -1.526049314),
        (5.046423746, -1.102237812, 12.57024964, -4.998873242, 0.7609683571, 0.1395857955),
    ),
    0.75: (
        (8.955588637, -7.59621864, -70.9984126, -18.7467182, 0.3138624338, -3.005477306),
        (-4.235001308, 5.975874112, 34.71379792, 8.939531458, 1.501068557, -0.1567568085),
    ),
}
CHAIN_B = (-0.530941171, 0.073018893, 1.820935219, 0.324709947, 0.328727946, 1.190777091)
SINGULAR = [
    ["SC.e1", "SC.e2", "AC.e1", "AC.e3"],
    ["SC.e1", "SC.e3", "AC.e1", "AC.e2"],
    ["SC.e1", "SC.e3", "AC.e1", "AC.e3"],
    ["SC.e2", "SC.e3", "AC.e1", "AC.e2"],
    ["SC.e3", "AC.e1", "AC.e2", "AC.e3"],
]


@pytest.fixture
def figures(study):
    return study("drivers")["figures"]


def test_chain_a_to_the_printed_digits(figures):
    """Ten significant digits of every multiplier and torque."""
    table = figures["chain_a"]
    assert table["t"] == list(CHAIN_A)
    for row, (multipliers, torques) in enumerate(CHAIN_A.values()):
        for kind, expected in (("lambda", multipliers), ("torque", torques)):
            hip, knee, universal = (table[f"{kind}_{joint}"][row] for joint in ("hip", "knee", "universal"))
            assert [*hip, knee, *universal] == pytest.approx(expected, rel=6e-10)


def test_both_formulations_agree_in_the_open_chain(figures):
    """A-rot, whatever the policy, and the balance of the bodies give the torques of E-rot."""
    open_chain = figures["open_chain"]
    assert figures["chain_a_angle_difference"] < 3e-11
    assert max(open_chain["torque_difference_by_policy"].values()) < 1e-10
    assert open_chain["torque_minus_newton_euler"] < 4e-13
    assert (open_chain["rows_euler"], open_chain["rows_angle"]) == (18, 24)
    assert max(open_chain["iterations_euler"], open_chain["iterations_angle"]) <= 4
    assert [round(value, 1) for value in open_chain["condition_euler"]] == [9.3, 9.8]
    assert open_chain["position_difference"] < 1e-14 and open_chain["acceleration_difference"] < 1e-11


def test_chain_b(figures):
    """Multipliers at t = 0, the condition, what A-rot makes of the torques, and the sets of components."""
    assert figures["chain_b_lambda_t0"] == pytest.approx(CHAIN_B, abs=6e-10)
    closed = figures["closed_chain"]
    assert [round(value) for value in closed["condition"]] == [431, 3342]
    norm = closed["torque_difference_by_policy"]["minimum_norm"]
    found = [round(norm[name], 2) for name in ("SC", "AC", "ellipsoid")]
    assert found == [2.45, 2.65, 1.13] and closed["undetermined"] == ["SC", "AC"]
    assert sorted(figures["singular_sets"]) == SINGULAR
    sets = {tuple(item["components"]): item for item in figures["closed_chain_sets"]}
    assert len(sets) == 15
    best = sets["SC.e1", "SC.e2", "SC.e3", "AC.e3"]["condition"]
    assert [round(value) for value in best] == [213, 398]
    assert sets["SC.e1", "AC.e1", "AC.e2", "AC.e3"]["condition"][1] == pytest.approx(7.4e4, rel=0.01)


def test_constraint_counts_are_those_of_table_3(figures):
    assert figures["constraint_counts"] == {"upper_E": 49, "upper_A": 64, "gait_E": 91, "gait_A": 105}


def test_failures(figures):
    """Figures 5 and 6, and the single A-rot row."""
    hip, knee, small = (figures[f"{name}"] for name in ("failure_hip", "failure_knee", "vanishing_angle"))
    assert figures["failure_hip_max_error_deg"] == pytest.approx(40.0, abs=1e-9)
    assert hip["error_e123_deg"] < 1e-13 and hip["error_to_absolute_deg"] < 1e-11
    assert hip["iterations_e012"] <= 8 and hip["residual_e012"] < 1e-9 and not hip["failed_frames"]
    low, high = figures["failure_knee_range_deg"]
    assert (round(low, 2), round(high, 2)) == (-25.20, 148.07)
    assert round(max(knee["e3_deg"]), 2) == 64.80 and abs(min(knee["e3_deg"])) < 1e-9
    assert len(hip["remarks"]) == len(knee["remarks"]) == 1
    for condition, expected in zip(small["condition_angle"], (17, 156, 1.56e3, 1.56e4), strict=True):
        assert condition == pytest.approx(expected, rel=0.01)
    assert np.abs(np.array(small["condition_euler"]) - 9.34).max() < 0.005
    half = figures["half_turn"]
    assert half["deviation_e123_deg"] > 39 and half["deviation_full_rotation_deg"] < 1e-9


def test_claims(study):
    """What does not hold is said: AC e2 is not the best, closed-chain torques differ, 180 degrees limit."""
    claims = study("drivers")["claims"]
    failed = [claim["claim"] for claim in claims if not claim["holds"]]
    assert len(claims) == 14 and len(failed) == 3
    for words in ("AC e2 is the best", "torques of E-rot and A-rot are equal", "no limits of motion"):
        assert any(words in claim for claim in failed)
