"""Calls of a mechanism: forward and inverse dynamics, their derivatives, and the loads in the joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from condyle.compiled.calls import Array, Calls, shaped


class DynamicsCalls(Calls):
    """Accelerations, forces and loads.

    Loads that all take: `wrenches` {body: (..., 6)}, moment about the body's origin and force, ground axes;
    `activations` of muscles (the model has none yet); `time` [s] of what depends on it (nothing yet).
    """

    def forward_dynamics(
        self,
        q: Array,
        u: Array,
        tau: Array = 0,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Mapping[str, Array] | None = None,
        activations: Array = None,
    ) -> np.ndarray:
        """Udot (..., nu) from tau (..., nu)."""
        return self._loaded("forward_dynamics", (q, u, tau), parameters, wrenches, activations)

    def inverse_dynamics(
        self,
        q: Array,
        u: Array,
        udot: Array = 0,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Mapping[str, Array] | None = None,
        activations: Array = None,
    ) -> np.ndarray:
        """Tau (..., nu) that gives udot."""
        return self._loaded("inverse_dynamics", (q, u, udot), parameters, wrenches, activations)

    def mass_matrix(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """M (..., nu, nu), conjugate to the speeds u."""
        nu = len(self.speeds)
        return shaped(self._call("mass_matrix", (q,), parameters, None), q, (nu, nu))

    def bias(
        self,
        q: Array,
        u: Array,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Mapping[str, Array] | None = None,
        activations: Array = None,
    ) -> np.ndarray:
        """Tau (..., nu) that holds udot = 0: gyroscopic terms, minus gravity and applied wrenches."""
        return self._loaded("bias", (q, u), parameters, wrenches, activations)

    def coordinate_rates(self, q: Array, u: Array, *, parameters: Any = None) -> np.ndarray:
        """Qdot = N(q) u, (..., nq)."""
        return self._call("coordinate_rates", (q, u), parameters, None)

    def inverse_dynamics_derivatives(
        self,
        q: Array,
        u: Array,
        udot: Array = 0,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Mapping[str, Array] | None = None,
        activations: Array = None,
    ) -> dict[str, np.ndarray]:
        """Derivatives of tau: "q" (..., nu, nq), "u", "udot" (..., nu, nu), "parameters" (..., nu, n)."""
        found = self._loaded("inverse_dynamics_derivatives", (q, u, udot), parameters, wrenches, activations)
        return self._derivatives(found, q, "udot")

    def forward_dynamics_derivatives(
        self,
        q: Array,
        u: Array,
        tau: Array = 0,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Mapping[str, Array] | None = None,
        activations: Array = None,
    ) -> dict[str, np.ndarray]:
        """Derivatives of udot: "q" (..., nu, nq), "u", "tau" (..., nu, nu), "parameters" (..., nu, n)."""
        found = self._loaded("forward_dynamics_derivatives", (q, u, tau), parameters, wrenches, activations)
        return self._derivatives(found, q, "tau")

    def _derivatives(self, found: tuple[np.ndarray, ...], q: Array, third: str) -> dict[str, np.ndarray]:
        nu = len(self.speeds)
        columns = {"q": len(self.coordinates), "u": nu, third: nu}
        if self.parameters:
            columns["parameters"] = len(self.parameters)
        return {
            label: shaped(value, q, (nu, count))
            for (label, count), value in zip(columns.items(), found, strict=True)
        }

    def forward_dynamics_and_reactions(
        self,
        q: Array,
        u: Array,
        tau: Array = 0,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Mapping[str, Array] | None = None,
        activations: Array = None,
    ) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, np.ndarray]]]:
        """(udot, reactions as `joint_reactions` gives them) in one call."""
        found = self._loaded("forward_dynamics_and_reactions", (q, u, tau), parameters, wrenches, activations)
        return found[0], self._by_joint(found[1])

    def _by_joint(self, rows: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        return {joint: (rows[..., i, :3], rows[..., i, 3:]) for i, joint in enumerate(self.joints)}

    def joint_reactions(
        self,
        q: Array,
        u: Array,
        udot: Array,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Mapping[str, Array] | None = None,
        activations: Array = None,
    ) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """{joint: (moment, force)} of the parent on the child about B's origin, P axes, each (..., 3).

        Found by balance at these accelerations, in all formulations; loads of the model's own constraints are
        not among them, as they are in `forward_dynamics_and_reactions`.
        """
        rows = self._loaded("joint_reactions", (q, u, udot), parameters, wrenches, activations)
        return self._by_joint(rows)
