"""The ankle study: figures that others read, numbers of an independent implementation, and what each claim
stands on.
"""

from __future__ import annotations

import numpy as np
import pytest

from condyle.studies import ankle_findings, ankle_reference

LENGTHS = ("0.0000", "0.0360", "0.0417", "0.0474")
MODES = ("free", "cone", "cone_damped")
RUNS = [f"l{length}_{mode}" for length in LENGTHS for mode in MODES]
#: Mass centre of the main foot [m] as an independent implementation printed it (run, time).
PLACES = {
    ("l0.0000_free", "1s"): (0.036049927, -0.001830584, 0.047495010),
    ("l0.0000_free", "5s"): (0.014270419, -0.003827327, 0.059256813),
    ("l0.0360_free", "5s"): (0.015938481, 0.011972654, 0.058366425),
    ("l0.0417_free", "5s"): (0.018685679, 0.013057748, 0.056150442),
    ("l0.0474_free", "5s"): (0.023129355, 0.014469688, 0.053030808),
    ("l0.0000_cone", "1s"): (0.084670475, 0.007851878, 0.053018400),
    ("l0.0417_cone", "1s"): (0.084629261, 0.008437456, 0.051668009),
    ("l0.0000_cone_damped", "5s"): (0.053929483, 0.000098335, 0.044748921),
    ("l0.0417_cone_damped", "5s"): (0.054243955, 0.007928922, 0.044681964),
}
#: First time beyond the limits [s].
CONTACTS = {"l0.0000_cone": 0.168355, "l0.0474_cone": 0.171655, "l0.0417_cone_damped": 0.893697}


@pytest.fixture(scope="module")
def document(study):
    return study("ankle")


@pytest.fixture(scope="module")
def figures(document):
    return document["figures"]


@pytest.mark.parametrize("run", RUNS)
def test_keys_of_a_run(figures, run):
    """Each run has what it is asked for; null where there is nothing to say."""
    found = figures[run]
    assert np.shape(found["com_1s"]) == np.shape(found["com_5s"]) == (3,)
    assert np.shape(found["angles_5s_deg"]) == (2,)
    assert isinstance(found["evaluations"], int) and found["evaluations"] > 1000
    assert "DormandPrince853" in found["integrator"] and "1e-10" in found["integrator"]
    assert (found["energy_drift"] is None) == run.endswith("damped")
    assert (found["first_contact_s"] is None) == run.endswith("free")


def test_independent_implementation(figures):
    """Places to 1e-8 m free and damped, to 1e-6 m with the undamped cone; contacts, angles, energy."""
    for (run, time), place in PLACES.items():
        bound = 1e-6 if run.endswith("cone") else 1e-8
        assert np.abs(np.subtract(figures[run][f"com_{time}"], place)).max() < bound, run
    for run, time in CONTACTS.items():
        assert figures[run]["first_contact_s"] == pytest.approx(time, abs=1e-6)
    assert figures["l0.0474_free"]["angles_5s_deg"] == pytest.approx((62.136402, 17.310505), abs=1e-6)
    assert figures["l0.0000_cone_damped"]["mechanical_energy_1s"] == pytest.approx(0.43669028, abs=1e-8)
    assert figures["motion"]["l0.0000_free"]["mechanical"][0] == pytest.approx(0.7354279377, abs=1e-7)


def test_formulations_agree(figures):
    """Minimal and absolute coordinates; Baumgarte's stabilisation keeps the constraints."""
    assert figures["formulation_difference_m"] < 1e-8
    assert figures["formulation_difference_cone_m"] < 1e-6
    assert set(figures["formulation_difference_by_run_m"]) == set(RUNS)
    assert figures["free_toes"]["formulation_difference_m"] < 1e-8
    assert 0 < figures["constraint_violation"] < 5e-12


