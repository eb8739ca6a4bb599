"""Figure 5: a particle on the surface around a curved axis, as mobilizer and as point with one constraint."""

from __future__ import annotations

import casadi as ca
import numpy as np

import condyle as cd
from condyle.constraints import PointOnSurface
from condyle.functions import Linear, NaturalCubicSpline
from condyle.joints import Coordinate, CurvedTube, Custom
from condyle.studies.base import Claim, Progress, StudyResult

NAME = "surface"
TITLE = "Figure 5: a particle on a curved tube; its reaction is normal to the surface"

PARTICLE = cd.Body("particle", 0.8)
RADIUS = 0.12
STATIONS = (-0.6, -0.35, -0.1, 0.15, 0.4, 0.65)  # m along x, as from slices of an image
AXIS_Y = NaturalCubicSpline(STATIONS, (0.02, 0.05, 0.11, 0.14, 0.10, 0.03))
AXIS_Z = NaturalCubicSpline(STATIONS, (0.00, -0.03, -0.02, 0.03, 0.05, 0.04))
TOLERANCE = 1e-9


def mobilizer_model(section: str) -> cd.Model:
    """Two mobilities (x, theta); `section` of the tube "fixed" (y-z plane) or "perpendicular" to the axis."""
    joint = CurvedTube(
        "tube", "ground", "particle", axis_y=AXIS_Y, axis_z=AXIS_Z, radius=RADIUS, section=section
    )
    return cd.Model("tube", (PARTICLE,), (joint,))


def _surface(x: ca.SX, y: ca.SX, z: ca.SX) -> ca.SX:
    """Vanishes on the tube with sections in the y-z plane; [m], like a distance near it."""
    return ((y - AXIS_Y(x)) ** 2 + (z - AXIS_Z(x)) ** 2 - RADIUS**2) / (2 * RADIUS)


def twin_model() -> cd.Model:
    """Three translations and one constraint."""
    joint = Custom(
        "point",
        "ground",
        "particle",
        coordinates=tuple(Coordinate(name) for name in ("x", "y", "z")),
        tx=Linear(),
        ty=Linear(),
        tz=Linear(),
        inputs=((), (), (), ("x",), ("y",), ("z",)),
    )
    tube = PointOnSurface("tube", "particle", "ground", implicit=_surface)
    return cd.Model("tube_twin", (PARTICLE,), (joint,), (tube,))


