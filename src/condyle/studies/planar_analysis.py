"""Classical kinematic analysis of planar mechanisms in absolute coordinates (Shabana 2005): the other way.

Every body has three coordinates (x, y, phi); pins and the given motion are constraints C(x, q(t)) = 0 on all
of them. Nothing here knows of joint variables or couplings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

ITERATIONS = 12


@dataclass(frozen=True)
class Loop:
    """Bars one after the other from the origin to (span, 0); body k's frame sits on its first pin.

    motion: (x (3 n), q) -> what vanishes while the mechanism moves as q says; as many equations as q has.
    """

    lengths: tuple[float, ...]
    span: float
    motion: Callable[[ca.SX, ca.SX], ca.SX]
    inputs: int

    def constraints(self, x: ca.SX, q: ca.SX) -> ca.SX:
        """C (3 n)."""
        ends = [ca.SX.zeros(2)]
        rows = []
        for k, length in enumerate(self.lengths):
            origin, phi = x[3 * k : 3 * k + 2], x[3 * k + 2]
            rows.append(origin - ends[-1])
            ends.append(origin + length * ca.vertcat(ca.cos(phi), ca.sin(phi)))
        rows.append(ends[-1] - ca.DM([self.span, 0.0]))
        return ca.vertcat(*rows, self.motion(x, q))

    def start(self, angles: np.ndarray) -> np.ndarray:
        """x (3 n) near a pose with these joint angles (n)."""
        phi = np.cumsum(angles)
        steps = np.array(self.lengths)[:, None] * np.stack([np.cos(phi), np.sin(phi)], axis=1)
        origins = np.vstack([np.zeros((1, 2)), np.cumsum(steps, axis=0)[:-1]])
        return np.column_stack([origins, phi]).ravel()


@dataclass(frozen=True)
class PointMotion:
    """Position, velocity and acceleration (k, 2) of a point."""

    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray


def analyse(
    loop: Loop,
    start: np.ndarray,
    body: int,
    along: float,
    q: np.ndarray,
    qdot: np.ndarray,
    qddot: np.ndarray,
) -> PointMotion:
    """Motion of the point at distance `along` on bar `body`, while q, qdot, qddot (k, m) are given.

    `start` (3 n) is near the pose at q[0]; every frame starts where the one before it ended.
    """
    size, m = 3 * len(loop.lengths), loop.inputs
    x, given = ca.SX.sym("x", size), ca.SX.sym("q", m)
    rate, second, xdot = ca.SX.sym("qdot", m), ca.SX.sym("qddot", m), ca.SX.sym("xdot", size)
    xddot = ca.SX.sym("xddot", size)
    C = loop.constraints(x, given)
    C_x, C_q = ca.jacobian(C, x), ca.jacobian(C, given)
    moving, along_motion = ca.vertcat(x, given), ca.vertcat(xdot, rate)
    bend = ca.jtimes(ca.jtimes(C, moving, along_motion), moving, along_motion)
    # What is to be solved with C_x: for a Newton step, for velocities, for accelerations [Shabana, 3.6].
    step = _solving("step", C_x, C, [x, given])
    speeds = _solving("speeds", C_x, ca.mtimes(C_q, rate), [x, given, rate])
    turns = _solving("turns", C_x, bend + ca.mtimes(C_q, second), [x, given, xdot, rate, second])
    phi = x[3 * body + 2]
    p = x[3 * body : 3 * body + 2] + along * ca.vertcat(ca.cos(phi), ca.sin(phi))
    v = ca.jtimes(p, x, xdot)
    a = ca.jtimes(v, x, xdot) + ca.jtimes(p, x, xddot)
    count = len(q)
    poses = _newton(step).mapaccum(count)(start, q.T)
    rates = speeds.map(count)(poses, q.T, qdot.T)
    seconds = turns.map(count)(poses, q.T, rates, qdot.T, qddot.T)
    found = ca.Function("p", [x, xdot, xddot], [p, v, a]).map(count)(poses, rates, seconds)
    return PointMotion(*(np.array(value.full()).T for value in found))


def _solving(name: str, A: ca.SX, b: ca.SX, inputs: list[ca.SX]) -> ca.Function:
    """Inputs -> -A^-1 b, by a numerical factorisation."""
    parts = ca.Function(f"{name}_parts", inputs, [A, ca.densify(b)])
    symbols = [ca.MX.sym(f"i{k}", *symbol.shape) for k, symbol in enumerate(inputs)]
    matrix, right = parts(*symbols)
    return ca.Function(name, symbols, [-ca.solve(matrix, right, "qr")])


def _newton(step: ca.Function) -> ca.Function:
    """(x, q) -> x after a fixed number of Newton steps."""
    x, q = ca.MX.sym("x", *step.size_in(0)), ca.MX.sym("q", *step.size_in(1))
    value = x
    for _ in range(ITERATIONS):
        value = value + step(value, q)
    return ca.Function("solved", [x, q], [value])