def test_energy(figures):
    """Conservative without a cone and with the normal of a potential; the surface's normal exchanges some."""
    for length in LENGTHS:
        assert figures[f"l{length}_free"]["energy_drift"] < 1e-10
        assert 1e-3 < figures[f"l{length}_cone"]["energy_drift"] < 4e-3
    assert max(figures["gradient_energy_drift"].values()) < 1e-8
    assert figures["free_toes"]["energy_drift"] < 1e-10


def test_free_toes_swing(figures):
    """The variant has another motion: the toes swing, and the foot ends elsewhere."""
    free, locked = figures["free_toes"], figures["l0.0417_free"]
    low, high = free["toes_range_deg"]
    assert low < -30 and high > 30
    assert np.linalg.norm(np.subtract(free["com_5s"], locked["com_5s"])) > 5e-3


def test_findings_that_are_not_shown(document):
    """Exactly these; each says why."""
    failing = [claim["claim"] for claim in document["claims"] if not claim["holds"]]
    assert [text.split()[0].rstrip(":") for text in failing] == ["F10", "F12", "F13", "F15"]
    assert all("NOT" in text for text in failing)
    numbers = {claim["claim"].split()[0].rstrip(":") for claim in document["claims"]}
    assert {f"F{k}" for k in range(1, 17)} <= numbers


def test_evaluations_are_those_of_the_table(figures):
    """Each run alone needs what it needs in the ensemble."""
    table = figures["evaluations_by_integrator"]["DormandPrince853"]["minimal"]
    for run, counts in table.items():
        assert figures[run]["evaluations"] == counts["5s"]
        assert counts["5s"] > counts["1s"] > 0


def test_half_the_damping_would_give_the_papers_plateau(figures):
    """0.43 s needs about half the stated damping."""
    assert figures["half_damped_contact_s"] == pytest.approx(0.427, abs=1e-3)


def test_talus_with_mass_costs_what_the_link_costs(figures):
    """No light body makes steps small: a fiftieth more at most, in either formulation and by both methods."""
    table = figures["talus_with_mass"]
    assert set(table) == {"link", "0.1 kg", "0.01 kg", "0.001 kg"}
    for row in table.values():
        for form, counts in row.items():
            assert 0.9 < counts["steps"] / table["link"][form]["steps"] < 1.02


def test_stall_at_rest(figures):
    """With purely relative error control evaluations run away; with an absolute part they do not."""
    usual, relative = (figures["evaluations_at_rest"][f"atol {atol}"] for atol in ("1e-12", "1e-20"))
    assert np.diff(usual)[-1] < np.diff(usual)[0]
    assert np.diff(relative)[-1] > 10 * np.diff(relative)[0]


def test_departures_see_every_number(figures):
    """A change of any reference number, or of any figure, shows."""
    for key, run, part in (
        ("com_m", "l0.0474_free", "com_1s"),
        ("com_cone_m", "l0.0417_cone", "com_1s"),
        ("angles_deg", "l0.0360_free", "angles_5s_deg"),
        ("mechanical_energy_J", "l0.0417_cone_damped", "mechanical_energy_5s"),
        ("first_contact_s", "l0.0360_cone", "first_contact_s"),
    ):
        moved = figures | {run: figures[run] | {part: np.add(figures[run][part], 1e-3)}}
        assert ankle_reference.departures(moved)[key] == pytest.approx(1e-3, rel=1e-2)


def test_measures():
    """Cells of a portrait and the middle of a path, on curves that are known."""
    turn = np.linspace(-np.pi, np.pi, 20001)
    assert ankle_findings.visited_cells(turn, turn) == 40
    corners = np.array([0.0, 0.0, 1.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    assert ankle_findings.visited_cells(*corners) == 4
    assert ankle_findings.mean_side(np.array([[0, -1.0, 0], [0, 3.0, 0]])) == 1.0
    assert ankle_findings.correlation(np.sin(turn), -2 * np.sin(turn)) == pytest.approx(-1.0)