def run(progress: Progress) -> StudyResult:
    """Reactions at random states against the surface's normal; the twin's accelerations, load and motion."""
    rng = np.random.default_rng(0)
    q = np.column_stack([rng.uniform(-0.55, 0.6, 2000), rng.uniform(-np.pi, np.pi, 2000)])
    u = np.column_stack([rng.normal(0, 1, 2000), rng.normal(0, 5, 2000)])
    tubes = {section: cd.compile(mobilizer_model(section)) for section in ("fixed", "perpendicular")}
    errors, forces = {}, {}
    for section, tube in tubes.items():
        progress(f"reactions on the tube with {section} sections")
        udot = tube.forward_dynamics(q, u)
        _, forces[section] = tube.joint_reactions(q, u, udot)["tube"]
        _, position = tube.body_poses(q)["particle"]
        errors[section] = _off_normal(forces[section], _normals(section, q, position))
    tube, twin = tubes["fixed"], cd.compile(twin_model())
    progress("the twin with one constraint")
    _, position = tube.body_poses(q)["particle"]
    _, velocity = tube.body_velocities(q, u)["particle"]
    udot = tube.forward_dynamics(q, u)
    _, acceleration = tube.body_accelerations(q, u, udot)["particle"]
    twin_acceleration = twin.forward_dynamics(position, velocity)
    multipliers, _ = twin.constraint_multipliers(position, velocity)
    load = -multipliers * twin.constraint_jacobian(position)[:, 0, :]
    scale = np.abs(acceleration).max()
    times = np.linspace(0.0, 1.0, 201)
    start_q, start_u = np.array([-0.4, 0.5]), np.array([0.8, 2.0])
    motion = cd.simulate(tube, start_q, start_u, times, rtol=TOLERANCE, atol=TOLERANCE)
    _, path = tube.body_poses(motion.q)["particle"]
    _, start_velocity = tube.body_velocities(start_q, start_u)["particle"]
    constrained = cd.simulate(
        twin, path[0], start_velocity, times, rtol=TOLERANCE, atol=TOLERANCE, constraint_tolerance=TOLERANCE
    )
    _, along_path = tube.joint_reactions(motion.q, motion.u, tube.forward_dynamics(motion.q, motion.u))[
        "tube"
    ]
    normal_error = max(errors.values())
    figures = {
        "normality_error": normal_error,
        "normality_error_by_section": errors,
        "largest_reaction": float(np.linalg.norm(forces["fixed"], axis=1).max()),
        "twin_acceleration_difference": float(np.abs(twin_acceleration - acceleration).max() / scale),
        "twin_load_difference": float(np.abs(load - forces["fixed"]).max() / np.abs(load).max()),
        "path_difference": float(np.abs(constrained.q - path).max()),
        "manifold_error": {"mobilizer": _distance(path), "twin": _distance(constrained.q)},
        "energy_drift": {"mobilizer": float(motion.energy_drift), "twin": float(constrained.energy_drift)},
        "figure_5": {
            "time": times,
            "path": path,
            "states": motion.q,
            "reaction": along_path,
            "axis": _curve(np.linspace(path[:, 0].min() - 0.05, STATIONS[-1], 61))[0],
            "radius": RADIUS,
        },
    }
    claims = (
        Claim(
            "the reaction is normal to the surface (tangential / whole)",
            0.0,
            normal_error,
            normal_error <= 1e-12,
        ),
        Claim(
            "the twin with one constraint has the same accelerations",
            "equal",
            figures["twin_acceleration_difference"],
            figures["twin_acceleration_difference"] < 1e-12,
        ),
        Claim(
            "its multiplier is the mobilizer's reaction",
            "equal",
            figures["twin_load_difference"],
            figures["twin_load_difference"] < 1e-12,
        ),
        Claim(
            "the same path over 1 s [m]", 0.0, figures["path_difference"], figures["path_difference"] < 1e-6
        ),
        Claim(
            "motion cannot leave the manifold [m]",
            0.0,
            figures["manifold_error"]["mobilizer"],
            figures["manifold_error"]["mobilizer"] <= 1e-13,
        ),
    )
    return StudyResult(NAME, figures, claims)


def _curve(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(rho, drho/dx) at many x, each (n, 3)."""
    symbol = ca.SX.sym("x")
    rho = ca.vertcat(symbol, AXIS_Y(symbol), AXIS_Z(symbol))
    both = ca.Function("rho", [symbol], [rho, ca.jacobian(rho, symbol)])
    found = both.call([x[None, :]])
    return found[0].full().T, found[1].full().reshape(3, -1, order="F").T


def _normals(section: str, q: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Normals (n, 3) from the surface's equation or the nearest point of the axis, not from the joint."""
    rho, slope = _curve(position[:, 0] if section == "fixed" else q[:, 0])
    outward = position - rho
    if section == "fixed":
        # Gradient of (y - Y(x))^2 + (z - Z(x))^2.
        outward[:, 0] = -(outward[:, 1] * slope[:, 1] + outward[:, 2] * slope[:, 2])
    else:
        # The nearest point of the axis is where the connecting line is normal to it: that q[0] is this point
        # is checked.
        skewness = np.abs((outward * slope).sum(axis=1)) / RADIUS
        assert skewness.max() < 1e-13
    return outward


def _off_normal(force: np.ndarray, normal: np.ndarray) -> float:
    unit = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    tangential = force - (force * unit).sum(axis=1, keepdims=True) * unit
    return float((np.linalg.norm(tangential, axis=1) / np.linalg.norm(force, axis=1)).max())


def _distance(path: np.ndarray) -> float:
    rho, _ = _curve(path[:, 0])
    return float(np.abs(np.linalg.norm(path - rho, axis=1) - RADIUS).max())
