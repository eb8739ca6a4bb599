"""The study of Euler parameters: what it computes, checked by other means, and its honest claims."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.spatial import euler
from condyle.studies import tumbling


@pytest.fixture(scope="module")
def found(study):
    return study("euler-parameters")


def test_claims(found):
    """All hold but one: three equations do not hold as they are printed."""
    failed = [claim["claim"] for claim in found["claims"] if not claim["holds"]]
    assert failed == ["the same as printed (equations whose printed form fails)"]
    misprints = found["figures"]["identities"]["misprints"]
    assert {name.partition(" ")[0] for name in misprints} == {"002-B.5", "002-B.27", "002-B.28"}


def test_identities_are_those_of_the_appendix(found):
    identities = found["figures"]["identities"]
    assert identities["checked"] >= 33
    assert identities["largest_residual"] < 1e-13
    assert min(identities["misprints"].values()) > 0.1


def test_the_motion_is_that_of_a_free_body(found):
    """Angular momentum of the motion that is drawn, from its orientations alone, by differences."""
    motion = found["figures"]["free_body"]["motion"]
    time, e = np.array(motion["time"]), np.array(motion["e"])
    assert np.abs(np.linalg.norm(e, axis=1) - 1).max() < 1e-14
    step = time[1] - time[0]
    rates = (e[:-4] - 8 * e[1:-3] + 8 * e[3:-1] - e[4:]) / (12 * step)
    omega = euler.angular_velocity_in_body(e[2:-2], rates)
    momentum = np.einsum("nij,nj->ni", euler.orientation(e[2:-2]), omega @ tumbling.INERTIA)
    assert np.abs(momentum - tumbling.INERTIA @ tumbling.SPIN).max() < 2e-4
    axis = euler.orientation(e)[:, :, 1]
    assert axis[:, 1].min() < -0.9  # it tumbles: the middle axis turns over


def test_every_parameter_has_its_turn(found):
    body = found["figures"]["free_body"]
    e = np.array(body["motion"]["e"])
    assert (np.array(body["frames_of_choice"]) > 40).all()
    assert np.array_equal(np.abs(e).argmax(axis=1), body["motion"]["dependent"])
    assert body["choices"] > 5
    assert max(body["fixed_choice_end"].values()) < 10.0


def test_angles_fail_where_they_must(found):
    """All Cardan sequences stop half-way; none is cheap. Parameters are followed everywhere, alike."""
    sequences = found["figures"]["sequences"]
    assert set(sequences) == set(euler.SEQUENCES)
    for name, row in sequences.items():
        assert row["smallest_singular_value"] < 1e-12
        assert row["parameters_end"] == 10.0
        assert row["parameters_error"] < 1e-6
        assert row["angles_evaluations"] > 2 * row["parameters_evaluations"]
        if len(set(name)) == 3:
            assert row["angles_end"] == pytest.approx(5.0, abs=1e-6)


def test_the_chain_is_the_same_in_three_formulations(found):
    chain = found["figures"]["chain"]
    assert max(chain["acceleration_difference"].values()) < 1e-12
    assert max(chain["motion_difference"].values()) < 1e-10
    assert chain["momentum_drift"] < 1e-11
    assert min(chain["choices"].values()) > 1
    assert chain["angles_status"] == "SINGULAR"
    assert chain["angles_end"] == pytest.approx(2.0, abs=1e-6)
