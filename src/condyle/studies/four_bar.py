"""Section 4-3 A of the empirical paper (eq. 121, table 1, figures 3-6): derivatives by all ways."""

from __future__ import annotations

from math import inf

import casadi as ca
import numpy as np

import condyle as cd
from condyle.closed_form import Multibody
from condyle.couplings import Coupling, FiniteDifference, Implicit, Projection, Sampled, sample
from condyle.couplings.linear import LinearSystem
from condyle.studies.base import Claim, Progress, StudyResult
from condyle.studies.loop_equations import (
    FOUR_BAR,
    FOUR_BAR_ANGLES,
    HEIGHT,
    coupled_four_bar,
    four_bar_chain,
    four_bar_equations,
)
from condyle.studies.loop_motion import (
    Trajectory,
    coupled_derivatives,
    digits,
    hermite,
    point_speed_and_acceleration,
)
from condyle.studies.planar_analysis import Loop, analyse

NAME = "four-bar"
TITLE = "Four-bar linkage: velocity and acceleration of a point by every kind of coupling"

NEAR = (0.95, -1.9, 1.77)  # the joint angles at q = 0 on the arc that holds the pose of the paper
BOX = ((-2.0, 2.0),)
STEPS = {
    "natural cubic": (0.01, 0.005),
    "quintic": (0.01, 0.005),
    "clamped quintic": (0.005,),
    "molecule": (1e-2, 1e-3, 1e-4),
}
AMPLITUDES = (0.5, 1.0, 1.5)
KNOTS = np.array([[0.0], [1.0], [-1.0], [0.0]])  # times the amplitude, at 0, 1, 2 and 3 s
TIMES = np.linspace(0.0, 3.0, 601)
#: What the ways are called among the figures, and the step that each name stands for.
NAMED = {
    "projection": "projection",
    "implicit": "implicit",
    "cubic": "natural cubic 0.01",
    "quintic": "quintic 0.005",
    "molecule": "molecule 0.0001",
}
FIGURES = 7.0


def run(progress: Progress) -> StudyResult:
    """Fit, differentiate in all ways, and compare with a classical kinematic analysis."""
    loop = ("loop", FOUR_BAR_ANGLES, (HEIGHT,), four_bar_equations(), NEAR)
    implicit = Implicit(*loop)
    ways: dict[str, Coupling] = {"implicit": implicit, "projection": Projection(*loop)}
    for form, steps in STEPS.items():
        for step in steps:
            progress(f"{form} with step {step}")
            by_differences = form == "molecule"
            way = FiniteDifference(*loop, step=step) if by_differences else fit(implicit, form, step)
            ways[f"{form} {step:g}"] = way
    guide = ways["quintic 0.005"]
    by_amplitude = {}
    motions = {}
    for amplitude in AMPLITUDES:
        progress(f"motion with amplitude {amplitude}")
        trajectory = hermite(TIMES, amplitude * KNOTS)
        motions[amplitude] = point_motions(ways, guide, trajectory)
        by_amplitude[f"{amplitude:g}"] = agreement(motions[amplitude])
    digits_of_all = by_amplitude[f"{AMPLITUDES[-1]:g}"]
    trajectory, motion = hermite(TIMES, AMPLITUDES[-1] * KNOTS), motions[AMPLITUDES[-1]]
    heights = np.linspace(*BOX[0], 201)[:, None]
    figures = {
        "theta_q0": implicit.value([0.0]),
        "dtheta_q0": implicit.gradient([0.0])[:, 0],
        "ddtheta_q0": implicit.hessian([0.0])[:, 0, 0],
        "digits": {name: digits_of_all[way] for name, way in NAMED.items()},
        "digits_by_amplitude": by_amplitude,
        "largest_height": largest_height(implicit),
        "fit_errors": {name: way.errors for name, way in ways.items() if isinstance(way, Sampled)},
        "mechanism_difference": mechanism_difference(implicit, guide, trajectory),
        "trajectory": {
            "time": TIMES,
            "q": trajectory.q[:, 0],
            "angles": implicit.value(trajectory.q, guide.value(trajectory.q)),
        },
        "joint_angles": {"q": heights[:, 0], "theta": implicit.value(heights, guide.value(heights))},
        "motion": {name: {"speed": v, "acceleration": a} for name, (v, a) in motion.items()},
    }
    return StudyResult(NAME, figures, _claims(figures))


