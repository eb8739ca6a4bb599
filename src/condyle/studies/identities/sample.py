"""Random motions of two bodies, at which identities of Euler parameters are evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from condyle.spatial import euler


@dataclass(frozen=True)
class Turning:
    """Unit p, pdot across it, pddot with p.pddot = -pdot.pdot, each (n, 4)."""

    p: np.ndarray
    pdot: np.ndarray
    pddot: np.ndarray

    @staticmethod
    def of(rng: np.random.Generator, count: int) -> Turning:
        p, pdot, pddot = rng.normal(size=(3, count, 4))
        p /= np.linalg.norm(p, axis=1, keepdims=True)
        pdot -= _along(pdot, p) * p
        pddot -= (_along(pddot, p) + _along(pdot, pdot)) * p
        return Turning(p, pdot, pddot)

    @cached_property
    def A(self) -> np.ndarray:
        """Rotation matrices from angle and axis (Rodrigues), not from the formula under test."""
        e0, e = self.p[:, 0], self.p[:, 1:]
        length = np.linalg.norm(e, axis=1)
        angle, across = 2 * np.arctan2(length, e0), euler.tilde(e / length[:, None])
        s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
        return np.eye(3) + s * across + (1 - c) * across @ across

    @cached_property
    def omega(self) -> np.ndarray:
        """In ground axes, from pdot as the quaternion product 2 pdot conj(p)."""
        return 2 * _hamilton(self.pdot, _conjugate(self.p))[:, 1:]

    @cached_property
    def omega_in_body(self) -> np.ndarray:
        """The vector part of 2 conj(p) pdot."""
        return 2 * _hamilton(_conjugate(self.p), self.pdot)[:, 1:]

    @cached_property
    def omegadot(self) -> np.ndarray:
        """The vector part of 2 (pddot conj(p) + pdot conj(pdot))."""
        both = _hamilton(self.pddot, _conjugate(self.p)) + _hamilton(self.pdot, _conjugate(self.pdot))
        return 2 * both[:, 1:]

    @cached_property
    def omegadot_in_body(self) -> np.ndarray:
        both = _hamilton(_conjugate(self.p), self.pddot) + _hamilton(_conjugate(self.pdot), self.pdot)
        return 2 * both[:, 1:]


@dataclass(frozen=True)
class Sample:
    """Two turning bodies i and j, three-vectors, a four-vector v and an inertia about principal axes."""

    i: Turning
    j: Turning
    a: np.ndarray
    adot: np.ndarray
    addot: np.ndarray
    v: np.ndarray
    inertia: np.ndarray
    angles: np.ndarray

    @staticmethod
    def of(count: int = 1000, seed: int = 0) -> Sample:
        rng = np.random.default_rng(seed)
        a, adot, addot = rng.normal(size=(3, count, 3))
        # J = trace(P) 1 - P with P positive definite, as of a cloud of particles.
        spread = rng.normal(size=(count, 3, 3))
        P = spread @ np.swapaxes(spread, 1, 2)
        J = np.trace(P, axis1=1, axis2=2)[:, None, None] * np.eye(3) - P
        J /= np.abs(J).max(axis=(1, 2), keepdims=True)
        i, j = Turning.of(rng, count), Turning.of(rng, count)
        return Sample(
            i, j, a, adot, addot, rng.normal(size=(count, 4)), J, rng.uniform(-1.4, 1.4, (count, 3))
        )


def _along(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a * b).sum(axis=1, keepdims=True)


def _conjugate(p: np.ndarray) -> np.ndarray:
    return p * [1.0, -1.0, -1.0, -1.0]


def _hamilton(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The product of quaternions from its scalar and vector parts."""
    p0, pv, q0, qv = p[:, :1], p[:, 1:], q[:, :1], q[:, 1:]
    return np.concatenate([p0 * q0 - _along(pv, qv), p0 * qv + q0 * pv + np.cross(pv, qv)], axis=1)
