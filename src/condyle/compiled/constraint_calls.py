"""Calls of a mechanism: its constraints and their multipliers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from condyle.compiled.calls import Array, Calls, shaped
from condyle.compiled.independence import ConstraintReport


class ConstraintCalls(Calls):
    """Residuals and multipliers, in the order of `constraint_report.names`."""

    @property
    @abstractmethod
    def constraint_report(self) -> ConstraintReport:
        """Names of the equations, among others."""

    def constraint_residual(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """G(q), (..., m), in the order of `constraint_report.names`."""
        return self._call("constraint_equations", (q, self._zero_speeds), parameters, None)[0]

    def constraint_jacobian(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """G (..., m, nu) with gdot = G u."""
        found = self._call("constraint_equations", (q, self._zero_speeds), parameters, None)[1]
        return shaped(found, q, (len(self.constraint_report.names), len(self.speeds)))

    def constraint_multipliers(
        self,
        q: Array,
        u: Array,
        tau: Array = 0,
        *,
        time: Array = 0,
        parameters: Any = None,
        wrenches: Any = None,
        activations: Array = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """(lambda (..., m), smallest relative pivot (...)); M udot + G' lambda = tau - bias. Pivot near 0:
        singular.
        """
        found = self._loaded("constraint_multipliers", (q, u, tau), parameters, wrenches, activations)
        return found[0], found[1][..., 0]
