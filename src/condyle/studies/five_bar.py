"""Section 4-3 B of the empirical paper (eq. 123, table 2, figures 8-11): two coordinates, one loop."""

from __future__ import annotations

from math import pi, radians

import casadi as ca
import numpy as np

import condyle as cd
from condyle.closed_form import Multibody
from condyle.couplings import Coupling, FiniteDifference, Implicit, Projection
from condyle.couplings.sweep import Sweep
from condyle.studies.base import Claim, Progress, StudyResult
from condyle.studies.loop_equations import (
    FIVE_BAR,
    FIVE_BAR_ANGLES,
    coupled_five_bar,
    five_bar_chain,
    five_bar_equations,
)
from condyle.studies.loop_motion import (
    Trajectory,
    coupled_derivatives,
    digits,
    hermite,
    point_speed_and_acceleration,
)
from condyle.studies.planar_analysis import Loop, analyse

NAME = "five-bar"
TITLE = "Five-bar linkage: two coordinates, projection against numerical differentiation"

POSE = (radians(60.0), radians(30.0))  # of the first and the second joint
NEAR = (-1.2, -2.0)  # the other two there, with the joint between bars 3 and 4 above the line of the pivots
#: Of the first two joints at 0, 1, 2 and 3 s, in place of the curves of figure 8, which have no numbers.
KNOTS = np.radians([[60.0, 30.0], [100.0, -20.0], [40.0, 60.0], [60.0, 30.0]])
TIMES = np.linspace(0.0, 3.0, 601)
STEPS = (1e-2, 1e-3, 1e-4)
#: What the ways are called among the figures, and the step that the molecule stands for.
NAMED = {"projection": "projection", "implicit": "implicit", "molecule": "molecule 0.001"}
SPEED_FIGURES, GRADIENT_FIGURES = 6.0, 7.0
#: Points per turn of the manifold of joint 4.
GRID = 73


def run(progress: Progress) -> StudyResult:
    """Velocity and acceleration of p by all ways, gradients of joints 3 and 4, the manifold of joint 4."""
    loop = ("loop", FIVE_BAR_ANGLES[2:], FIVE_BAR_ANGLES[:2], five_bar_equations(), NEAR)
    implicit = Implicit(*loop)
    ways: dict[str, Coupling] = {"implicit": implicit, "projection": Projection(*loop)}
    ways |= {f"molecule {step:g}": FiniteDifference(*loop, step=step) for step in STEPS}
    trajectory = hermite(TIMES, KNOTS)
    near = followed(implicit, trajectory.q)
    progress("classical kinematic analysis")
    v, a = classical(trajectory, np.append(trajectory.q[0], near[0]))
    motion, gradients = {"classical": (v, a)}, {}
    for name, coupling in ways.items():
        progress(name)
        derivatives = coupled_derivatives(coupling, trajectory.q, near, (0, 1))
        gradients[name] = np.linalg.norm(derivatives[1][:, 2:], axis=2)
        motion[name] = point_motion(derivatives, trajectory)
    agreement = {
        name: {
            "speed": digits(motion[name][0], v),
            "acceleration": digits(motion[name][1], a),
            "gradient": digits(
                gradients[name], gradients["implicit" if name == "projection" else "projection"]
            ),
        }
        for name in ways
    }
    progress("manifold of joint 4")
    angles = np.linspace(-pi, pi, GRID)
    sweep = Sweep(implicit, ((-pi, pi), (-pi, pi)), (np.array(POSE), np.array(NEAR)))
    grid = np.stack(np.meshgrid(angles, angles, indexing="ij"), axis=-1).reshape(-1, 2)
    manifold = sweep.at(grid)
    bends = np.abs(implicit.hessian(grid, manifold)[:, 1]).max(axis=(1, 2))
    figures = {
        "f": implicit.value(POSE),
        "f_q": implicit.gradient(POSE),
        "digits": {name: agreement[way] for name, way in NAMED.items()},
        "digits_by_way": agreement,
        "mechanism_difference": mechanism_difference(implicit, trajectory, near),
        "assembly_error": geometry_error(grid, manifold),
        "trajectory": {"time": TIMES, "q": trajectory.q, "angles": np.hstack([trajectory.q, near])},
        "motion": {name: {"speed": pair[0], "acceleration": pair[1]} for name, pair in motion.items()},
        "gradient": gradients,
        "manifold": {
            "q": angles,
            "f4": manifold[:, 1].reshape(GRID, GRID),
            "largest_second_derivative": float(bends.max()),
        },
    }
    return StudyResult(NAME, figures, _claims(figures))


