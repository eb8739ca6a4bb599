"""Calls of a mechanism: where bodies and points are, and how they move."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.compiled.calls import Array, Calls, shaped
from condyle.errors import InputError, closest


class KinematicsCalls(Calls):
    """Poses, velocities and accelerations in ground axes."""

    def body_poses(self, q: Array, *, parameters: Any = None) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """{body: (R (..., 3, 3), p (..., 3))}: body frames in ground."""
        rotations, positions = self._call("body_poses", (q,), parameters, None)
        return {
            body: (rotations[..., 3 * i : 3 * i + 3, :], positions[..., i, :])
            for i, body in enumerate(self.bodies)
        }

    def body_velocities(
        self, q: Array, u: Array, *, parameters: Any = None
    ) -> dict[str, tuple[Array, Array]]:
        """{body: (angular velocity, velocity of the body's origin)}, each (..., 3), ground axes."""
        return self._halves(self._call("body_velocities", (q, u), parameters, None))

    def body_accelerations(
        self, q: Array, u: Array, udot: Array, *, parameters: Any = None
    ) -> dict[str, tuple[Array, Array]]:
        """{body: (angular acceleration, acceleration of the body's origin)}, each (..., 3), ground axes."""
        return self._halves(self._call("body_accelerations", (q, u, udot), parameters, None))

    def _halves(self, rows: np.ndarray) -> dict[str, tuple[Array, Array]]:
        return {body: (rows[..., i, :3], rows[..., i, 3:]) for i, body in enumerate(self.bodies)}

    def center_of_mass(self, q: Array, *, parameters: Any = None) -> dict[str, np.ndarray]:
        """{body: (..., 3)} in ground, and the whole mechanism's under "total"."""
        centers = self._call("center_of_mass", (q,), parameters, None)
        return {body: centers[..., i, :] for i, body in enumerate((*self.bodies, "total"))}

    def marker_positions(self, q: Array, *, parameters: Any = None) -> dict[str, np.ndarray]:
        """{marker: (..., 3)} in ground."""
        if not self.markers:
            return {}
        found = self._call("markers", (q,), parameters, None)
        return {marker: found[..., i, :] for i, marker in enumerate(self.markers)}

    def jacobian(
        self, q: Array, body: str, point: Array = (0.0, 0.0, 0.0), *, parameters: Any = None
    ) -> np.ndarray:
        """(..., 6, nu): angular velocity of the body, then velocity of its point (body axes), ground axes, =
        J u.
        """
        name = f"jacobian:{self._body(body)}"
        return shaped(self._call(name, (q, point), parameters, None), q, (6, len(self.speeds)))

    def virtual_displacement(
        self, q: Array, change: Array, body: str, point: Array = (0.0, 0.0, 0.0), *, parameters: Any = None
    ) -> np.ndarray:
        """Displacement (..., 3) of a body's point under the virtual change (..., nu) of the speeds'
        integrals.
        """
        return np.einsum(
            "...ij,...j->...i", self.jacobian(q, body, point, parameters=parameters)[..., 3:, :], change
        )

    def point_motion(
        self,
        q: Array,
        u: Array,
        udot: Array,
        body: str,
        point: Array = (0.0, 0.0, 0.0),
        *,
        parameters: Any = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(position, velocity, acceleration), each (..., 3) in ground; the point in body axes."""
        name = f"point_motion:{self._body(body)}"
        return self._loaded(name, (q, u, udot, point), parameters, None, None)

    def _body(self, body: str) -> str:
        if body not in self.bodies:
            raise InputError(f"unknown body {body!r}{closest(body, self.bodies)}")
        return body
