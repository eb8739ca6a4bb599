"""Motion of a point of a mechanism by the closed form of the empirical paper, along a given trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from condyle.closed_form import JointVariables, Kinematics, Multibody, acceleration, velocity
from condyle.couplings import Coupling


@dataclass(frozen=True)
class Trajectory:
    """q, qdot, qddot (k, m) at the times (k)."""

    times: np.ndarray
    q: np.ndarray
    qdot: np.ndarray
    qddot: np.ndarray


def hermite(times: np.ndarray, values: np.ndarray, knots: Sequence[float] | None = None) -> Trajectory:
    """Piecewise cubic Hermite polynomials with zero slopes through `values` (n, m) at `knots` (0, 1, 2, ...).

    The second derivative jumps at the knots; there it is that of the piece that begins.
    """
    t = np.asarray(times, dtype=float)
    places = np.arange(len(values), dtype=float) if knots is None else np.asarray(knots, dtype=float)
    piece = np.clip(np.searchsorted(places, t, side="right") - 1, 0, len(places) - 2)
    h = np.diff(places)[piece]
    s = ((t - places[piece]) / h)[:, None]
    rise = np.diff(np.asarray(values, dtype=float), axis=0)[piece]
    q = np.asarray(values, dtype=float)[piece] + rise * (3 * s**2 - 2 * s**3)
    return Trajectory(t, q, rise * (6 * s - 6 * s**2) / h[:, None], rise * (6 - 12 * s) / h[:, None] ** 2)


def coupled_derivatives(
    coupling: Coupling, q: np.ndarray, guess: np.ndarray, independent: Sequence[int] = ()
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """f (k, n), f_q (k, n, m), f_qq (k, n, m, m) of all joints.

    First those that are entries of q themselves, by their places `independent`, then the dependents.
    """
    s = coupling.value(q, guess)
    slope, bend = coupling.gradient(q, s), coupling.hessian(q, s)
    k, m = q.shape
    places = list(independent)
    own = np.broadcast_to(np.eye(m)[places], (k, len(places), m))
    return (
        np.concatenate([q[:, places], s], axis=1),
        np.concatenate([own, slope], axis=1),
        np.concatenate([np.zeros((k, len(places), m, m)), bend], axis=1),
    )


def point_speed_and_acceleration(
    multibody: Multibody,
    body: str,
    r: Sequence[float],
    derivatives: tuple[np.ndarray, np.ndarray, np.ndarray],
    trajectory: Trajectory,
) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and acceleration (k, 3) of a point of a body, by equations 44 and 57."""
    f, f_q, f_qq = derivatives
    k, n, m = f_q.shape
    symbols = [
        ca.SX.sym(name, *shape) for name, shape in zip("fgh", ((n, 1), (n, m), (n, m * m)), strict=True)
    ]
    qdot, qddot = ca.SX.sym("qdot", m), ca.SX.sym("qddot", m)
    kinematics = Kinematics(multibody, JointVariables.given(*symbols))
    on = multibody.body(body)
    place = on.point(r)
    v = ca.densify(ca.SX(velocity(kinematics, on.frame, place, qdot)))
    a = ca.densify(ca.SX(acceleration(kinematics, on.frame, place, qdot, qddot)))
    function = ca.Function("motion", [*symbols, qdot, qddot], [ca.cse(v), ca.cse(a)]).map(k)
    found = function(
        f.T,
        f_q.transpose(1, 0, 2).reshape(n, k * m),
        f_qq.transpose(1, 0, 2, 3).reshape(n, k * m * m),
        trajectory.qdot.T,
        trajectory.qddot.T,
    )
    return np.array(found[0].full()).T, np.array(found[1].full()).T


def digits(found: np.ndarray, wanted: np.ndarray) -> float:
    """Figures to which magnitudes (k, ...) agree: minus the decimal logarithm of the largest difference over
    the largest magnitude.
    """
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    return float(-np.log10(max(error, 1e-17)))
