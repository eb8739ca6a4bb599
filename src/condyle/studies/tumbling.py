"""A free body that tumbles: in Euler parameters by Kane's equations, and in every sequence of angles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np

from condyle.dynamics.kane.free_body import FreeBody
from condyle.kernels import build
from condyle.solve import DormandPrince853, System, Trajectories, integrate
from condyle.spatial import euler

INERTIA = np.diag([0.4, 0.7, 1.0])  # kg m^2
BODY = FreeBody(1.0, INERTIA)
TOP = FreeBody(1.0, np.diag([0.7, 0.7, 1.9]))
SPIN = np.array([0.1, 3.0, 0.2])  # rad/s, body axes: nearly about the middle axis, which is unstable
START = np.array([1.0, 0.0, 0.0, 0.0])
TIMES = np.linspace(0.0, 10.0, 401)
MIDDLE = 200  # index of the time at which angles are made to meet their singularity
MAX_STEPS = 4000

#: (e, edot, force, torque) -> qddot (7).
Solution = Callable[..., Any]


def parameter_system(solution: Solution) -> System:
    """Torque-free motion, y = (e, edot); `solution` as the methods of FreeBody."""
    y = ca.SX.sym("y", 8)
    none = ca.DM.zeros(3)
    eddot = solution(y[:4], y[4:], none, none)[3:]
    return System(8, _kernel(y, ca.vertcat(y[4:], eddot)), unit_groups=(0,))


def velocity_system() -> System:
    """The same with angular velocity in body axes: y = (e, omega')."""
    y = ca.SX.sym("y", 7)
    e, omega = y[:4], y[4:]
    return System(7, _kernel(y, ca.vertcat(euler.rate_from_body(e, omega), _spun(omega))), unit_groups=(0,))


def angle_system(sequence: str) -> System:
    """The same in body-fixed angles: y = (angles, omega'), rates of the angles from W^-1 omega."""
    y = ca.SX.sym("y", 6)
    angles, omega = y[:3], y[3:]
    A = euler.orientation(euler.parameters_from_sequence(sequence, angles))
    rates = ca.solve(euler.rate_matrix(sequence, angles), ca.mtimes(A, omega))
    return System(6, _kernel(y, ca.vertcat(rates, _spun(omega))))


def tumble(system: System, start: np.ndarray, tolerance: float, max_steps: int = MAX_STEPS) -> Trajectories:
    """Ten seconds from `start`."""
    return integrate(
        system, start, TIMES, method=DormandPrince853(), rtol=tolerance, atol=tolerance, max_steps=max_steps
    )


def with_rates(e: np.ndarray) -> np.ndarray:
    """(e, edot) of the spin."""
    return np.concatenate([e, euler.rate_from_body(e, SPIN)])


def momentum_drift(found: Trajectories) -> float:
    """Largest change of the angular momentum in ground, relative to its size."""
    e, edot = found.states[:, :4], found.states[:, 4:]
    momentum = euler.angular_velocity_in_body(e, edot) @ INERTIA
    in_ground = np.einsum("nij,nj->ni", euler.orientation(e), momentum)
    return float(np.abs(in_ground - in_ground[0]).max() / np.linalg.norm(in_ground[0]))


def turned_into_singularity(sequence: str, e: np.ndarray) -> np.ndarray:
    """The whole motion e (nt, 4) turned in ground so that in the middle the outer axes are parallel."""
    flat = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    singular = euler.parameters_from_sequence(sequence, np.array([0.3, flat, 0.8]))
    turn = euler.product(singular, euler.conjugate(e[MIDDLE]))
    return euler.product(np.broadcast_to(turn, e.shape), e)


def orientation_error(e: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference between entries of rotation matrices, of the frames that were reached."""
    reached = np.isfinite(e).all(axis=-1)
    found = euler.orientation(e[reached]) - euler.orientation(expected[reached])
    return float(np.abs(found).max())


def top_error(tolerance: float) -> float:
    """Error of e of a symmetric top; its closed form is exp(H t / J1) e exp((1 - J3 / J1) w3 t z)."""
    first, third = TOP.inertia[0, 0], TOP.inertia[2, 2]
    found = tumble(parameter_system(TOP.embedded), with_rates(START), tolerance)
    momentum = euler.orientation(START) @ (TOP.inertia @ SPIN)
    spin = SPIN[2] * (1 - third / first) * np.array([0.0, 0.0, 1.0])
    precession, spinning = (_turn(axis * TIMES[:, None]) for axis in (momentum / first, spin))
    expected = euler.product(euler.product(precession, np.broadcast_to(START, precession.shape)), spinning)
    return float(np.abs(found.states[:, :4] - expected).max())


def _spun(omega: ca.SX) -> ca.SX:
    """Omega'dot without torque."""
    return ca.mtimes(ca.DM(np.linalg.inv(INERTIA)), ca.cross(ca.mtimes(ca.DM(INERTIA), omega), omega))


def _turn(vector: np.ndarray) -> np.ndarray:
    """Parameters (n, 4) of rotation vectors (n, 3)."""
    half = np.linalg.norm(vector, axis=-1, keepdims=True) / 2
    return np.concatenate([np.cos(half), np.sinc(half / np.pi) * vector / 2], axis=-1)


def _kernel(y: ca.SX, rates: ca.SX) -> Any:
    time, p = ca.SX.sym("time"), ca.SX.sym("p", 0)
    return build(lambda: ca.Function("rhs", [y, time, p], [ca.densify(rates)]), key=None, name="rhs")
