"""Pinocchio's sample humanoid.

Its free joint: q = (position, x, y, z, w); v = (velocity of Bo, angular velocity), both in body axes.
Condyle's speeds are u = (angular velocity, velocity of Bo) in P axes, so that v = T(q) u, tau = T' tau_v and
a = T udot - (w x v, 0). The pins have the same order and the same coordinates in both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np

from condyle.bench.states import States


def across(vectors: np.ndarray) -> np.ndarray:
    """(rows, 3, 3) matrices with M w = v x w."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    return np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)


def rotations(e: np.ndarray) -> np.ndarray:
    """(rows, 3, 3) of unit Euler parameters (rows, 4), scalar first."""
    E = across(e[:, 1:])
    return np.eye(3) + 2 * (e[:, :1, None] * E + E @ E)


@final
class Pinocchio:
    """Timed calls of its algorithms from Python, and their outputs in Condyle's conventions."""

    name = "pinocchio"

    def __init__(self) -> None:
        import pinocchio

        self.module: Any = pinocchio
        self.model = pinocchio.buildSampleModelHumanoid()
        self.data = self.model.createData()
        self.pendulum = pinocchio.Model()
        joint = self.pendulum.addJoint(0, pinocchio.JointModelRX(), pinocchio.SE3.Identity(), "pin")
        self.pendulum.appendBodyToJoint(joint, self.model.inertias[1], pinocchio.SE3.Identity())
        self.pendulum_data = self.pendulum.createData()

    def _arguments(self, algorithm: str, states: States, accelerations: bool) -> list[np.ndarray]:
        """Rows in Pinocchio's conventions; `third` of the states is udot or tau."""
        R = rotations(states.q[:, :4])
        q = np.hstack([states.q[:, 4:7], states.q[:, 1:4], states.q[:, :1], states.q[:, 7:]])
        if algorithm == "crba":
            return [q]
        v, third = _to_body(R, states.u), _to_body(R, states.third)
        if accelerations:
            third[:, :3] -= np.cross(v[:, 3:6], v[:, :3])
        return [q, v, third]

    def calls(self, algorithm: str, states: States) -> Callable[[], None]:
        """What to time: one call per state."""
        function, model, data = getattr(self.module, algorithm), self.model, self.data
        rows = list(zip(*self._arguments(algorithm, states, algorithm != "aba"), strict=True))

        def run() -> None:
            for row in rows:
                function(model, data, *row)

        return run

    def overhead(self, algorithm: str, calls: int) -> Callable[[], None]:
        """What to subtract: the same calls on a pendulum."""
        function, model, data = getattr(self.module, algorithm), self.pendulum, self.pendulum_data
        row = [np.full(1, 0.3)] * (1 if algorithm == "crba" else 3)

        def run() -> None:
            for _ in range(calls):
                function(model, data, *row)

        return run

    def forward_dynamics(self, states: States) -> np.ndarray:
        """Udot."""
        rows = self._arguments("aba", states, False)
        found = np.array([self.module.aba(self.model, self.data, *row) for row in zip(*rows, strict=True)])
        found[:, :3] += np.cross(rows[1][:, 3:6], rows[1][:, :3])
        return _from_body(rotations(states.q[:, :4]), found)

    def inverse_dynamics(self, states: States) -> np.ndarray:
        """Tau."""
        rows = self._arguments("rnea", states, True)
        found = np.array([self.module.rnea(self.model, self.data, *row) for row in zip(*rows, strict=True)])
        return _from_body(rotations(states.q[:, :4]), found)

    def mass_matrix(self, states: States) -> np.ndarray:
        """M, both triangles."""
        rows = self._arguments("crba", states, False)[0]
        upper = np.triu([np.array(self.module.crba(self.model, self.data, row)) for row in rows])
        full = upper + np.triu(upper, 1).transpose(0, 2, 1)
        T = self._speeds(rotations(states.q[:, :4]))
        return T.transpose(0, 2, 1) @ full @ T

    def _speeds(self, R: np.ndarray) -> np.ndarray:
        """T with v = T u."""
        T = np.tile(np.eye(self.model.nv), (len(R), 1, 1))
        T[:, :6, :6] = 0.0
        T[:, 0:3, 3:6] = T[:, 3:6, 0:3] = R.transpose(0, 2, 1)
        return T

    def derivatives(self, states: States) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Dtau/dx, dtau/du, dtau/dudot; x turns and moves the free body in P axes, and is q for the pins."""
        R = rotations(states.q[:, :4])
        rows = self._arguments("rnea", states, True)
        v, tau, by = rows[1], [], []
        for row in zip(*rows, strict=True):
            by.append(
                [np.array(part) for part in self.module.computeRNEADerivatives(self.model, self.data, *row)]
            )
            tau.append(np.array(self.data.tau))
        dq, dv, da = (np.array(parts) for parts in zip(*by, strict=True))
        w_body, v_body, forces = across(v[:, 3:6]), across(v[:, :3]), np.array(tau)
        T = self._speeds(R)
        # a = T udot - (w x v, 0): what a change of u does to it.
        quadratic = np.zeros_like(T)
        quadratic[:, :3, :3], quadratic[:, :3, 3:6] = -w_body, v_body
        # A turn d of the body (body axes) changes components R'x by R'x x d, and T' tau by R (d x tau).
        turn = np.zeros_like(T)
        turn[:, :3, 3:6], turn[:, 3:6, 3:6] = v_body, w_body
        moved = np.zeros_like(T)
        linear = np.einsum("rji,rj->ri", R, states.third[:, 3:6])
        angular = np.einsum("rji,rj->ri", R, states.third[:, :3])
        moved[:, :3, 3:6], moved[:, 3:6, 3:6] = across(linear), across(angular)
        moved += quadratic @ turn
        loads = np.zeros_like(T)
        loads[:, :3, 3:6], loads[:, 3:6, 3:6] = -across(forces[:, :3]), -across(forces[:, 3:6])
        back = T.transpose(0, 2, 1)
        dx = back @ (dq + dv @ turn + da @ moved + loads) @ T
        return dx, back @ (dv + da @ quadratic) @ T, back @ da @ T


def _to_body(R: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(angular, linear) in P axes to (linear, angular) in body axes."""
    turned = np.array(rows)
    turned[:, 0:3] = np.einsum("rji,rj->ri", R, rows[:, 3:6])
    turned[:, 3:6] = np.einsum("rji,rj->ri", R, rows[:, 0:3])
    return turned


def _from_body(R: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(linear, angular) in body axes to (angular, linear) in P axes."""
    turned = np.array(rows)
    turned[:, 0:3] = np.einsum("rij,rj->ri", R, rows[:, 3:6])
    turned[:, 3:6] = np.einsum("rij,rj->ri", R, rows[:, 0:3])
    return turned
