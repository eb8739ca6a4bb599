"""The bench cases of the driven human, with one leg and few frames: what is reported, never how fast."""

import json

import numpy as np
import pytest

from condyle.bench.cases.drivers_26 import PAPER
from condyle.bench.human import Driven, driven
from condyle.bench.runner import run
from condyle.bench.sizes import Sizes
from condyle.io import json_text

TINY = Sizes(rounds=1, frames=6, human=("legs", "r"))


def row(name):
    (case,) = json.loads(json_text(run([name], sizes=TINY)))["cases"]
    assert case["failed"] is None, case["failed"]
    return case


@pytest.mark.parametrize("name", ["kinematic_analysis_26", "inverse_dynamics_26"])
def test_case_beside_numpy(name):
    """Agreement with dense NumPy, its ratio, the target in milliseconds per frame."""
    found = row(name)
    assert found["agreement"] < 1e-11 and found["failed_frames"] == 0
    assert (found["bodies"], found["rows"], found["speeds"]) == (7, 42, 42)
    assert found["unit"] == "ms per frame" and found["condyle"] > 0 and found["holds"] in (True, False)
    assert list(found["ratio"]) == ["numpy, dense"] and set(found["quartiles"]) > {"condyle"}


def test_drivers_beside_each_other():
    """Times of both kinds and their ratios, as table 3 of the paper has them."""
    found = row("drivers_e_over_a")
    assert found["agreement"] < 1e-10 and found["holds"] in (True, False)
    assert found["rows"] == {"E-rot": 42, "A-rot": 49}
    ratio = found["a_over_e"]["kinematics"]
    grows = found["a_over_e"]["dynamics, least norm"] > ratio
    assert found["grows_in_dynamics"] == grows and len(found["notes"]) == (not grows)
    assert ratio == pytest.approx(
        found["condyle"]["A-rot, kinematics"] / found["condyle"]["E-rot, kinematics"], rel=1e-12
    )
    assert found["faster_percent"]["kinematics"] == pytest.approx(100 * (1 - 1 / ratio), rel=1e-9)
    (kinematic, dynamic) = PAPER["upper_limb"]
    assert np.mean([10.772, 11.848, 19.046, 11.974]) == pytest.approx(kinematic[0])
    assert np.mean([0.190, 0.179, 0.203, 0.202]) == pytest.approx(dynamic[0])
    assert np.mean([8.694, 8.747, 8.882, 8.818]) == pytest.approx(kinematic[1], abs=1e-3)
    assert np.mean([0.046, 0.045, 0.031, 0.036]) == pytest.approx(dynamic[1])


def test_wrong_output_fails_the_case(monkeypatch):
    """Multipliers that differ from NumPy's by 2e-9 are a failure, without a time."""
    right = Driven.numpy_dynamics
    monkeypatch.setattr(Driven, "numpy_dynamics", lambda self, n: right(self, n) * (1 + 2e-9))
    (case,) = run(["inverse_dynamics_26"], sizes=TINY)["cases"]
    assert case["condyle"] is None and "multipliers: outputs differ" in case["failed"]


def test_timed_pieces_are_the_analyses():
    """What is timed gives what the public functions give."""
    human = driven(TINY, "euler")
    q, u, udot = human.kinematics()
    for found, whole in zip((q, u, udot), human.analysis.whole, strict=False):
        assert np.abs(found - whole).max() < 1e-10 * (1 + np.abs(whole).max())
