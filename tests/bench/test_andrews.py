"""The squeezer's cases: who is compared with whom, and that a peer which moves otherwise is not timed."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from condyle.bench.cases import andrews
from condyle.bench.peers import exudyn_peer
from condyle.bench.row import Row
from condyle.bench.squeezer import DURATION, POINTS, contenders, rms, truth
from condyle.library.andrews import TORQUE
from condyle.library.andrews import andrews as model
from condyle.library.bricard import bricard

from .test_cases import row

needs_exudyn = pytest.mark.skipif(find_spec("exudyn") is None, reason="Exudyn is not installed")


def test_against_our_own_multipliers():
    """Both ratios, of the fastest stabilised forms; whether both targets are met."""
    found = row("andrews_embedded_over_dae")
    assert found["failed"] is None, found["failed"]
    assert found["agreement_fourier"] <= 1e-6
    by_tolerance, by_error = found["ratio"].values()
    assert found["holds"] == (by_tolerance >= 2.5 and by_error >= 1.5)
    times = {name: ms for name, ms in found["ms_at_tolerance"].items() if name.startswith("dae")}
    del times["dae, projection, own norm"]
    assert by_tolerance == pytest.approx(min(times.values()) / found["condyle"])
    assert all("equal" in name for name in found["ratio"])


@needs_exudyn
def test_against_exudyn():
    """The same motion; the fastest of its solvers at the same error."""
    found = row("andrews_exudyn")
    assert found["failed"] is None, found["failed"]
    assert found["agreement"] <= 1e-5
    assert found["ratio"]["exudyn"] == pytest.approx(min(found["exudyn"].values()) / found["condyle"])


@needs_exudyn
def test_exudyn_moves_as_the_mechanism_does():
    """Second order: half the step, a quarter of the error. It refuses what it has no part for."""
    peer = exudyn_peer(model(), {"OF": TORQUE}, "OF")
    exact = truth(_constrained())
    solver = "trapezoidal, index 2"
    errors = [rms(peer.motion(solver, steps, DURATION, POINTS)[1], exact)[0] for steps in (1000, 2000)]
    assert errors[1] < 3e-4 and errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    with pytest.raises(ValueError, match="pins about z only"):
        exudyn_peer(bricard(), {}, "bar_0").motion(solver, 10, 0.1, 10)


def _constrained():
    with pytest.warns(UserWarning, match="follow from the others"):
        form = contenders()["dae, projection"]
        assert form.mechanism.constraint_report.rank == 6
    return form


def test_absent_exudyn_is_said(monkeypatch):
    """Our own figure comes all the same."""
    exact = np.zeros((POINTS + 1, 2))
    curve = type("Curve", (), {"seconds_at": lambda self, error: 2e-3})()
    monkeypatch.setattr(andrews, "exudyn_peer", lambda *_: None)
    monkeypatch.setattr(andrews, "_forms", lambda _: ({"fourier": None}, exact))
    monkeypatch.setattr(andrews.squeezer, "curves", lambda *_, **__: {"fourier": curve})
    found = andrews.exudyn(type("Sizes", (), {"rounds": 1})())
    assert isinstance(found, Row) and found.condyle == pytest.approx(2.0)
    assert found.ratio == {} and found.holds is None and "not installed" in found.notes[0]
