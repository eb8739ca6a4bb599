"""The ankle's equations written out in NumPy, integrated by SciPy: two angles, and the paper's three bodies.

i is the main foot, j the leg, k the toes; the rows are those of the ankle paper (equations 1 and 25 to 32,
misprints corrected), global axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from condyle.library.ankle import (
    AT,
    FOOT,
    GRAVITY,
    LEG,
    LINK,
    METATARSOPHALANGEAL,
    TALOCALCANEAL_AXIS,
    TALOCRURAL,
    TALOCRURAL_AXIS,
    TOES,
)

ALPHA = BETA = 5.0
G = np.array(GRAVITY)
UPPER = np.array(TALOCRURAL)
LOWER = UPPER - (0.0, 0.0, LINK)
PLACES = {name: np.array(place) for name, place in AT.items()}
BODIES = (LEG, FOOT, TOES)


def skew(a: np.ndarray) -> np.ndarray:
    """a~ b = a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """np.cross spends its time on shapes."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation about a unit vector."""
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


class TwoAngles:
    """State: both angles, both rates; foot and toes are one body."""

    start = np.zeros(4)

    def __init__(self) -> None:
        moving = (FOOT, TOES)
        self.mass = sum(body.mass for body in moving)
        center = sum(body.mass * PLACES[body.name] for body in moving) / self.mass
        self.center, self.foot = center - LOWER, PLACES["foot"] - LOWER
        self.inertia = np.zeros((3, 3))
        for body in moving:
            arm = PLACES[body.name] - center
            self.inertia += np.diag(body.inertia[:3]) + body.mass * (
                arm @ arm * np.eye(3) - np.outer(arm, arm)
            )
        self.first, self.second = np.array(TALOCRURAL_AXIS), np.array(TALOCALCANEAL_AXIS)

    def rates(self, _time: float, y: np.ndarray) -> np.ndarray:
        """M qddot = J' (m g - m a) - J_w' (I alpha + w x I w), a and alpha without qddot."""
        R1 = turned(self.first, y[0])
        R = R1 @ turned(self.second, y[1])
        axis = R1 @ self.second
        link, arm = R1 @ (LOWER - UPPER), R @ self.center
        w1 = self.first * y[2]
        w = w1 + axis * y[3]
        inertia = R @ self.inertia @ R.T
        turning = np.column_stack([self.first, axis])
        moving = np.column_stack([cross(self.first, link + arm), cross(axis, arm)])
        alpha = cross(w1, axis * y[3])
        a = cross(w1, cross(w1, link)) + cross(alpha, arm) + cross(w, cross(w, arm))
        M = self.mass * moving.T @ moving + turning.T @ inertia @ turning
        right = self.mass * moving.T @ (G - a) - turning.T @ (inertia @ alpha + cross(w, inertia @ w))
        return np.concatenate([y[2:], np.linalg.solve(M, right)])

    def place(self, y: np.ndarray) -> np.ndarray:
        """Mass centre of the main foot [m]."""
        R1 = turned(self.first, y[0])
        return UPPER + R1 @ (LOWER - UPPER) + R1 @ turned(self.second, y[1]) @ self.foot