def followed(coupling: Coupling, q: np.ndarray) -> np.ndarray:
    """Solutions (k, n) along a motion, on the branch of `POSE`."""
    low, high = q.min(axis=0) - 0.01, q.max(axis=0) + 0.01
    return Sweep(coupling, tuple(zip(low, high, strict=True)), (np.array(POSE), np.array(NEAR))).at(q)


def classical(trajectory: Trajectory, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Speed and magnitude of the acceleration (k) of p, in absolute coordinates."""
    p = FIVE_BAR
    lengths = (p["l1"], p["l2"], p["l3"], p["l4"])
    loop = Loop(lengths, p["l0"], lambda x, q: ca.vertcat(x[2] - q[0], x[5] - x[2] - q[1]), inputs=2)
    found = analyse(loop, loop.start(start), 2, p["l_p"], trajectory.q, trajectory.qdot, trajectory.qddot)
    return np.linalg.norm(found.velocity, axis=1), np.linalg.norm(found.acceleration, axis=1)


def point_motion(
    derivatives: tuple[np.ndarray, np.ndarray, np.ndarray], trajectory: Trajectory
) -> tuple[np.ndarray, np.ndarray]:
    """(speed, magnitude of acceleration) (k) of p by the closed form."""
    point = (FIVE_BAR["l_p"], 0.0, 0.0)
    multibody = Multibody.of(five_bar_chain())
    v, a = point_speed_and_acceleration(multibody, "body_3", point, derivatives, trajectory)
    return np.linalg.norm(v, axis=1), np.linalg.norm(a, axis=1)


def geometry_error(q: np.ndarray, f: np.ndarray) -> float:
    """Largest distance [rad] of joint 4 from what the triangle of the last two bars says by trigonometry."""
    p = FIVE_BAR
    x = p["l1"] * np.cos(q[:, 0]) + p["l2"] * np.cos(q.sum(axis=1)) - p["l0"]
    y = p["l1"] * np.sin(q[:, 0]) + p["l2"] * np.sin(q.sum(axis=1))
    # Bars 3 and 4 and the line between their outer ends: joint 4 turns by pi less the angle between them.
    turn = np.arccos((x**2 + y**2 - p["l3"] ** 2 - p["l4"] ** 2) / (2 * p["l3"] * p["l4"]))
    return float(np.abs(f[:, 1] + turn).max())


def mechanism_difference(coupling: Coupling, trajectory: Trajectory, near: np.ndarray) -> float:
    """Largest difference (relative) of the compiled mechanism's point motion from the closed form's.

    The mechanism solves the loop by itself, from its default pose.
    """
    mechanism = cd.compile(coupled_five_bar(coupling, (*POSE, *NEAR)))
    point = (FIVE_BAR["l_p"], 0.0, 0.0)
    compiled = mechanism.point_motion(trajectory.q, trajectory.qdot, trajectory.qddot, "body_3", point)
    derivatives = coupled_derivatives(coupling, trajectory.q, near, (0, 1))
    multibody = Multibody.of(five_bar_chain())
    wanted = point_speed_and_acceleration(multibody, "body_3", point, derivatives, trajectory)
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(compiled[1:], wanted, strict=True))


def _claims(figures: dict) -> tuple[Claim, ...]:
    found = []
    for name, label in (("projection", "analytical projection"), ("implicit", "implicit function theorem")):
        for quantity in ("speed", "acceleration"):
            here = figures["digits"][name][quantity]
            what = f"{label}: figures of the {quantity} of p that agree with a classical analysis"
            found.append(Claim(what, SPEED_FIGURES, here, here >= SPEED_FIGURES))
    here = figures["digits"]["molecule"]["gradient"]
    what = "numerical differentiation, step 0.001: figures of |grad f3|, |grad f4| as by projection"
    found.append(Claim(what, GRADIENT_FIGURES, here, here >= GRADIENT_FIGURES))
    here = figures["digits_by_way"]["molecule 0.01"]["gradient"]
    what = "a step that is not small enough makes it questionable: figures with step 0.01"
    found.append(Claim(what, "questionable", here, here < GRADIENT_FIGURES))
    difference = figures["mechanism_difference"]
    found.append(
        Claim("compiled mechanism = closed form (relative)", "equal", difference, difference <= 1e-11)
    )
    return tuple(found)
