"""Misprints of the ankle paper: what is printed contradicts the product rule, what we use agrees with it."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.bench.peers.numpy_ankle import BODIES, PLACES, ThreeBodies, cross
from condyle.library.ankle import GRAVITY, TALOCRURAL_AXIS

from .closed_forms import Link, Moving


class Accelerating:
    """Two bodies in random motion with accelerations; vectors s, link d, and their two derivatives."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.i, self.j = (
            Moving(np.linalg.qr(rng.normal(size=(3, 3)))[0], *rng.normal(size=(3, 3))) for _ in "ij"
        )
        alpha_i, alpha_j, a_i, a_j = rng.normal(size=(4, 3))
        points = rng.normal(size=(2, 3))
        self.link = link = Link(self.i, self.j, *points)
        self.d, self.rate = link.d, link.rate
        self.h_i, self.h_j = self.i.h(link.s_i), self.j.h(link.s_j)  # w x (w x s^P)
        self.dd = a_j + np.cross(alpha_j, link.s_j) + self.h_j - a_i - np.cross(alpha_i, link.s_i) - self.h_i
        self.of_accelerations = self.dd - link.h  # what D vdot has of it
        self.s_i, self.r_i, self.a_i, self.hs_i = _vector(self.i, alpha_i, rng.normal(size=3))
        self.s_j, self.r_j, self.a_j, self.hs_j = _vector(self.j, alpha_j, rng.normal(size=3))


def _vector(body: Moving, alpha: np.ndarray, local: np.ndarray) -> tuple[np.ndarray, ...]:
    """(s, its rate, its second derivative (equation 17), the part of that without accelerations)."""
    s = body.A @ local
    return s, np.cross(body.w, s), np.cross(alpha, s) + body.h(s), body.h(s)


@pytest.fixture(params=range(5))
def motion(request) -> Accelerating:
    return Accelerating(request.param)


def test_equation_25_rows_2_and_3(motion):
    """Printed s_j.s_j and s_j.d are not what they start from; s_i.s_j and s_i.d are."""
    start = motion.s_i @ motion.s_j, motion.s_i @ motion.d
    assert abs(motion.s_j @ motion.s_j - start[0]) > 1e-3
    assert abs(motion.s_j @ motion.d - start[1]) > 1e-3


def test_equation_30_row_2(motion):
    """Second derivative of s_i.s_j: twice the product of the rates, printed the sum of their squares."""
    m = motion
    printed = m.s_j @ m.a_i + m.r_j @ m.r_j + m.s_i @ m.a_j + m.r_i @ m.r_i
    right = m.s_j @ m.a_i + m.s_i @ m.a_j + 2 * m.r_i @ m.r_j
    assert printed - right == pytest.approx(np.sum((m.r_i - m.r_j) ** 2))
    assert abs(printed - right) > 1e-3


def test_equation_31_row_2(motion):
    """The first product is of two rates; printed with a second derivative."""
    m = motion
    right = m.s_j @ m.a_i + m.s_i @ m.a_j + 2 * m.r_i @ m.r_j
    printed = m.s_j @ m.a_i + m.r_i @ m.a_j + m.s_i @ m.a_j + m.r_j @ m.r_i
    assert abs(printed - right) > 1e-3


def test_equation_32_row_4(motion):
    """Gamma of s_j.d: what the second derivative has beside accelerations; printed with both terms of i."""
    m = motion
    second = m.a_j @ m.d + 2 * m.r_j @ m.rate + m.s_j @ m.dd
    gamma = -(second - (m.a_j - m.hs_j) @ m.d - m.s_j @ m.of_accelerations)
    right = -m.d @ m.hs_j - 2 * m.rate @ m.r_j - m.s_j @ m.h_j + m.s_j @ m.h_i
    printed = -m.d @ m.hs_j - 2 * m.rate @ m.r_j - m.s_j @ m.h_i - m.s_j @ m.h_i
    assert right == pytest.approx(gamma, rel=1e-12)
    assert abs(printed - gamma) > 1e-3


class AsPrinted(ThreeBodies):
    """The foot with row 4 of equation 32 as it is printed; the leg j is fixed."""

    def constraints(self, bodies, A):
        phi, D, gamma = super().constraints(bodies, A)
        s = A[1] @ (PLACES_LOWER - PLACES["foot"])
        w = bodies[1, 10:]
        gamma[9] -= 3 * (A[0] @ np.array(TALOCRURAL_AXIS)) @ cross(w, cross(w, s))
        return phi, D, gamma


PLACES_LOWER = np.array([0.0544, 0.0, 0.1080 - 0.0417])


def test_equation_32_as_printed_in_motion():
    """One second of the free foot: violation, error and drift that an independent program found."""
    scipy = pytest.importorskip("scipy.integrate")
    runs = {
        kind: scipy.solve_ivp(kind.rates, (0.0, 1.0), kind.start, "DOP853", rtol=1e-8, atol=1e-10)
        for kind in (ThreeBodies(), AsPrinted())
    }
    (right, good), (wrong, bad) = runs.items()
    violations = []
    for equations, found in runs.items():
        states = [y.reshape(3, 13) for y in found.y.T]
        residuals = [equations.constraints(state, [_rotation(b[3:7]) for b in state])[0] for state in states]
        violations.append(np.abs(residuals).max())
    assert violations[0] < 1e-8
    assert violations[1] == pytest.approx(0.011, rel=0.15)
    error = np.linalg.norm(wrong.place(bad.y[:, -1]) - right.place(good.y[:, -1]))
    assert error == pytest.approx(0.011, rel=0.15)
    energies = np.array([_energy(y.reshape(3, 13)) for y in bad.y.T])
    assert np.abs(energies - energies[0]).max() == pytest.approx(0.036, rel=0.15)


def _rotation(p: np.ndarray) -> np.ndarray:
    e, cross_e = p[1:], np.cross(np.eye(3), p[1:]).T
    return (2 * p[0] ** 2 - 1) * np.eye(3) + 2 * np.outer(e, e) + 2 * p[0] * cross_e.T


def _energy(state: np.ndarray) -> float:
    total = 0.0
    for body, y in zip(BODIES, state, strict=True):
        w = _rotation(y[3:7]).T @ y[10:]
        total += 0.5 * body.mass * y[7:10] @ y[7:10] + 0.5 * w @ (np.array(body.inertia[:3]) * w)
        total -= body.mass * np.array(GRAVITY) @ y[:3]
    return float(total)
