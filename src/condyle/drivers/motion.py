"""What drivers are given over time: targets with their rates and accelerations, exactly differentiated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import casadi as ca
import numpy as np

from condyle.drivers.samples import differentiated
from condyle.errors import InputError
from condyle.functions import Function
from condyle.spatial.euler import parameters_from_sequence, with_continuous_sign

UNIT_TOLERANCE = 1e-3
COARSE = 0.5  # |p.p'| of neighbours that are 120 degrees apart


@final
@dataclass(frozen=True, eq=False)
class Motion:
    """values, rates [1/s], accelerations [1/s^2] of one driver's targets, each (..., frames, targets).

    A frame with NaN is one without data: it gets the status BAD_INPUT, the others are analysed.
    """

    values: np.ndarray
    rates: np.ndarray
    accelerations: np.ndarray

    def __post_init__(self) -> None:
        for name in ("values", "rates", "accelerations"):
            object.__setattr__(self, name, np.array(getattr(self, name), dtype=float))
        shapes = {self.values.shape, self.rates.shape, self.accelerations.shape}
        if len(shapes) > 1 or self.values.ndim < 2:
            raise InputError(
                f"values {self.values.shape}, rates {self.rates.shape}, accelerations "
                f"{self.accelerations.shape}; allowed: one shape (..., frames, targets) for all three"
            )

    @staticmethod
    def of_functions(functions: Sequence[Function] | Function, at: Any) -> Motion:
        """One function of time [s] per target, at the times `at` (frames)."""
        listed = (functions,) if isinstance(functions, Function) else tuple(functions)
        parts = [
            np.stack([function.evaluate(at, order=order) for function in listed], axis=-1)
            for order in range(3)
        ]
        return Motion(*parts)

    @staticmethod
    def of_expression(expression: Callable[[ca.SX], ca.SX], at: Any) -> Motion:
        """Expression(t) -> targets (n), written in casadi; differentiated as such."""
        t = ca.SX.sym("t")
        values = ca.densify(ca.SX(expression(t)))
        rates = ca.jacobian(values, t)
        return _mapped([t], [values, rates, ca.jacobian(rates, t)], [np.asarray(at, dtype=float)[:, None]])

    @staticmethod
    def of_samples(times: Any, values: Any, at: Any = None, *, longest_gap: float = 0.0) -> Motion:
        """Quintic splines through samples (frames, targets) at `times` [s], evaluated there or `at` others.

        Rows with NaN are missing. A hole between known samples that are more than `longest_gap` [s] apart is
        not bridged: frames inside it, and those outside the data, are NaN.
        """
        return Motion(*differentiated(times, values, at, longest_gap))

    @staticmethod
    def of_orientations(times: Any, p: Any, at: Any = None, *, longest_gap: float = 0.0) -> Motion:
        """Euler parameters (frames, 4), either sign: splines of the continuous ones, made unit again.

        Neighbours more than 120 degrees apart are refused: their sign is a guess.
        """
        p = np.asarray(p, dtype=float)
        if p.ndim != 2 or p.shape[1] != 4:
            raise InputError(f"p: shape {p.shape}; allowed: (frames, 4)")
        continued = with_continuous_sign(unit_length(p))
        apart = np.abs(np.einsum("fk,fk->f", continued[1:], continued[:-1]))
        wide = np.flatnonzero(apart < COARSE)
        if wide.size:
            k = wide[np.argmin(apart[wide])]
            raise InputError(
                f"p: {wide.size} pairs of neighbours are more than 120 degrees apart, the widest frames {k} "
                f"and {k + 1} ({np.degrees(2 * np.arccos(apart[k])):.0f} degrees); allowed: denser samples"
            )
        return Motion.of_samples(times, continued, at, longest_gap=longest_gap)._made_unit()

    def as_orientation(self, sequence: str) -> Motion:
        """Body-fixed angles (..., frames, 1 to 3) [rad], about the axes of `sequence`, as p* (..., 4)."""
        count = self.values.shape[-1]
        if len(sequence) != count or count > 3:
            raise InputError(
                f"sequence {sequence!r} for {count} angles; allowed: one axis per angle, at most 3"
            )
        whole = sequence + next(rest for rest in ("", *_RESTS) if _complete(sequence + rest))
        x, v, a = (ca.SX.sym(name, count) for name in "xva")
        angles = ca.vertcat(x, ca.SX(3 - count, 1))
        p = ca.densify(parameters_from_sequence(whole, angles))
        rate = ca.jtimes(p, x, v)
        second = ca.jtimes(rate, ca.vertcat(x, v), ca.vertcat(v, a))
        found = _mapped([x, v, a], [p, rate, second], [self.values, self.rates, self.accelerations])
        return found._with_sign(with_continuous_sign(found.values))

    def continued(self) -> Motion:
        """The same orientations p* (..., frames, 4), each frame's sign on the side of the one before."""
        return self._with_sign(with_continuous_sign(self.values))

    def _with_sign(self, values: np.ndarray) -> Motion:
        with np.errstate(invalid="ignore"):
            sign = np.where((values * self.values).sum(-1, keepdims=True) < 0, -1.0, 1.0)
        return Motion(values, sign * self.rates, sign * self.accelerations)

    def _made_unit(self) -> Motion:
        """Divided by their length, with the rates that belong to that."""
        s, v, a = self.values, self.rates, self.accelerations
        n = np.linalg.norm(s, axis=-1, keepdims=True)
        p = s / n
        n_rate = (p * v).sum(-1, keepdims=True)
        rate = (v - p * n_rate) / n
        n_second = (rate * v + p * a).sum(-1, keepdims=True)
        return Motion(p, rate, (a - 2 * rate * n_rate - p * n_second) / n)


def unit_length(p: np.ndarray) -> np.ndarray:
    """p / |p|; InputError names the frames that are more than 1e-3 from unit length."""
    length = np.linalg.norm(p, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        wrong = np.flatnonzero((np.abs(length - 1) > UNIT_TOLERANCE).ravel())
    if wrong.size:
        k = wrong[0]
        raise InputError(
            f"p: {wrong.size} frames are no Euler parameters, the first frame {k} of length "
            f"{length.ravel()[k]:.6g}; allowed: 1 within {UNIT_TOLERANCE}"
        )
    return p / length


_RESTS = ("x", "y", "z", "xy", "xz", "yx", "yz", "zx", "zy")


def _complete(sequence: str) -> bool:
    return len(sequence) == 3 and sequence[0] != sequence[1] != sequence[2]


def _mapped(symbols: list[ca.SX], outputs: list[ca.SX], arrays: list[np.ndarray]) -> Motion:
    shape = arrays[0].shape[:-1]
    count = int(np.prod(shape))
    function = ca.Function("targets", symbols, [ca.densify(value) for value in outputs]).map(count)
    columns = [array.reshape(count, -1).T for array in arrays]
    found = function.call([ca.DM(column) for column in columns])
    return Motion(*[np.array(value).T.reshape(*shape, -1) for value in found])