class ThreeBodies:
    """State per body: position, Euler parameters, velocity, angular velocity; Baumgarte's stabilisation."""

    start = np.concatenate([[*PLACES[body.name], 1.0, *[0.0] * 9] for body in BODIES])

    def rates(self, _time: float, y: np.ndarray) -> np.ndarray:
        """[M D'; D 0] [vdot; lambda] = [g; gamma - 2 alpha D v - beta^2 Phi]."""
        bodies = y.reshape(3, 13)
        A = [_rotation(body[3:7]) for body in bodies]
        v = np.concatenate([body[7:] for body in bodies])
        M, forces = np.zeros((18, 18)), np.zeros(18)
        for k, body in enumerate(BODIES):
            w, inertia = bodies[k, 10:], A[k] @ np.diag(body.inertia[:3]) @ A[k].T
            M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
            M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inertia
            forces[6 * k : 6 * k + 3] = body.mass * G
            forces[6 * k + 3 : 6 * k + 6] = -cross(w, inertia @ w)
        phi, D, gamma = self.constraints(bodies, A)
        count = len(phi)
        system = np.block([[M, D.T], [D, np.zeros((count, count))]])
        right = np.concatenate([forces, gamma - 2 * ALPHA * D @ v - BETA**2 * phi])
        vdot = np.linalg.solve(system, right)[:18]
        rates = [
            np.concatenate([body[7:10], 0.5 * _G(body[3:7]).T @ body[10:], vdot[6 * k : 6 * k + 6]])
            for k, body in enumerate(bodies)
        ]
        return np.concatenate(rates)

    def constraints(
        self, bodies: np.ndarray, A: list[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(Phi, D, gamma) of the fixed leg, the modified universal joint, the toes' hinge and its lock."""
        rows = _Rows(bodies, A)
        rows.fixed(0, PLACES["leg"])
        points = (1, LOWER - PLACES["foot"]), (0, UPPER - PLACES["leg"])
        axes = np.array(TALOCALCANEAL_AXIS), np.array(TALOCRURAL_AXIS)
        rows.modified_universal(*points, *axes, d=UPPER - LOWER)
        hinge = np.array(METATARSOPHALANGEAL)
        x, y, z = np.eye(3)
        rows.coincidence((1, hinge - PLACES["foot"]), (2, hinge - PLACES["toes"]))
        for normal in (x, z):
            rows.constant_angle((1, normal), (2, y), 0.0)
        rows.constant_angle((1, x), (2, z), 0.0)
        return np.array(rows.phi), np.array(rows.D), np.array(rows.gamma)

    def place(self, y: np.ndarray) -> np.ndarray:
        """Mass centre of the main foot [m]."""
        return y[13:16]


class _Rows:
    """Constraint rows for the velocities (v, w) of three bodies."""

    def __init__(self, bodies: np.ndarray, A: list[np.ndarray]) -> None:
        self.bodies, self.A = bodies, A
        self.phi: list[Any] = []
        self.D: list[np.ndarray] = []
        self.gamma: list[Any] = []

    def _vector(self, body: int, local: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(s, its rate, w x (w x s))."""
        s, w = self.A[body] @ local, self.bodies[body, 10:]
        rate = cross(w, s)
        return s, rate, cross(w, rate)

    def _add(self, phi: Any, parts: dict[int, tuple[np.ndarray, np.ndarray]], gamma: Any) -> None:
        row = np.zeros(18)
        for body, (linear, angular) in parts.items():
            row[6 * body : 6 * body + 3] += linear
            row[6 * body + 3 : 6 * body + 6] += angular
        self.phi.append(phi)
        self.D.append(row)
        self.gamma.append(gamma)

    def fixed(self, body: int, place: np.ndarray) -> None:
        """Position and orientation of the start."""
        r, p, w = self.bodies[body, :3], self.bodies[body, 3:7], self.bodies[body, 10:]
        turning = 0.5 * _G(p)[:, 1:].T  # L(p0) G(p)'/2 with p0 = (1, 0, 0, 0)
        for k in range(3):
            self._add(r[k] - place[k], {body: (np.eye(3)[k], np.zeros(3))}, 0.0)
            self._add(p[1 + k], {body: (np.zeros(3), turning[k])}, 0.25 * (w @ w) * p[1 + k])

    def coincidence(self, one: tuple[int, np.ndarray], other: tuple[int, np.ndarray]) -> None:
        """Equation 2: the same point of both."""
        (i, _), (j, _) = one, other
        (si, _, hi), (sj, _, hj) = self._vector(*one), self._vector(*other)
        d, eye = self.bodies[j, :3] + sj - self.bodies[i, :3] - si, np.eye(3)
        for k in range(3):
            parts = {i: (-eye[k], skew(si)[k]), j: (eye[k], -skew(sj)[k])}
            self._add(d[k], parts, hi[k] - hj[k])

    def constant_angle(
        self, one: tuple[int, np.ndarray], other: tuple[int, np.ndarray], cosine: float
    ) -> None:
        """Equation 22: both vectors keep their angle."""
        (si, ri, hi), (sj, rj, hj) = self._vector(*one), self._vector(*other)
        across = cross(si, sj)
        parts = {one[0]: (np.zeros(3), across), other[0]: (np.zeros(3), -across)}
        self._add(si @ sj - cosine, parts, -(sj @ hi) - si @ hj - 2.0 * ri @ rj)

    def modified_universal(
        self, one: tuple[int, np.ndarray], other: tuple[int, np.ndarray], si: Any, sj: Any, d: np.ndarray
    ) -> None:
        """Equations 25, 29 and 32; `d`: the link at the start."""
        (i, _), (j, _) = one, other
        (pi, rpi, hpi), (pj, rpj, hpj) = self._vector(*one), self._vector(*other)
        link = self.bodies[j, :3] + pj - self.bodies[i, :3] - pi
        rate = self.bodies[j, 7:10] + rpj - self.bodies[i, 7:10] - rpi
        h = hpj - hpi
        parts = {i: (-2 * link, 2 * link @ skew(pi)), j: (2 * link, -2 * link @ skew(pj))}
        self._add(link @ link - d @ d, parts, -2 * link @ h - 2 * rate @ rate)
        self.constant_angle((i, si), (j, sj), float(si @ sj))
        for body, local in ((i, si), (j, sj)):
            s, rs, hs = self._vector(body, local)
            parts = {i: (-s, s @ skew(pi)), j: (s, -s @ skew(pj))}
            linear, angular = parts[body]
            parts[body] = (linear, angular - link @ skew(s))
            self._add(s @ link - local @ d, parts, -link @ hs - 2 * rate @ rs - s @ h)


def _G(p: np.ndarray) -> np.ndarray:
    return np.column_stack([-p[1:], p[0] * np.eye(3) + skew(p[1:])])


def _rotation(p: np.ndarray) -> np.ndarray:
    e = p[1:]
    return (2.0 * p[0] ** 2 - 1.0) * np.eye(3) + 2.0 * np.outer(e, e) + 2.0 * p[0] * skew(e)


def integrated(equations: TwoAngles | ThreeBodies, duration: float, rtol: float) -> Callable[[], np.ndarray]:
    """What to time: SciPy's DOP853 from the start; returns the place of the foot at the end."""
    from scipy.integrate import solve_ivp

    def run() -> np.ndarray:
        found = solve_ivp(
            equations.rates, (0.0, duration), equations.start, "DOP853", rtol=rtol, atol=rtol * 1e-2
        )
        return equations.place(found.y[:, -1])

    return run
