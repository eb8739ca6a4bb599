"""Rotational drivers with relative Euler parameters (Antunes, Folgado, Quental 2025) on two small chains."""

from __future__ import annotations

from typing import Any

import numpy as np

import condyle as cd
from condyle.library.human_26 import ARMS, LEGS, human_26, human_drivers
from condyle.studies.base import Claim, Progress, StudyResult
from condyle.studies.driver_chains import (
    GIRDLE,
    LEG,
    angle_drivers,
    euler_drivers,
    girdle_chain,
    leg_chain,
    motions,
)
from condyle.studies.driver_failures import conditions, half_turn, hip, knee, vanishing_angle

NAME = "drivers"
TITLE = "Rotational drivers: relative Euler parameters against angles, and the choices that fail"

PRINTED_AT = (0.0, 0.25, 0.5, 0.75)
JOINTS = {"hip": "hip", "knee": "knee", "universal": "ankle"}
#: Table 3 of the paper.
COUNTS = {"upper_E": 49, "upper_A": 64, "gait_E": 91, "gait_A": 105}


def run(progress: Progress) -> StudyResult:
    """Chains A and B by E-rot and A-rot, failure cases, sets of components, counts of equations."""
    times = np.linspace(0.0, 1.0, 101)
    progress("chain A: leg, open")
    leg = cd.compile(leg_chain(), formulation="absolute")
    chain_a, open_chain = _open_chain(leg, times)
    progress("chain B: shoulder girdle, closed")
    closed, lambda_t0, sets = _closed_chain(times)
    progress("choices that fail")
    small, of_hip, of_knee = vanishing_angle(leg), hip(leg, times), knee(times)
    regularity = cd.driver_regularity(leg, euler_drivers(LEG), motions(LEG, times))
    progress("constraint counts of table 3")
    counts = constraint_counts()
    singular = [list(choice["components"]) for choice in sets if choice["passes"]]
    figures = {
        "chain_a": chain_a,
        "chain_a_angle_difference": open_chain["torque_difference"],
        "chain_b_lambda_t0": lambda_t0,
        "singular_sets": singular,
        "constraint_counts": counts,
        "failure_hip_max_error_deg": of_hip["error_e012_deg"],
        "failure_knee_range_deg": [float(of_knee["e1_deg"].min()), float(of_knee["e1_deg"].max())],
        "failure_knee_amplitude_deg": float(np.ptp(of_knee["e1_deg"])),
        "time": times,
        "open_chain": open_chain,
        "closed_chain": closed,
        "closed_chain_sets": sets,
        "joint_sets": {name: report.lines() for name, report in regularity.items()},
        "vanishing_angle": small,
        "failure_hip": of_hip,
        "failure_knee": of_knee,
        "half_turn": half_turn(leg, times),
    }
    return StudyResult(NAME, figures, _claims(figures))


