"""Constraints of the ankle and drivers papers as printed (with the errata), in NumPy: Phi, D, gamma by hand.

Rows are for v = (omega_i, rdot_i, omega_j, rdot_j, omega_k, rdot_k), all in ground axes; omega-form. The rows
of the p-form follow by the rules of `condyle.spatial`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def tilde(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


@dataclass(frozen=True)
class Moving:
    """A body: A, r, omega, rdot (ground axes)."""

    A: np.ndarray
    r: np.ndarray
    w: np.ndarray
    v: np.ndarray

    def h(self, s: np.ndarray) -> np.ndarray:
        """The part of the acceleration of s (ground axes) that the rates leave: omega x (omega x s)."""
        return np.cross(self.w, np.cross(self.w, s))


@dataclass(frozen=True)
class Rows:
    """Phi (m), D by body (m x 6: omega, rdot), gamma (m)."""

    residual: np.ndarray
    D: tuple[np.ndarray, ...]
    gamma: np.ndarray


class Link:
    """d = r_j + s_j^P - r_i - s_i^P and what follows from it."""

    def __init__(self, i: Moving, j: Moving, point_i, point_j):
        self.i, self.j = i, j
        self.s_i, self.s_j = i.A @ point_i, j.A @ point_j
        self.d = j.r + self.s_j - i.r - self.s_i
        self.rate = j.v + np.cross(j.w, self.s_j) - i.v - np.cross(i.w, self.s_i)
        self.h = j.h(self.s_j) - i.h(self.s_i)


def _stack(*rows: Rows) -> Rows:
    return Rows(
        np.concatenate([row.residual for row in rows]),
        tuple(np.vstack(parts) for parts in zip(*[row.D for row in rows], strict=True)),
        np.concatenate([row.gamma for row in rows]),
    )


def _row(residual, i_w, i_r, j_w, j_r, gamma) -> Rows:
    D = tuple(np.concatenate([w, r])[None, :] for w, r in ((i_w, i_r), (j_w, j_r)))
    return Rows(np.array([residual]), D, np.array([gamma]))


ZERO = np.zeros(3)


def coincidence(i, j, point_i, point_j) -> Rows:
    """004-13 to 16; in ground axes."""
    link, eye = Link(i, j, point_i, point_j), np.eye(3)
    D = np.hstack([tilde(link.s_i), -eye]), np.hstack([-tilde(link.s_j), eye])
    return Rows(link.d, D, -link.h)


def constant_angle(i, j, axis_i, axis_j, angle) -> Rows:
    s_i, s_j = i.A @ axis_i, j.A @ axis_j
    across = np.cross(s_i, s_j)
    rates = np.cross(i.w, s_i) @ np.cross(j.w, s_j)
    gamma = -s_j @ i.h(s_i) - s_i @ j.h(s_j) - 2 * rates
    return _row(s_i @ s_j - np.cos(angle), across, ZERO, -across, ZERO, gamma)


def vector_to_link(i, j, point_i, point_j, axis_i, along) -> Rows:
    """004-23, row 3 of 29 and 32."""
    link, s = Link(i, j, point_i, point_j), i.A @ axis_i
    gamma = -link.d @ i.h(s) - 2 * link.rate @ np.cross(i.w, s) - s @ link.h
    of_i = s @ tilde(link.s_i) - link.d @ tilde(s)
    return _row(s @ link.d - along, of_i, -s, -s @ tilde(link.s_j), s, gamma)


def link_to_vector(i, j, point_i, point_j, axis_j, along) -> Rows:
    """004-24, row 4 of 29 and 32 (32 with the signs of the erratum)."""
    link, s = Link(i, j, point_i, point_j), j.A @ axis_j
    gamma = -link.d @ j.h(s) - 2 * link.rate @ np.cross(j.w, s) - s @ link.h
    of_j = -s @ tilde(link.s_j) - link.d @ tilde(s)
    return _row(s @ link.d - along, s @ tilde(link.s_i), -s, of_j, s, gamma)


def massless_link(i, j, point_i, point_j, length) -> Rows:
    link = Link(i, j, point_i, point_j)
    d = link.d
    gamma = -2 * d @ link.h - 2 * link.rate @ link.rate
    return _row(d @ d - length**2, 2 * d @ tilde(link.s_i), -2 * d, -2 * d @ tilde(link.s_j), 2 * d, gamma)


def modified_universal(i, j, points, axes, length, angle, along) -> Rows:
    """004-20 to 32, with the errata."""
    return _stack(
        massless_link(i, j, *points, length),
        constant_angle(i, j, *axes, angle),
        vector_to_link(i, j, *points, axes[0], along[0]),
        link_to_vector(i, j, *points, axes[1], along[1]),
    )


def point_on_ellipsoid(i, j, point, center, radii) -> Rows:
    """x'Wx - 1 of a point of i in an ellipsoid whose axes are those of j."""
    s, W = i.A @ point, np.diag(1 / np.asarray(radii) ** 2)
    rho, u = i.r + s - j.r, i.v + np.cross(i.w, s) - j.v
    x, xdot = j.A.T @ rho - center, j.A.T @ (u - np.cross(j.w, rho))
    n = j.A @ W @ x
    carried = i.h(s) + j.h(rho) - 2 * np.cross(j.w, u)
    gamma = -2 * xdot @ W @ xdot - 2 * n @ carried
    return _row(x @ W @ x - 1, -2 * n @ tilde(s), 2 * n, 2 * n @ tilde(rho), -2 * n, gamma)


def function_of_joint(i, j, k, axes, phi, angle, point, position) -> Rows:
    """Patella k and tibia j on femur i; `angle` and `position` are (value, slope, curvature) at phi[1]."""
    (U1, U2), (w_j, w_k) = (i.A @ axis for axis in axes), (j.w - i.w, k.w - i.w)
    U1dot, U2dot = np.cross(i.w, U1), np.cross(i.w, U2)
    rate, (f, slope, curvature) = U2 @ w_j, angle
    no = np.zeros((1, 3))
    of_angle = Rows(
        np.array([phi[0] - f]),
        tuple(np.hstack([row[None, :], no]) for row in (-U1 + slope * U2, -slope * U2, U1)),
        np.array([curvature * rate**2 - U1dot @ w_k + slope * U2dot @ w_j]),
    )
    s, (h, hslope, hcurvature) = k.A @ point, position
    rho, u = k.r + s - i.r, k.v + np.cross(k.w, s) - i.v
    T, across, no = i.A.T, np.outer(hslope, U2), np.zeros((3, 3))
    of_i, of_k = np.hstack([T @ tilde(rho) + across, -T]), np.hstack([-T @ tilde(s), T])
    of_position = Rows(
        T @ rho - h,
        (of_i, np.hstack([-across, no]), of_k),
        -T @ (k.h(s) + i.h(rho) - 2 * np.cross(i.w, u)) + hcurvature * rate**2 + hslope * (U2dot @ w_j),
    )
    return _stack(of_angle, of_position)
