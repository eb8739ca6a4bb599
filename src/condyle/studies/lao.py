"""Figure 7: the LAO binding protein as two rigid lobes, closed by one coordinate (section 5)."""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle.library.lao import (
    ANGSTROM,
    DALTON,
    hinge_origin,
    lao,
    rmsd,
    structures,
    superposition,
    transition,
)
from condyle.studies.base import Claim, Progress, StudyResult

NAME = "lao"
TITLE = "Figure 7: LAO binding protein, open to closed in one coordinate; driving force and bearing loads"

DURATION = 1e-9  # s; the paper chooses no time scale
REFERENCE = {"rotation_deg": 51.4778, "angles_123_deg": (43.377191, -12.674987, 31.032426)}


def closing(time: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Minimum-jerk coordinate from 0 to 1 over the duration, with its two derivatives."""
    s = time / DURATION
    q = s**3 * (10 - 15 * s + 6 * s**2)
    rate = 30 * s**2 * (1 - s) ** 2 / DURATION
    acceleration = 60 * s * (1 - s) * (1 - 2 * s) / DURATION**2
    return q, rate, acceleration


def screw(R: np.ndarray, t: np.ndarray) -> tuple[float, np.ndarray, float]:
    """Angle [rad], axis and slide along the axis of a displacement x -> R x + t."""
    angle = float(np.arccos((np.trace(R) - 1) / 2))
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (2 * np.sin(angle))
    return angle, axis, float(axis @ t)


def run(progress: Progress) -> StudyResult:
    """The fit, the motion, the net force that drives it and the loads that the hinge bears."""
    found, atoms = transition(), structures()
    angle, axis, slide = screw(found.R, found.t)
    mechanism = cd.compile(lao())
    progress("driving the hinge from open to closed")
    time = np.linspace(0.0, DURATION, 201)
    q, u, udot = (value[:, None] for value in closing(time))
    force = mechanism.inverse_dynamics(q, u, udot)
    moment, bearing = mechanism.joint_reactions(q, u, udot)["hinge"]
    conformations = mechanism.marker_positions(np.linspace(0, 1, 11)[:, None])
    mobile = np.stack(list(conformations.values()), axis=1) / ANGSTROM  # (11, n, 3)
    target = found.closed[atoms.mobile]
    rmsds = [rmsd(place, target) for place in mobile]
    rigid = max(superposition(place, atoms.opened[atoms.mobile])[2] for place in mobile)
    # Work of the net force is the kinetic energy, zero at both ends.
    power = force[:, 0] * u[:, 0]
    kinetic = mechanism.kinetic_energy(q, u)
    middle = len(time) // 2
    work = float(np.trapezoid(power[: middle + 1], time[: middle + 1]))
    figures = {
        "rotation_deg": float(np.degrees(angle)),
        "angles_123_deg": np.degrees(found.angles),
        "axis": axis,
        "slide_angstrom": slide,
        "translation_centroid_angstrom": found.R @ hinge_origin() + found.t - hinge_origin(),
        "translation_pdb_origin_angstrom": found.t,
        "hinge_origin_angstrom": hinge_origin(),
        "stationary_fit_rmsd_angstrom": found.stationary_rmsd,
        "mobile_rmsd_before_angstrom": found.mobile_rmsd_before,
        "mobile_fit_rmsd_angstrom": found.mobile_rmsd,
        "domain_rmsd_angstrom": {"q": np.linspace(0, 1, 11), "rmsd": rmsds},
        "domain_deformation_angstrom": rigid,
        "mass_mobile_dalton": mechanism.model.bodies[0].mass / DALTON,
        "duration": DURATION,
        "time": time,
        "closing": q[:, 0],
        "net_force": force[:, 0],
        "bearing_force": bearing,
        "bearing_moment": moment,
        "work_to_the_middle": work,
        "kinetic_energy_in_the_middle": float(kinetic[middle]),
        "conformations": {
            "stationary": atoms.opened[~atoms.mobile],
            "stationary_residues": atoms.residues[~atoms.mobile],
            "mobile_open": mobile[0],
            "mobile_closed": mobile[-1],
            "mobile_residues": atoms.residues[atoms.mobile],
        },
    }
    angles = float(np.abs(figures["angles_123_deg"] - np.array(REFERENCE["angles_123_deg"])).max())
    turned = abs(figures["rotation_deg"] - REFERENCE["rotation_deg"])
    balance = abs(work - figures["kinetic_energy_in_the_middle"]) / figures["kinetic_energy_in_the_middle"]
    claims = (
        Claim("residues 92-191 move as one lobe", "92-191", f"{len(target)} alpha carbons", len(target) == 100),
        Claim("rotation of the mobile lobe [deg] (independent fit)", 51.4778, figures["rotation_deg"], turned < 5e-5),
        Claim("1-2-3 angles [deg] (independent fit), largest difference", 0.0, angles, angles < 1e-6),
        Claim(
            "q = 1 is the synthetic closed conformation [angstrom]", found.mobile_rmsd, rmsds[-1], abs(rmsds[-1] - found.mobile_rmsd) < 1e-9
        ),
        Claim("the lobe stays rigid on the way [angstrom]", 0.0, rigid, rigid < 1e-12),
        Claim("net motive force: its work is the kinetic energy (relative)", 0.0, balance, balance < 1e-3),
    )
    return StudyResult(NAME, figures, claims)