def fit(source: Coupling, form: str, step: float) -> Sampled:
    """Pre-modelling with `step` over the paper's range; no bound, so that it shows what it is worth."""
    points = round((BOX[0][1] - BOX[0][0]) / step) + 1
    return sample(source, form, BOX, tolerance=(inf, inf, inf), size=points, start=(0.0,))


def classical(trajectory: Trajectory, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Speed and magnitude of the acceleration (k) of p, in absolute coordinates."""
    p = FOUR_BAR
    loop = Loop(
        (p["l1"], p["l2"], p["l3"]), p["l0"], lambda x, q: x[4] + p["l_cm2"] * ca.sin(x[5]) - q, inputs=1
    )
    found = analyse(loop, loop.start(start), 2, p["l_p"], trajectory.q, trajectory.qdot, trajectory.qddot)
    return np.linalg.norm(found.velocity, axis=1), np.linalg.norm(found.acceleration, axis=1)


def point_motions(
    ways: dict[str, Coupling], guide: Coupling, trajectory: Trajectory
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """(speed, magnitude of acceleration) (k) of p by every way, and by the classical analysis."""
    multibody = Multibody.of(four_bar_chain())
    near = guide.value(trajectory.q)
    found = {"classical": classical(trajectory, near[0])}
    for name, coupling in ways.items():
        derivatives = coupled_derivatives(coupling, trajectory.q, near)
        point = (FOUR_BAR["l_p"], 0.0, 0.0)
        motion = point_speed_and_acceleration(multibody, "body_3", point, derivatives, trajectory)
        found[name] = tuple(np.linalg.norm(vector, axis=1) for vector in motion)
    return found


def agreement(motions: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, dict[str, float]]:
    """Figures to which every way agrees with the classical analysis."""
    v, a = motions["classical"]
    return {
        name: {"speed": digits(speed, v), "acceleration": digits(acceleration, a)}
        for name, (speed, acceleration) in motions.items()
        if name != "classical"
    }


def largest_height(coupling: Coupling) -> float:
    """The height at which the loop reaches a dead point: dg/ds is singular, the slopes are infinite."""
    q, s = ca.SX.sym("q"), ca.SX.sym("s", 3)
    g = coupling.residual(q, s)
    determinant = ca.det(ca.jacobian(g, s))
    z, system = ca.vertcat(q, s), ca.vertcat(g, determinant)
    step = ca.Function("step", [z], [z - LinearSystem(ca.jacobian(system, z)).solve(system)])
    place = np.append(2.05, coupling.value([2.0], np.array([[np.pi / 2, -np.pi / 2, -1.1]])))
    for _ in range(20):
        place = step(place).full()[:, 0]
    return float(place[0])


def mechanism_difference(coupling: Coupling, guide: Coupling, trajectory: Trajectory) -> float:
    """Largest difference (relative) of the compiled mechanism's point motion from the closed form's.

    The mechanism solves the loop by itself, from its default pose.
    """
    q = trajectory.q
    mechanism = cd.compile(coupled_four_bar(coupling, NEAR))
    point = (FOUR_BAR["l_p"], 0.0, 0.0)
    compiled = mechanism.point_motion(q, trajectory.qdot, trajectory.qddot, "body_3", point)
    multibody = Multibody.of(four_bar_chain())
    derivatives = coupled_derivatives(coupling, q, guide.value(q))
    wanted = point_speed_and_acceleration(multibody, "body_3", point, derivatives, trajectory)
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(compiled[1:], wanted, strict=True))


def _claims(figures: dict) -> tuple[Claim, ...]:
    found = []
    for name, label in (
        ("implicit", "implicit function theorem"),
        ("projection", "analytical projection"),
        ("quintic", "quintic splines, step 0.005"),
        ("cubic", "natural cubic splines, step 0.01 (the paper's pre-modelling)"),
    ):
        for quantity in ("speed", "acceleration"):
            here = figures["digits"][name][quantity]
            what = f"{label}: figures of the {quantity} of p that agree with a classical analysis"
            found.append(Claim(what, FIGURES, here, here >= FIGURES))
    low, high = BOX[0]
    largest = figures["largest_height"]
    found.append(
        Claim("range of q: -2 to 2 can be reached", (low, high), (-largest, largest), largest >= high)
    )
    difference = figures["mechanism_difference"]
    found.append(
        Claim("compiled mechanism = closed form (relative)", "equal", difference, difference <= 1e-11)
    )
    return tuple(found)
