"""What every scalar function of a description provides."""

from __future__ import annotations

from abc import ABC, abstractmethod

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle.errors import InputError


class Function(ABC):
    """A scalar function of one or several inputs, built from numeric leaves.

    Subclasses are final frozen dataclasses whose fields are the numbers that a user gives. A leaf may be
    replaced by a symbol (a promoted parameter), so `__call__` accepts floats and SX leaves alike. NaN in any
    input that matters gives NaN; at infinity the value may be NaN too.
    """

    @property
    def inputs(self) -> int:
        """How many arguments `__call__` takes."""
        return 1

    @property
    def continuity(self) -> int:
        """Continuous derivatives inside the domain: dynamics needs 2, less must be accepted knowingly."""
        return 2

    @property
    def domain(self) -> tuple[tuple[float, float], ...] | None:
        """Range of the data per input, or None where the function is defined by a formula everywhere."""
        return None

    def problems(self) -> list[str]:
        """What is wrong with the numbers, as sentences; an empty list when the function can be built."""
        return []

    @abstractmethod
    def __call__(self, *x: ca.SX) -> ca.SX:
        """Value as an expression; derivatives follow by differentiation."""

    def antiderivative(self, x: ca.SX) -> ca.SX | None:
        """A function of one input whose derivative this is; None where no closed form is known."""
        return None

    def evaluate(self, *x: ArrayLike, order: int | tuple[int, ...] = 0) -> NDArray[np.float64]:
        """Values at arrays that broadcast together, or a derivative: `order`, one per input, e.g. (1, 0)."""
        orders = (order,) if isinstance(order, int) and self.inputs == 1 else order
        if not isinstance(orders, tuple):
            orders = (0,) * self.inputs if orders == 0 else ()
        problems = self.problems()
        if len(x) != self.inputs:
            problems.append(f"{len(x)} arrays given, {self.inputs} needed")
        if len(orders) != self.inputs or not all(isinstance(k, int) and k >= 0 for k in orders):
            problems.append(f"order must be {self.inputs} whole numbers, one per input, found {order!r}")
        if problems:
            raise InputError(f"{type(self).__name__}: " + "; ".join(problems))
        symbols = [ca.SX.sym(f"x{k}") for k in range(self.inputs)]
        value = self(*symbols)
        if len(ca.symvar(ca.vertcat(value, *symbols))) > self.inputs:
            raise InputError(f"{type(self).__name__}: promoted numbers have no value here")
        for symbol, count in zip(symbols, orders, strict=True):
            for _ in range(count):
                value = ca.jacobian(value, symbol)
        try:
            arrays = np.broadcast_arrays(*(np.asarray(array, dtype=np.float64) for array in x))
        except ValueError:
            shapes = ", ".join(str(np.shape(array)) for array in x)
            raise InputError(f"{type(self).__name__}: shapes {shapes} do not broadcast together") from None
        shape, size = arrays[0].shape, arrays[0].size
        if size == 0:
            return np.empty(shape)
        function = ca.Function("values", symbols, [ca.densify(ca.cse(value))])
        mapped = function.map(size)
        return np.asarray(mapped(*(array.reshape(1, -1) for array in arrays)), dtype=np.float64).reshape(
            shape
        )
