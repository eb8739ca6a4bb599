"""What every coupling provides: joint variables as smooth functions s = Phi(q) of others [empirical, 3-3]."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from condyle.errors import InputError


@dataclass(frozen=True)
class Coupling(ABC):
    """The joint variables `dependents` follow from the joint variables `independents`, of any joints.

    A coupling is no constraint: a mechanism that embeds it has no multiplier for it and its dependent
    variables no speed of their own. Expressions are in q (m), the independents, and s (n), the dependents.
    """

    name: str

    @property
    @abstractmethod
    def dependents(self) -> tuple[str, ...]:
        """Full names `joint.coordinate` of s."""

    @property
    @abstractmethod
    def independents(self) -> tuple[str, ...]:
        """Full names of q; they may depend on others by further couplings."""

    @property
    def is_explicit(self) -> bool:
        """Whether `solved` states s as expressions in q; else s is found by Newton's method, outside
        graphs.
        """
        return True

    @abstractmethod
    def residual(self, q: ca.SX, s: ca.SX) -> ca.SX:
        """g(q, s) (n), zero where s = Phi(q)."""

    def solved(self, q: ca.SX) -> ca.SX:
        """Phi(q) (n) as an expression; only of an explicit coupling."""
        raise NotImplementedError(f"coupling {self.name!r} states a residual only")

    @abstractmethod
    def derivative(self, q: ca.SX, s: ca.SX) -> ca.SX:
        """Ds/dq (n x m): its rows are the gradients of the paper."""

    @abstractmethod
    def curvature(self, q: ca.SX, s: ca.SX, rates: ca.SX) -> ca.SX:
        """(n): rates' (d2 s_i/dq2) rates, what sddot would be with qddot = 0."""

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        """Interval of each independent that data cover; None: defined everywhere."""
        return None

    def problems(self) -> list[str]:
        """What is wrong with the coupling by itself, as sentences."""
        found = []
        for label, names in (("dependent", self.dependents), ("independent", self.independents)):
            if not names:
                found.append(f"no {label} joint variable is named")
            found += [f"{label} {name!r} is named twice" for name in repeated(names)]
        both = [name for name in self.dependents if name in self.independents]
        return found + [f"{name!r} is coupled to itself" for name in both]

    # Numbers

    def value(self, q: Any, guess: Any = None) -> np.ndarray:
        """S (..., n) at q (..., m); `guess` (..., n) where it must be solved for."""
        return self._numbers("value", q, guess, ())

    def gradient(self, q: Any, guess: Any = None) -> np.ndarray:
        """(..., n, m) d s_i / d q_a."""
        return self._numbers("gradient", q, guess, (len(self.independents),))

    def hessian(self, q: Any, guess: Any = None) -> np.ndarray:
        """(..., n, m, m) d2 s_i / d q_a d q_b."""
        return self._numbers("hessian", q, guess, (len(self.independents),) * 2)

    def _numbers(self, kind: str, q: Any, guess: Any, trailing: tuple[int, ...]) -> np.ndarray:
        """(..., n, *trailing)."""
        m, n = len(self.independents), len(self.dependents)
        array = np.asarray(q, dtype=float)
        if array.shape[-1:] != (m,):
            listed = ", ".join(self.independents)
            raise InputError(f"coupling {self.name!r}: shape {array.shape}; allowed: (..., {m}): {listed}")
        self._refuse_outside(array)
        leading, flat = array.shape[:-1], array.reshape(-1, m)
        if flat.shape[0] == 0:
            return np.zeros((*leading, n, *trailing))
        solved = self.settled(flat, guess)
        if kind == "value":
            return solved.reshape(*leading, n)
        found = np.array(self._function(kind).map(flat.shape[0])(flat.T, solved.T).full()).T
        return found.reshape(*leading, n, *trailing)

    def _function(self, kind: str) -> ca.Function:
        """(q, s) -> all numbers of one kind, the last index running first; traced once."""
        if kind not in self._functions:
            m, n = len(self.independents), len(self.dependents)
            q, s = ca.SX.sym("q", m), ca.SX.sym("s", n)
            made = {"value": self._solved, "gradient": self.derivative, "hessian": self._bends}[kind](q, s)
            flat = ca.vec(ca.cse(ca.densify(ca.SX(made))).T)
            self._functions[kind] = ca.Function(kind, [q, s], [flat])
        return self._functions[kind]

    @cached_property
    def _functions(self) -> dict[str, ca.Function]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """A description pickles as what it says."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _solved(self, q: ca.SX, s: ca.SX) -> ca.SX:
        return self.solved(q)

    def _bends(self, q: ca.SX, s: ca.SX) -> ca.SX:
        """(n x m m): rows are Hessians."""
        rates = ca.SX.sym("rates", q.numel())
        quadratic = ca.densify(self.curvature(q, s, rates))
        rows = [ca.vec(ca.hessian(quadratic[i], rates)[0]) / 2 for i in range(quadratic.numel())]
        # Constant in the rates, though the calls that pick the pieces of a long spline hide that.
        return ca.substitute(ca.horzcat(*rows).T, rates, ca.SX.zeros(q.numel()))

    def settled(self, q: np.ndarray, guess: Any) -> np.ndarray:
        """S (k, n) at q (k, m), k at least 1."""
        free = np.zeros((len(q), len(self.dependents)))
        return np.array(self._function("value").map(len(q))(q.T, free.T).full()).T

    def _refuse_outside(self, q: np.ndarray) -> None:
        domain = self.domain
        if domain is None:
            return
        wrong = []
        for k, (lower, upper) in enumerate(domain):
            values = q[..., k]
            if np.any((values < lower) | (values > upper)):
                found = f"{np.nanmin(values):.9g} to {np.nanmax(values):.9g}"
                wrong.append(f"{self.independents[k]!r} is {found}; sampled: {lower:.9g} to {upper:.9g}")
        if wrong:
            raise InputError(f"coupling {self.name!r} leaves its sampled range: " + "; ".join(wrong))


def repeated(names: tuple[str, ...]) -> list[str]:
    """Those that stand more than once."""
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]
