"""The screw of section 2.1 (eq. 5-7, figure 1) as one ODE, and as its two constrained twins."""

from __future__ import annotations

import casadi as ca
import numpy as np

import condyle as cd
from condyle.constraints import Coupling, Custom
from condyle.constraints.base import Configuration
from condyle.functions import Linear
from condyle.joints import Cylindrical, Free, Screw
from condyle.studies.base import Claim, Progress, StudyResult

NAME = "screw"
TITLE = "The screw joint as one ODE, and as three and eleven equations with constraints"

PITCH = 0.02  # m/rad
COLLAR = cd.Body("collar", 1.5, (0.03, 0.01, 0.02), (0.004, 0.005, 0.006, 0.0002, -0.0001, 0.0003))
GRAVITY = (0.0, -6.0, -7.0)  # a component along the screw and one across it
DURATION = 2.0
TOLERANCE = 1e-10


def screw_model() -> cd.Model:
    """One mobility: no constraint."""
    return cd.Model("screw", (COLLAR,), (Screw("screw", "ground", "collar", pitch=PITCH),), gravity=GRAVITY)


def cylinder_model() -> cd.Model:
    """Two mobilities and u2 = s u1."""
    joint = Cylindrical("cylinder", "ground", "collar")
    angle, slide = (f"cylinder.{name}" for name in joint.coordinate_names)
    coupling = Coupling("thread", slide, (angle,), Linear(PITCH))
    return cd.Model("cylinder", (COLLAR,), (joint,), (coupling,), gravity=GRAVITY)


def _on_the_thread(configuration: Configuration) -> ca.SX:
    X = configuration.pose("collar")
    turned = X.p[2] / PITCH
    return ca.vertcat(
        X.R[0, 2], X.R[1, 2], X.p[0], X.p[1], X.R[1, 0] * ca.cos(turned) - X.R[0, 0] * ca.sin(turned)
    )


def free_model() -> cd.Model:
    """Six mobilities and five constraints."""
    thread = Custom("thread", _on_the_thread, 5, ("ground", "collar"))
    return cd.Model("free", (COLLAR,), (Free("free", "ground", "collar"),), (thread,), gravity=GRAVITY)


def run(progress: Progress) -> StudyResult:
    """Simulate the three models from the same state and compare."""
    angle0, rate0 = 0.4, 3.0
    states = {
        "screw": (np.array([angle0]), np.array([rate0])),
        "cylinder": (np.array([angle0, PITCH * angle0]), np.array([rate0, PITCH * rate0])),
        "free": (
            np.array([np.cos(angle0 / 2), 0, 0, np.sin(angle0 / 2), 0, 0, PITCH * angle0]),
            np.array([0, 0, rate0, 0, 0, PITCH * rate0]),
        ),
    }
    models = {"screw": screw_model(), "cylinder": cylinder_model(), "free": free_model()}
    times = np.linspace(0.0, DURATION, 41)
    equations, operations, accelerations, angles, residuals, drifts = {}, {}, {}, {}, {}, {}
    for name, model in models.items():
        progress(f"{name}: compiling and simulating")
        mechanism = cd.compile(model)
        q, u = states[name]
        equations[name] = len(mechanism.speeds) + sum(constraint.size for constraint in model.constraints)
        operations[name] = mechanism.function("forward_dynamics").n_instructions()
        acceleration = mechanism.forward_dynamics(q, u)
        accelerations[name] = float(acceleration[2 if name == "free" else 0])
        result = cd.simulate(
            mechanism, q, u, times, rtol=TOLERANCE, atol=TOLERANCE, constraint_tolerance=TOLERANCE
        )
        rotation, position = mechanism.body_poses(result.q)["collar"]
        angles[name] = np.unwrap(np.arctan2(rotation[..., 1, 0], rotation[..., 0, 0]))
        residuals[name] = float(np.abs(position[..., 2] - PITCH * angles[name]).max())
        drifts[name] = float(result.energy_drift)
    reference = angles["screw"]
    difference = {name: float(np.abs(angles[name] - reference).max()) for name in ("cylinder", "free")}
    acceleration_difference = max(
        abs(accelerations[name] - accelerations["screw"]) / abs(accelerations["screw"])
        for name in ("cylinder", "free")
    )
    figures = {
        "equations": equations,
        "operations": operations,
        "udot0": accelerations,
        "acceleration_difference": acceleration_difference,
        "angle_end": float(reference[-1]),
        "angle_difference": difference,
        "motion": {"time": times, "angle": angles},
        "pitch_error": residuals,
        "energy_drift": drifts,
        "tolerance": TOLERANCE,
    }
    claims = (
        Claim("one ODE for the screw mobilizer", 1, equations["screw"], equations["screw"] == 1),
        Claim(
            "three DAEs for the cylinder with one constraint",
            3,
            equations["cylinder"],
            equations["cylinder"] == 3,
        ),
        Claim(
            "eleven DAEs for the free body with five constraints",
            11,
            equations["free"],
            equations["free"] == 11,
        ),
        Claim("the same accelerations", "equal", acceleration_difference, acceleration_difference < 1e-12),
        Claim(
            "the same motion (rad over 2 s)",
            "equal",
            max(difference.values()),
            max(difference.values()) < 1e-6,
        ),
        Claim("the mobilizer stays on the thread (m)", 0.0, residuals["screw"], residuals["screw"] <= 1e-13),
    )
    return StudyResult(NAME, figures, claims)