def _open_chain(leg: cd.Mechanism, times: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
    printed = cd.driver_dynamics(
        cd.kinematic_analysis(leg, euler_drivers(LEG), motions(LEG, np.array(PRINTED_AT)))
    )
    table: dict[str, Any] = {"t": list(PRINTED_AT)}
    for label, joint in JOINTS.items():
        table[f"lambda_{label}"] = _plain(printed.multipliers_of(f"driver {joint}"))
        table[f"torque_{label}"] = _plain(printed.torques[joint])
    euler = cd.kinematic_analysis(leg, euler_drivers(LEG), motions(LEG, times))
    angle = cd.kinematic_analysis(leg, angle_drivers(LEG), motions(LEG, times))
    by_euler = cd.driver_dynamics(euler)
    differences = {}
    for policy in ("minimum_norm", "weighted", "basic"):
        by_angle = cd.driver_dynamics(angle, policy=policy)
        differences[policy] = max(
            float(np.abs(by_angle.torques[joint] - by_euler.torques[joint]).max())
            for joint in by_euler.torques
        )
    direct = _newton_euler(leg, euler)
    return table, {
        "rows_euler": len(euler.row_names),
        "rows_angle": len(angle.row_names),
        "speeds": len(leg.speeds),
        "condition_euler": [float(conditions(euler).min()), float(conditions(euler).max())],
        "iterations_euler": int(euler.iterations.max()),
        "iterations_angle": int(angle.iterations.max()),
        "torque_difference": differences["minimum_norm"],
        "torque_difference_by_policy": differences,
        "torque_minus_newton_euler": max(
            float(np.abs(direct[joint] - by_euler.torques[joint]).max()) for joint in direct
        ),
        "position_difference": float(np.abs(angle.q - euler.q).max()),
        "acceleration_difference": float(np.abs(angle.udot - euler.udot).max()),
        "deviation_rad": max(float(values.max()) for values in euler.deviation.values()),
        "torques": {joint: by_euler.torques[joint] for joint in by_euler.torques},
    }


def _newton_euler(leg: cd.Mechanism, motion: cd.analyses.KinematicAnalysis) -> dict[str, np.ndarray]:
    """Torques about the joints from the balance of the bodies below, in ground axes; no multipliers."""
    poses = leg.body_poses(motion.q)
    turning = leg.body_velocities(motion.q, motion.u)
    slowing = leg.body_accelerations(motion.q, motion.u, motion.udot)
    names = [joint.child for joint in leg.model.joints]
    moments = {}
    for k, joint in enumerate(leg.model.joints):
        R, p = poses[joint.child]
        at = p + np.einsum("fij,j->fi", R, np.array(joint.child_frame.translation))
        total = np.zeros(at.shape)
        for body in (b for b in leg.model.bodies if b.name in names[k:]):
            R_body, center = poses[body.name]
            omega, omegadot = turning[body.name][0], slowing[body.name][0]
            J = R_body @ np.diag(body.inertia[:3]) @ np.swapaxes(R_body, 1, 2)
            spin = np.einsum("fij,fj->fi", J, omegadot) + np.cross(omega, np.einsum("fij,fj->fi", J, omega))
            pull = body.mass * (slowing[body.name][1] - np.array(leg.model.gravity))
            total += spin + np.cross(center - at, pull)
        moments[joint.name] = total
    shank, foot, thigh = (poses[name][0] for name in ("shank", "foot", "thigh"))
    return {
        "hip": moments["hip"],
        "knee": np.einsum("fi,fi->f", moments["knee"], thigh[..., 2])[:, None],
        "ankle": np.stack(
            [np.einsum("fi,fi->f", moments["ankle"], axis) for axis in (shank[..., 2], foot[..., 0])],
            axis=-1,
        ),
    }


def _closed_chain(times: np.ndarray) -> tuple[dict[str, Any], list[float], list[dict[str, Any]]]:
    girdle = cd.compile(girdle_chain(), formulation="absolute")
    euler = cd.kinematic_analysis(girdle, euler_drivers(GIRDLE), motions(GIRDLE, times))
    by_euler = cd.driver_dynamics(euler)
    order = ("TS", "AI", "driver SC", "driver AC")
    first = np.concatenate([by_euler.multipliers_of(name)[0] for name in order])
    consistent = {joint.name: euler.relative_motion(joint.name) for joint in GIRDLE}
    angle = cd.kinematic_analysis(girdle, angle_drivers(GIRDLE), consistent, overdetermined="least_squares")
    differences = {}
    for policy in ("minimum_norm", "weighted", "basic"):
        by_angle = cd.driver_dynamics(angle, policy=policy)
        differences[policy] = {
            joint: float(np.linalg.norm(by_angle.torques[joint] - by_euler.torques[joint], axis=1).max())
            for joint in ("SC", "AC")
        } | {
            "ellipsoid": max(
                float(np.abs(by_angle.multipliers_of(name) - by_euler.multipliers_of(name)).max())
                for name in ("TS", "AI")
            )
        }
    sets = [
        {
            "components": list(choice.components),
            "condition": [choice.least_condition, choice.largest_condition],
            "worst_time_s": float(times[choice.frame]),
            "passes": choice.passes,
        }
        for choice in cd.chain_regularity(euler, ("SC", "AC"))
    ]
    figures = {
        "condition": [float(conditions(euler).min()), float(conditions(euler).max())],
        "iterations": int(euler.iterations.max()),
        "residual": float(np.abs(euler.residual).max()),
        "rows_angle": len(angle.row_names),
        "undetermined": list(cd.driver_dynamics(angle, policy="minimum_norm").undetermined),
        "torque_difference_by_policy": differences,
    }
    in_order = sorted(sets, key=lambda item: item["components"])
    return figures, [float(value) for value in first], in_order


def constraint_counts() -> dict[str, int]:
    """Equations of table 3 from the model of table 1: joints, normality of each p, drivers."""
    found = {}
    for label, parts, sides in (("upper", (ARMS,), "r"), ("gait", (LEGS,), "rl")):
        model = human_26(parts, sides)
        mechanism = cd.Mechanism(model, formulation="absolute")
        held = sum(constraint.size for constraint in mechanism.tree.model.constraints)
        for letter, kind in (("E", "euler"), ("A", "angle")):
            drivers = sum(driver.size for driver in human_drivers(model, kind))
            found[f"{label}_{letter}"] = len(model.bodies) + held + drivers
    return found


def _plain(values: np.ndarray) -> list[Any]:
    return values[:, 0].tolist() if values.shape[1] == 1 else values.tolist()


def _claims(f: dict[str, Any]) -> tuple[Claim, ...]:
    open_chain, closed, small = f["open_chain"], f["closed_chain"], f["vanishing_angle"]
    of_hip, of_knee, half = f["failure_hip"], f["failure_knee"], f["half_turn"]
    passing = len(f["singular_sets"])
    best = min(f["closed_chain_sets"], key=lambda item: (item["passes"], item["condition"][1]))
    norm = closed["torque_difference_by_policy"]["minimum_norm"]
    low, high = f["failure_knee_range_deg"]
    return (
        Claim(
            "E-rot gives independent constraints: rows = speeds of chain A",
            "square",
            f"{open_chain['rows_euler']} rows, {open_chain['speeds']} speeds, condition "
            f"{open_chain['condition_euler'][0]:.2f} to {open_chain['condition_euler'][1]:.2f}",
            open_chain["rows_euler"] == open_chain["speeds"] and open_chain["condition_euler"][1] < 10,
        ),
        Claim(
            "torques of E-rot and A-rot are equal in an open chain (N m)",
            "no relevant differences",
            f["chain_a_angle_difference"],
            max(open_chain["torque_difference_by_policy"].values()) < 1e-9,
        ),
        Claim(
            "torques of E-rot are those of the balance of the bodies (N m)",
            "-",
            open_chain["torque_minus_newton_euler"],
            open_chain["torque_minus_newton_euler"] < 1e-11,
        ),
        Claim(
            "one A-rot row becomes singular as its angle vanishes: condition at 10, 1, 0.1, 0.01 degrees",
            "numerical instabilities",
            ", ".join(f"{value:.3g}" for value in small["condition_angle"]),
            small["condition_angle"][-1] > 1e4 and max(small["condition_euler"]) < 10,
        ),
        Claim(
            "hip by e0 e1 e2: symmetric angle where it passes zero (largest error, degrees)",
            "figure 6",
            f["failure_hip_max_error_deg"],
            of_hip["error_to_absolute_deg"] < 1e-9 and f["failure_hip_max_error_deg"] > 39,
        ),
        Claim(
            "no residual tells of it, a warning does",
            "-",
            f"residual {of_hip['residual_e012']:.1e}, {len(of_hip['remarks'])} warning",
            of_hip["residual_e012"] < 1e-9 and len(of_hip["remarks"]) == 1,
        ),
        Claim(
            "knee by e1: amplitude of about 180 degrees, hyperextension of more than 20",
            "about 180, > 20",
            f"{high - low:.1f}, {-low:.1f}",
            150 < high - low < 190 and -low > 20,
        ),
        Claim(
            "knee by e3 follows the data where its axis differs by 2.8 degrees (largest error, degrees)",
            "< 3",
            float(np.abs(of_knee["e3_deg"] - of_knee["prescribed_deg"]).max()),
            float(np.abs(of_knee["e3_deg"] - of_knee["prescribed_deg"]).max()) < 3,
        ),
        Claim(
            "closed chain: some other sets of four components follow the motion, others fail",
            "most fail away from the frontal plane",
            f"{passing} of 15 pass a singularity",
            0 < passing < 14,
        ),
        Claim(
            "closed chain: of the sets with SC e1 e2 e3, that with AC e2 is the best conditioned",
            "AC e2 is the dominant component",
            f"best {' '.join(best['components'])}: up to {best['condition'][1]:.0f}, with AC.e2 up to "
            f"{closed['condition'][1]:.0f}",
            best["components"] == ["SC.e1", "SC.e2", "SC.e3", "AC.e2"],
        ),
        Claim(
            "closed chain: torques of E-rot and A-rot are equal (N m); they depend on the solver's policy",
            "no meaningful differences",
            f"minimum norm: SC {norm['SC']:.2f}, AC {norm['AC']:.2f}",
            max(norm["SC"], norm["AC"]) < 1e-6,
        ),
        Claim(
            "equations of table 3: upper limb E, A, gait E, A",
            "49, 64, 91, 105",
            ", ".join(str(f["constraint_counts"][key]) for key in COUNTS),
            f["constraint_counts"] == COUNTS,
        ),
        Claim(
            "E-rot e1 e2 e3 has no limits of motion: a hip turned from 160 to 200 degrees (error, degrees)",
            "no limitations",
            half["deviation_e123_deg"],
            half["failed_frames_e123"] == 0 and half["deviation_e123_deg"] < 1e-6,
        ),
        Claim(
            "rows of L(p*), an extension, follow the same turn (error, degrees)",
            "-",
            half["deviation_full_rotation_deg"],
            half["failed_frames_full_rotation"] == 0 and half["deviation_full_rotation_deg"] < 1e-9,
        ),
    )
