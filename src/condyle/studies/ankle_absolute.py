"""The runs of the ankle paper in absolute coordinates, as the paper has them, beside those of two pins."""

from __future__ import annotations

from typing import Any

import numpy as np

import condyle as cd
from condyle.analyses import Baumgarte, Simulation
from condyle.constraints import ModifiedUniversal
from condyle.library.ankle import ankle, ankle_bodies, range_of_motion
from condyle.solve import DormandPrince853
from condyle.studies.ankle_runs import LENGTHS, MODES, RTOL, RUNS, Runs, forces_of, name_of

STABILISATION = Baumgarte(5.0, 5.0)  # the paper's alpha and beta
FORCES = ("range_of_motion.law.height", "range_of_motion.damping")
LINK = ("ankle.length", "ankle.along_a", "ankle.along_b", "ankle.point_b[2]")


def classical() -> cd.Mechanism:
    """Three bodies with the classical universal joint; parameters: the forces."""
    return cd.compile(ankle_bodies(0.0, forces=(range_of_motion(),)), parameters=FORCES)


def modified() -> cd.Mechanism:
    """The same with the modified joint; parameters: the link and the forces."""
    return cd.compile(ankle_bodies(forces=(range_of_motion(),)), parameters=(*LINK, *FORCES))


def values_of(length: float, mode: str) -> tuple[float, ...]:
    """The parameters of one run of `classical()` (length 0) or `modified()`."""
    if not length:
        return forces_of(mode)
    joint = next(each for each in ankle_bodies(length).constraints if isinstance(each, ModifiedUniversal))
    return (joint.length, joint.along_a, joint.along_b, joint.point_b[2], *forces_of(mode))


def simulated(
    mechanism: cd.Mechanism, runs: tuple[tuple[float, str], ...], times: np.ndarray, rtol: float = RTOL
) -> Simulation:
    """Some runs, leading axis, of the mechanism that their lengths need."""
    q, u = (np.tile(part, (len(runs), 1)) for part in mechanism.default_state())
    values = np.array([values_of(*run) for run in runs])
    options = {"method": DormandPrince853(), "rtol": rtol, "atol": rtol * 1e-2}
    return cd.simulate(mechanism, q, u, times, parameters=values, stabilisation=STABILISATION, **options)


def compared(runs: Runs) -> dict[str, Any]:
    """Largest distance of the foot's mass centre between both formulations, by run [m], and what Baumgarte's
    stabilisation leaves of the constraints.
    """
    difference, violation = {}, 0.0
    for mechanism, lengths in ((classical(), LENGTHS[:1]), (modified(), LENGTHS[1:])):
        chosen = tuple((length, mode) for length in lengths for mode in MODES)
        found = simulated(mechanism, chosen, runs.times)
        values = np.array([values_of(*run) for run in chosen])[:, None, :]
        com = mechanism.center_of_mass(found.q, parameters=values)["foot"]
        for (length, mode), places in zip(chosen, com, strict=True):
            apart = np.linalg.norm(places - runs.of("com", length, mode), axis=-1)
            difference[name_of(length, mode)] = float(apart.max())
        violation = max(violation, float(found.constraint_residual.max()))
    kept = [name_of(*run) for run in RUNS if run[1] != "cone"]
    return {
        "formulation_difference_m": max(difference[name] for name in kept),
        "formulation_difference_cone_m": max(difference[name] for name in difference if name not in kept),
        "formulation_difference_by_run_m": difference,
        "constraint_violation": violation,
    }


def free_toes(times: np.ndarray) -> dict[str, Any]:
    """Variant: nothing locks the toes, three freedoms, no cone; in both formulations."""
    options = {"method": DormandPrince853(), "rtol": RTOL, "atol": RTOL * 1e-2}
    pins = cd.compile(ankle(free_toes=True))
    bodies = cd.compile(ankle_bodies(free_toes=True))
    one = cd.simulate(pins, *pins.default_state(), times, **options)
    other = cd.simulate(bodies, *bodies.default_state(), times, stabilisation=STABILISATION, **options)
    com = pins.center_of_mass(one.q)["foot"]
    apart = np.linalg.norm(bodies.center_of_mass(other.q)["foot"] - com, axis=-1)
    toes = np.degrees(one.coordinate("metatarsophalangeal.angle"))
    at_1s = int(np.argmin(np.abs(times - 1.0)))
    return {
        "com_1s": com[at_1s],
        "com_5s": com[-1],
        "toes_range_deg": (float(toes.min()), float(toes.max())),
        "energy_drift": float(one.energy_drift),
        "formulation_difference_m": float(apart.max()),
    }
