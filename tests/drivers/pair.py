"""Two free bodies with one driver between them: its rows, and random states to evaluate them at."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

import condyle as cd
from condyle.drivers import Driver
from condyle.dynamics.constraints import constraint_equations
from condyle.dynamics.driven import driven, symbols_of_targets
from condyle.dynamics.linkage import linkage
from condyle.joints import Free
from condyle.mechanism import Tree

BODIES = tuple(cd.Body(name, 1.0, (0, 0, 0), (0.1, 0.2, 0.3, 0, 0, 0)) for name in ("j", "i"))


@dataclass(frozen=True)
class Rows:
    """Phi, D (omega-form, ground axes: (w, v) of j, then of i), nu, gamma at one state."""

    phi: np.ndarray
    D: np.ndarray
    nu: np.ndarray
    gamma: np.ndarray


def unit(values) -> np.ndarray:
    return np.asarray(values) / np.linalg.norm(values)


class Pair:
    """The compiled rows of a driver between bodies j (parent) and i (child)."""

    def __init__(self, driver: Driver) -> None:
        joints = tuple(Free(body.name, "ground", body.name) for body in BODIES)
        tree = Tree(cd.Model("pair", BODIES, joints))
        q, u = ca.SX.sym("q", 14), ca.SX.sym("u", 12)
        targets = symbols_of_targets((driver,))
        found = constraint_equations(linkage(tree, q, u), driven((driver,), targets), targets)
        self.function = ca.Function(
            "rows",
            [q, u, targets.values, targets.rates, targets.accelerations],
            [found.residual, ca.densify(found.G), -found.drift, -found.bias],
        )

    def __call__(self, q, u, target, rate, acceleration) -> Rows:
        phi, D, nu, gamma = (
            np.array(ca.DM(value)) for value in self.function(q, u, target, rate, acceleration)
        )
        return Rows(phi[:, 0], D, nu[:, 0], gamma[:, 0])


@dataclass(frozen=True)
class State:
    """Random poses and motions of both bodies; p, w by body name."""

    q: np.ndarray
    u: np.ndarray

    @staticmethod
    def random(seed: int) -> State:
        generator = np.random.default_rng(seed)
        q = generator.standard_normal(14)
        for start in (0, 7):
            q[start : start + 4] = unit(q[start : start + 4])
        return State(q, generator.standard_normal(12))

    def p(self, body: str) -> np.ndarray:
        start = {"j": 0, "i": 7}[body]
        return self.q[start : start + 4]

    def w(self, body: str) -> np.ndarray:
        start = {"j": 0, "i": 6}[body]
        return self.u[start : start + 3]


def skew(a) -> np.ndarray:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def G(p) -> np.ndarray:
    """000-26."""
    return np.column_stack([-p[1:], p[0] * np.eye(3) + skew(p[1:])])


def L(p) -> np.ndarray:
    """000-27."""
    return np.column_stack([-p[1:], p[0] * np.eye(3) - skew(p[1:])])


def rotation(p) -> np.ndarray:
    return G(p) @ L(p).T


def upper(p) -> np.ndarray:
    """L*: [p'; L]."""
    return np.vstack([p, L(p)])


def lower(p) -> np.ndarray:
    """R*: [p'; -L]."""
    return np.vstack([p, -L(p)])


def bar(s) -> np.ndarray:
    """000-9 as corrected, 000-29: [0 -s'; s -s~]."""
    return np.block([[np.zeros((1, 1)), -np.asarray(s)[None]], [np.asarray(s)[:, None], -skew(s)]])
