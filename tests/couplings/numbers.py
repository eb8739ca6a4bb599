"""Quantities of a mechanism through CasADi's interpreter: no time goes to compiling."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from condyle import Mechanism
from condyle.compiled.quantities import quantity


@dataclass(frozen=True)
class State:
    """z: joint variables that are solved for."""

    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    tau: np.ndarray
    z: np.ndarray
    p: np.ndarray


class Numbers:
    """Every quantity of one mechanism, traced when it is first asked for."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.graph = mechanism.graph()
        self._functions: dict[str, ca.Function] = {}

    def __call__(self, name: str, state: State) -> dict[str, np.ndarray]:
        if name not in self._functions:
            g = self.graph
            made = quantity(name, bool(self.mechanism.model.constraints)).build(g)
            inputs = [g.q, g.u, g.udot, g.tau, g.dependent, g.p]
            values = [ca.densify(ca.SX(value)) for value in made.values()]
            self._functions[name] = ca.Function("f", inputs, g.finished(values), list("quatzp"), list(made))
        f = self._functions[name]
        found = f.call([state.q, state.u, state.udot, state.tau, state.z, state.p])
        arrays = (np.array(value.full()) for value in found)
        return {
            label: value[:, 0] if value.shape[1] == 1 else value
            for label, value in zip(f.name_out(), arrays, strict=True)
        }

    def one(self, name: str, state: State) -> np.ndarray:
        """The only, or the first, output."""
        return next(iter(self(name, state).values()))


def moved(mechanism: Mechanism, state: State, direction: np.ndarray, size: float) -> np.ndarray:
    """Q after a small motion along qdot = `direction`, Euler parameters of unit length."""
    q = state.q + size * direction
    for start in mechanism.unit_groups:
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return q
