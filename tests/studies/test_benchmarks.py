"""The benchmark problems: what the study reports of each, and the power that the governor's dampers take."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.library.governor import damper_power, governor
from condyle.studies.benchmark_problems import PROBLEMS

#: Largest error [m] and energy drift [J]; None: there is no reference.
BOUNDS = {
    "A01": (1e-6, 1e-6),
    "A02_2": (1e-6, 1e-6),
    "A02_2_multipliers": (1e-6, 1e-6),
    # Two outputs are 1e-4 rad from a pose where the loops do not determine the speeds.
    "A02_40": (1e-6, 1e-2),
    "A02_40_multipliers": (1e-6, 2e-5),
    "A03": (1e-9, 1e-6),
    "A03_multipliers": (1e-9, 1e-8),
    "A04": (None, 1e-6),
    "A04_multipliers": (None, 1e-6),
    "A05": (2e-8, 1e-6),
}


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_problem(study, name):
    """Errors and drifts are within their bounds, every run has got to its end."""
    found = study("benchmarks")["figures"][name]
    error, drift = BOUNDS[name]
    assert found["status"] == 0 and found["time_s"] > 0
    assert found["error_m"] is None if error is None else found["error_m"] <= error
    assert 0 <= found["energy_drift_J"] <= drift
    treatments = {"A01": "tree", "A05": "tree"}
    wanted = "multipliers" if name.endswith("multipliers") else treatments.get(name, "embed")
    assert found["treatment"] == wanted


def test_all_problems_are_there(study):
    """Every problem, and by both treatments what has loops."""
    figures = study("benchmarks")["figures"]
    assert set(BOUNDS) == {key for key in figures if key.startswith("A0")}
    assert set(PROBLEMS) == {name.removesuffix("_multipliers") for name in BOUNDS}


def test_both_treatments_of_bricard_move_alike(study):
    """The same path of its corner, over-constrained as it is."""
    motion = study("benchmarks")["figures"]["motion"]
    embedded, constrained = (np.array(motion[key]["position"]) for key in ("A04", "A04_multipliers"))
    np.testing.assert_allclose(embedded, constrained, rtol=0, atol=1e-7)


def test_dampers_take_what_the_energy_loses():
    """At random states, the rate of the governor's energy is the power of its dampers, by hand."""
    mechanism = cd.compile(governor())
    draw = np.random.default_rng(5)
    q, u = np.tile(mechanism.default_state()[0], (20, 1)), np.zeros((20, 4))
    names = mechanism.coordinates
    angle, rate = draw.uniform(-1, 0.5, 20), draw.uniform(-1, 1, 20)
    for rod in ("rod_1.angle", "rod_2.angle"):
        q[:, names.index(rod)], u[:, names.index(rod)] = angle, rate
    height, speed = draw.uniform(0.4, 0.6, 20), draw.uniform(-1, 1, 20)
    q[:, names.index("s.displacement")], u[:, names.index("s.displacement")] = height, speed
    udot = mechanism.forward_dynamics(q, u)
    step = 1e-6

    def energy(h: float) -> np.ndarray:
        moved, faster = q + h * u, u + h * udot
        return mechanism.kinetic_energy(moved, faster) + mechanism.potential_energy(moved)

    # Central differences; the change of the accelerations adds to the second order only.
    rate_of_energy = (energy(step) - energy(-step)) / (2 * step)
    expected = -damper_power(angle, height, rate, speed)
    np.testing.assert_allclose(rate_of_energy, expected, rtol=2e-5, atol=1.0)
