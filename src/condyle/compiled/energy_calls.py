"""Calls of a mechanism: energies and momenta."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.compiled.calls import Array, Calls


class EnergyCalls(Calls):
    """Of the whole mechanism."""

    def kinetic_energy(self, q: Array, u: Array, *, parameters: Any = None) -> np.ndarray:
        """1/2 u' M u [J], (...)."""
        return self._call("kinetic_energy", (q, u), parameters, None)[..., 0]

    def potential_energy(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """Of gravity (zero at ground's origin) and of force elements that store energy [J], (...)."""
        return self._call("potential_energy", (q,), parameters, None)[..., 0]

    def momentum(self, q: Array, u: Array, *, parameters: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """(angular momentum about ground's origin, linear momentum), each (..., 3), ground axes."""
        found = self._call("momentum", (q, u), parameters, None)
        return found[..., :3], found[..., 3:]
