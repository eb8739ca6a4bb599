"""Choices of drivers that fail: an angle that vanishes, and components of paper 000's figures 5 and 6."""

from __future__ import annotations

import warnings
from typing import Any

import casadi as ca
import numpy as np

import condyle as cd
from condyle.drivers import AngleRotation, EulerRotation, FullRotation, Motion
from condyle.joints import Pin
from condyle.spatial.euler import parameters_from_sequence, product
from condyle.studies.driver_chains import LEG, X_AXIS, W, euler_drivers, motions

DEGREE = np.pi / 180
#: Axis of the knee in figure 5's counterpart, and how far the data's axis is turned from it.
KNEE_AXIS = np.array([0.04, 0.02, 0.999]) / np.linalg.norm([0.04, 0.02, 0.999])
TILT, TWIST = 2.6 * DEGREE, -1.0 * DEGREE
SMALL = (10.0, 1.0, 0.1, 0.01)  # degrees


def quietly(*arguments: Any, **options: Any) -> cd.analyses.KinematicAnalysis:
    """A kinematic analysis whose warnings are expected; they stay in its remarks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return cd.kinematic_analysis(*arguments, **options)


def conditions(found: cd.analyses.KinematicAnalysis) -> np.ndarray:
    """Condition of D (frames), speeds of the bodies' mass centres and angular velocities."""
    q, _, _, targets = found.whole
    return np.linalg.cond(found.equations.matrix()(q, targets, None)[0])


def vanishing_angle(leg: cd.Mechanism) -> dict[str, Any]:
    """The knee held at small angles by one A-rot row, beside E-rot; the rest of the leg as at t = 0."""
    other = EulerRotation("knee", "thigh", "shank", components=(3,))
    single = AngleRotation("knee", "thigh", "shank", pairs=((X_AXIS, X_AXIS),))
    at = np.zeros(len(SMALL))
    given = motions(LEG, at)
    angle = np.array(SMALL)[:, None] * DEGREE
    held = Motion(angle, 0 * angle, 0 * angle)
    others = (LEG[0].euler(), LEG[2].euler())
    turned = Motion(
        *[np.hstack([0 * part, 0 * part, part]) for part in (held.values, held.rates, held.rates)]
    )
    by_e3 = quietly(leg, (*others, other), given | {"knee": turned.as_orientation("xyz")})
    # cos(theta) does not tell the sides of 0: the start does.
    by_angle = quietly(leg, (*others, single), given | {"knee": held}, start=by_e3.q[0])
    right, wrong = cd.driver_dynamics(by_e3), cd.driver_dynamics(by_angle)
    return {
        "angle_deg": list(SMALL),
        "condition_angle": conditions(by_angle),
        "condition_euler": conditions(by_e3),
        "lambda_angle": wrong.multipliers_of("driver knee")[:, 0],
        "lambda_euler": right.multipliers_of("driver knee")[:, 0],
        "torque_euler": right.torques["knee"][:, 0],
        "torque_error": np.abs(wrong.torques["knee"] - right.torques["knee"])[:, 0],
        "acceleration_error": np.abs(by_angle.udot - by_e3.udot).max(axis=1),
    }


def flexion(found: cd.analyses.KinematicAnalysis, driver: str, axis: np.ndarray) -> np.ndarray:
    """Turn about an axis [deg] as found, continuous: 2 atan2(u.e, e0)."""
    p = found.relative_motion(driver).values
    return np.degrees(np.unwrap(2 * np.arctan2(p[:, 1:] @ axis, p[:, 0])))


def hip(leg: cd.Mechanism, times: np.ndarray) -> dict[str, Any]:
    """Figure 6's counterpart: pure flexion through zero, by e1 e2 e3 and by e0 e1 e2."""
    prescribed = 10 + 30 * np.sin(W * times)
    pure = Motion.of_expression(lambda t: (10 + 30 * ca.sin(W * t)) * DEGREE, times).as_orientation("z")
    given = motions(LEG, times) | {"hip": pure}
    rest = euler_drivers(LEG)[1:]
    good = quietly(leg, (LEG[0].euler(), *rest), given)
    bad = quietly(leg, (LEG[0].euler((0, 1, 2)), *rest), given)
    axis = np.array([0.0, 0.0, 1.0])
    vectors, scalar = flexion(good, "hip", axis), flexion(bad, "hip", axis)
    return {
        "prescribed_deg": prescribed,
        "e123_deg": vectors,
        "e012_deg": scalar,
        "error_e123_deg": float(np.abs(vectors - prescribed).max()),
        "error_e012_deg": float(np.abs(scalar - prescribed).max()),
        "error_to_absolute_deg": float(np.abs(np.abs(scalar) - np.abs(prescribed)).max()),
        "residual_e012": float(np.abs(bad.residual).max()),
        "iterations_e012": int(bad.iterations.max()),
        "condition_e012": float(conditions(bad).max()),
        "failed_frames": int((bad.status != cd.Status.OK).sum()),
        "remarks": list(bad.remarks),
    }


def half_turn(leg: cd.Mechanism, times: np.ndarray) -> dict[str, Any]:
    """A hip that turns through 180 degrees, by e1 e2 e3 and by the rows that are regular everywhere."""
    turn = Motion.of_expression(lambda t: (160 + 40 * t) * DEGREE, times).as_orientation("z")
    given = motions(LEG, times) | {"hip": turn}
    rest = euler_drivers(LEG)[1:]
    found: dict[str, Any] = {}
    for label, driver in (
        ("e123", LEG[0].euler()),
        ("full_rotation", FullRotation("hip", "ground", "thigh")),
    ):
        analysis = quietly(leg, (driver, *rest), given)
        found[f"failed_frames_{label}"] = int((analysis.status != cd.Status.OK).sum())
        found[f"deviation_{label}_deg"] = float(np.degrees(np.nanmax(analysis.deviation["hip"])))
        found[f"condition_{label}"] = float(conditions(analysis).max())
    return found


def knee(times: np.ndarray) -> dict[str, Any]:
    """Figure 5's counterpart: a knee whose data turn about a slightly other axis, by e3 and by e1."""
    shank = cd.Body("shank", 3.5, inertia=(0.05, 0.005, 0.05, 0.0, 0.0, 0.0))
    x, y, z = (float(value) for value in KNEE_AXIS)
    joint = Pin("knee", "ground", "shank", axis=(x, y, z))
    mechanism = cd.compile(cd.Model("knee_pin", (shank,), (joint,)), formulation="absolute")
    c, s = np.cos(TILT), np.sin(TILT)
    tilted = np.array([c * x + s * z, y, c * z - s * x])
    twist = parameters_from_sequence("xyz", np.array([TWIST, 0.0, 0.0]))

    def orientation(t: ca.SX) -> ca.SX:
        half = (32.5 - 32.5 * ca.cos(W * t)) * DEGREE / 2
        return product(ca.vertcat(ca.cos(half), ca.sin(half) * ca.DM(tilted)), ca.SX(ca.DM(twist)))

    data = {"knee": Motion.of_expression(orientation, times)}
    found = {
        f"e{k}": quietly(mechanism, (EulerRotation("knee", "ground", "shank", components=(k,)),), data)
        for k in (1, 3)
    }
    angles = {name: flexion(each, "knee", KNEE_AXIS) for name, each in found.items()}
    return {
        "prescribed_deg": 32.5 - 32.5 * np.cos(W * times),
        "e1_deg": angles["e1"],
        "e3_deg": angles["e3"],
        "failed_frames": int(sum((each.status != cd.Status.OK).sum() for each in found.values())),
        "remarks": list(found["e1"].remarks),
    }
