"""A floating chain of three bodies with spherical joints: three formulations, and one ball in angles."""

from __future__ import annotations

from typing import Any

import numpy as np

import condyle as cd
from condyle.joints import Ball, Free
from condyle.solve import DormandPrince853
from condyle.spatial import euler
from condyle.spatial.euler.normality import dependent_parameter

LINKS = ("pelvis", "trunk", "head")
MASSES = (11.0, 30.0, 5.0)
INERTIAS = (
    (0.09, 0.07, 0.08, 0.004, -0.003, 0.002),
    (0.3, 0.12, 0.28, 0.01, 0.02, -0.01),
    (0.02, 0.015, 0.018, 0.0, 0.001, 0.0),
)
ARMS = (cd.Placement((0.0, 0.25, 0.03), (0.2, 0.5, -0.3)), cd.Placement((0.02, 0.3, 0.0), (-0.4, 0.1, 0.6)))
BALL = slice(7, 11)  # of q
BALL_SPEEDS = slice(6, 9)  # of u
TIMES = np.linspace(0.0, 4.0, 201)
MIDDLE = 100
STATES = 100
TOLERANCE = 1e-13
MAX_STEPS = 4000
FORMULATIONS = ("minimal", "kane", "absolute")


def model(orientation: str = "euler_parameters", waist: cd.Placement = ARMS[0]) -> cd.Model:
    """No gravity; `orientation` and place are those of the first ball."""
    bodies = tuple(
        cd.Body(name, mass, (0.01, 0.1, 0.02), inertia)
        for name, mass, inertia in zip(LINKS, MASSES, INERTIAS, strict=True)
    )
    joints = (
        Free("base", "ground", "pelvis"),
        Ball("waist", "pelvis", "trunk", waist, orientation=orientation),
        Ball("neck", "trunk", "head", ARMS[1]),
    )
    return cd.Model("chain", bodies, joints, gravity=(0.0, 0.0, 0.0))


def figures() -> dict[str, Any]:
    """Accelerations, motion and costs of the formulations; how far the angles come."""
    mechanisms = {name: cd.compile(model(), formulation=name) for name in FORMULATIONS}
    minimal, kane = mechanisms["minimal"], mechanisms["kane"]
    q, u = _states(minimal)
    accelerations, motions, poses = {}, {}, {}
    for name, mechanism in mechanisms.items():
        state = (q, u) if mechanism is minimal else mechanism.from_minimal(q, u)
        found = mechanism.body_accelerations(*state, mechanism.forward_dynamics(*state))
        accelerations[name] = np.concatenate([np.hstack(found[body]) for body in LINKS], axis=1)
        motions[name] = _simulated(mechanism, state[0][0], state[1][0])
        poses[name] = mechanism.body_poses(motions[name].q)
    size = np.abs(accelerations["minimal"]).max()
    others = [name for name in FORMULATIONS if name != "minimal"]
    momentum = np.hstack(kane.momentum(motions["kane"].q, motions["kane"].u))
    in_angles = _in_angles(motions["minimal"])
    chosen = {"base": slice(0, 4), "waist": BALL, "neck": slice(11, 15)}
    return {
        "acceleration_difference": {
            name: float(np.abs(accelerations[name] - accelerations["minimal"]).max() / size)
            for name in others
        },
        "motion_difference": {name: _apart(poses[name], poses["minimal"]) for name in others},
        "operations": {
            name: mechanism.function("forward_dynamics").n_instructions()
            for name, mechanism in mechanisms.items()
        },
        "evaluations": {name: int(found.evaluations) for name, found in motions.items()},
        "momentum_drift": float(np.abs(momentum - momentum[0]).max() / np.abs(momentum[0]).max()),
        "choices": {
            joint: int(np.count_nonzero(np.diff(dependent_parameter(motions["kane"].q[:, part]))))
            for joint, part in chosen.items()
        },
        "duration": float(TIMES[-1]),
        "angles_end": float(in_angles.final_time),
        "angles_status": cd.Status(int(in_angles.status)).name,
    }


def _states(mechanism: cd.Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Random poses and speeds in minimal coordinates."""
    rng = np.random.default_rng(3)
    q = np.tile(mechanism.default_state()[0], (STATES, 1))
    for k in mechanism.unit_groups:
        e = rng.normal(size=(STATES, 4))
        q[:, k : k + 4] = e / np.linalg.norm(e, axis=1, keepdims=True)
    return q, 1.5 * rng.normal(size=(STATES, len(mechanism.speeds)))


def _simulated(mechanism: cd.Mechanism, q: np.ndarray, u: np.ndarray) -> Any:
    return cd.simulate(
        mechanism, q, u, TIMES, method=DormandPrince853(), rtol=TOLERANCE, atol=TOLERANCE,
        constraint_tolerance=1e-12, max_steps=MAX_STEPS,
    )  # fmt: skip


def _in_angles(motion: Any) -> Any:
    """The same motion with the waist in angles x, y, z, its frame turned so that y is 90 degrees half-way."""
    singular = euler.parameters_from_sequence("xyz", np.array([0.3, np.pi / 2, 0.8]))
    turn = euler.product(motion.q[MIDDLE, BALL], euler.conjugate(singular))
    turned = euler.product(euler.parameters_from_sequence(ARMS[0].sequence, np.array(ARMS[0].angles)), turn)
    mechanism = cd.compile(
        model("xyz", cd.Placement.from_matrix(euler.orientation(turned), ARMS[0].translation))
    )
    e = euler.product(euler.conjugate(turn), motion.q[0, BALL])
    angles = euler.sequence_from_parameters("xyz", e)
    q = np.concatenate([motion.q[0, : BALL.start], angles, motion.q[0, BALL.stop :]])
    u = motion.u[0].copy()
    u[BALL_SPEEDS] = euler.orientation(turn).T @ u[BALL_SPEEDS]
    return _simulated(mechanism, q, u)


def _apart(poses: dict[str, Any], others: dict[str, Any]) -> float:
    """Largest difference of rotations and positions [m]."""
    return max(
        float(np.abs(value - other).max())
        for body in LINKS
        for value, other in zip(poses[body], others[body], strict=True)
    )
