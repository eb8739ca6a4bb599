"""The ankle's cases: equations of the peers, what is reported, and what a wrong peer leads to."""

from __future__ import annotations

import json
from importlib.util import find_spec

import numpy as np
import pytest

import condyle as cd
from condyle.bench.cases import ankle as case
from condyle.bench.peers.numpy_ankle import BODIES, PLACES, ThreeBodies, TwoAngles, integrated
from condyle.bench.runner import run
from condyle.bench.sizes import Sizes
from condyle.io import json_text
from condyle.library.ankle import ankle, ankle_bodies

NAMES = {"ankle_minimal": "scipy_ankle_peer", "ankle_absolute": "exudyn_ankle_peer"}
needs_exudyn = pytest.mark.skipif(find_spec("exudyn") is None, reason="Exudyn is not installed")


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Half a second of motion instead of five."""
    monkeypatch.setattr(case, "DURATION", 0.5)


def row(name: str) -> dict:
    (found,) = json.loads(json_text(run([name], sizes=Sizes(rounds=1))))["cases"]
    return found


def test_two_angles_in_numpy():
    """The same accelerations and the same places as the pins'."""
    mechanism, equations = cd.compile(ankle()), TwoAngles()
    rng = np.random.default_rng(1)
    for _ in range(5):
        y = rng.uniform(-2, 2, 4)
        expected = mechanism.forward_dynamics(y[:2], y[2:])
        assert equations.rates(0.0, y)[2:] == pytest.approx(expected, rel=1e-12)
        assert equations.place(y) == pytest.approx(mechanism.center_of_mass(y[:2])["foot"], abs=1e-15)


def test_three_bodies_in_numpy():
    """The same constraints (up to order and sign) and the same accelerations, in motion."""
    mechanism, equations = cd.compile(ankle_bodies()), ThreeBodies()
    moved = cd.simulate(mechanism, *mechanism.default_state(), 0.3, rtol=1e-11, atol=1e-13)
    q, u = moved.q[-1], moved.u[-1]
    parts = []
    for k in range(len(BODIES)):
        parts += [
            q[7 * k + 4 : 7 * k + 7],
            q[7 * k : 7 * k + 4],
            u[6 * k + 3 : 6 * k + 6],
            u[6 * k : 6 * k + 3],
        ]
    rates = equations.rates(0.0, np.concatenate(parts)).reshape(3, 13)
    udot = mechanism.forward_dynamics(q, u)
    qdot = mechanism.coordinate_rates(q, u)
    for k in range(3):
        found = np.concatenate([rates[k, 10:], rates[k, 7:10]])
        assert found == pytest.approx(udot[6 * k : 6 * k + 6], abs=1e-6)  # Baumgarte's terms of the residual
        assert rates[k, 3:7] == pytest.approx(qdot[7 * k : 7 * k + 4], abs=1e-9)
    assert np.abs(udot).max() > 10
    assert set(PLACES) == {body.name for body in BODIES}


@needs_exudyn
@pytest.mark.parametrize("name", NAMES)
def test_case(name):
    """Times and errors of Condyle and both peers, ratios at equal error."""
    found = row(name)
    assert found["failed"] is None, found["failed"]
    assert set(found["peers"]) == set(found["ratio"]) == {"scipy", "exudyn"}
    assert found["agreement"] < 1e-8 and found["error_m"] < 1e-9
    for peer in found["peers"]:
        tolerance = found["condyle_tolerance_at_equal_error"][peer]
        assert tolerance in case.LADDER
        own = found["condyle_ms_at_equal_error"][peer]
        assert found["ratio"][peer] == pytest.approx(found["peers"][peer] / own, rel=1e-12)
        assert found["peer_error_m"][peer] > 0
    assert found["condyle"] > 0 and found["holds"] in (True, False)


@pytest.mark.parametrize(("name", "peer"), NAMES.items())
def test_wrong_peer_fails_the_case(name, peer, monkeypatch):
    """A peer that ends elsewhere is reported, without a time."""
    monkeypatch.setattr(case, "scipy_ankle_peer", lambda *_: None)
    monkeypatch.setattr(case, "exudyn_ankle_peer", lambda *_: None)
    monkeypatch.setattr(case, peer, lambda *_: lambda: np.array([0.05, 0.01, 0.05]))
    found = row(name)
    assert "differ by" in found["failed"]
    assert found["condyle"] is None and found["ratio"] == {}


@pytest.mark.parametrize("name", NAMES)
def test_absent_peers_are_said(name, monkeypatch):
    """Condyle's figure comes all the same."""
    monkeypatch.setattr(case, "scipy_ankle_peer", lambda *_: None)
    monkeypatch.setattr(case, "exudyn_ankle_peer", lambda *_: None)
    found = row(name)
    assert found["failed"] is None and found["condyle"] > 0
    assert [note.split()[0] for note in found["notes"]] == ["scipy", "exudyn"]


def test_integrated_to_a_tolerance():
    """SciPy's run ends where the pins end."""
    mechanism = cd.compile(ankle())
    end = cd.simulate(mechanism, *mechanism.default_state(), [0.0, 0.3], rtol=1e-11, atol=1e-13)
    place = integrated(TwoAngles(), 0.3, 1e-11)()
    assert place == pytest.approx(mechanism.center_of_mass(end.q[-1])["foot"], abs=1e-10)
