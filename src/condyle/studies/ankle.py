"""The ankle complex as a classical and as a modified universal joint (Rodrigues da Silva et al. 2023): twelve
runs, the paper's findings, costs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.studies import ankle_absolute, ankle_cost, ankle_findings, ankle_limits, ankle_reference
from condyle.studies.ankle_runs import (
    CLASSICAL,
    COUNTED_RTOL,
    LENGTHS,
    MODES,
    MODIFIED,
    RTOL,
    RUNS,
    Runs,
    name_of,
    parametric,
    run_figures,
    simulated,
)
from condyle.studies.base import Progress, StudyResult

NAME = "ankle"
TITLE = (
    "The ankle complex: classical and modified universal joint, range of motion, damping, length of the link"
)

DRAWN = 2  # every second output of places and their derivatives is among the figures
SNAPSHOTS = np.linspace(0.0, 1.0, 6)
COUNTED_WITH = f"DormandPrince853, rtol {COUNTED_RTOL:g}, atol {ankle_cost.ATOL:g}, 5 s, minimal coordinates"


def run(progress: Progress) -> StudyResult:
    """The twelve runs in both formulations, variants, costs, and the claims F1 to F16."""
    pins = parametric()
    progress("twelve runs of 5 s, two pins and a massless link")
    runs = simulated(pins)
    evaluations = ankle_cost.of_all_runs(pins)
    progress("the same in absolute coordinates")
    compared = ankle_absolute.compared(runs)
    each = {
        name_of(*one): run_figures(runs, *one) | {"evaluations": evaluations[k], "integrator": COUNTED_WITH}
        for k, one in enumerate(RUNS)
    }
    progress("free toes; a talus with mass; evaluations by integrator; the foot at rest")
    figures = {
        **each,
        **compared,
        "tolerance": RTOL,
        "gradient_energy_drift": ankle_limits.gradient_drift(),
        "half_damped_contact_s": ankle_limits.half_damped_contact(pins),
        "free_toes": ankle_absolute.free_toes(runs.times),
        "evaluations_by_integrator": ankle_cost.by_integrator(pins),
        "talus_with_mass": ankle_cost.heavy_talus(),
        "evaluations_at_rest": ankle_cost.at_rest(pins),
        "motion": motion(runs),
        "snapshots": snapshots(runs),
    }
    figures["departure_from_reference"] = ankle_reference.departures(each)
    drift, contact = max(figures["gradient_energy_drift"].values()), figures["half_damped_contact_s"]
    claims = (
        *ankle_findings.claims(runs),
        *ankle_limits.claims(runs, drift, contact),
        *ankle_cost.claims(figures),
        *ankle_reference.claims(figures),
    )
    return StudyResult(NAME, figures, claims)


def motion(runs: Runs) -> dict[str, Any]:
    """Series of figures 10, 12 to 14, 17 and 20, [m, m/s, m/s^2, J] to seven decimals."""
    found: dict[str, Any] = {"time": runs.times[::DRAWN], "time_of_energies": runs.times}
    for length in LENGTHS:
        for mode in MODES if length in (CLASSICAL, MODIFIED) else MODES[:1]:
            whole = length in (CLASSICAL, MODIFIED)
            places = ("com", "velocity", "acceleration") if whole else ("com",)
            energies = ("mechanical", "stored") if whole else ()
            found[name_of(length, mode)] = {
                what: np.round(runs.of(what, length, mode)[:: DRAWN if what in places else 1], 7)
                for what in places + energies
            }
    return found


def snapshots(runs: Runs) -> dict[str, Any]:
    """Poses (R, p) of talus, foot and toes in the first second, figures 11, 15 and 16."""
    at = [int(np.argmin(np.abs(runs.times - time))) for time in SNAPSHOTS]
    found: dict[str, Any] = {"time": SNAPSHOTS}
    for length in (CLASSICAL, MODIFIED):
        for mode in MODES:
            member = RUNS.index((length, mode))
            found[name_of(length, mode)] = {
                body: {"rotation": R[member, at], "position": p[member, at]}
                for body, (R, p) in runs.poses.items()
                if body != "leg"
            }
    return found
