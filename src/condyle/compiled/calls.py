"""What the groups of calls of a mechanism stand on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from condyle.errors import InputError

Array = Any


class Calls(ABC):
    """Names and sizes, and one way to evaluate a kernel."""

    #: Names of the independent coordinates, the order of q, and of their speeds, the order of u.
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    markers: tuple[str, ...]
    parameters: tuple[str, ...]
    _zero_speeds: np.ndarray

    @abstractmethod
    def _call(
        self,
        name: str,
        arrays: tuple[Array, ...],
        parameters: Any,
        wrenches: Mapping[str, Array] | None,
        solved: Array = None,
    ) -> Any:
        """Outputs of the kernel `name`; one is an array, several a tuple.

        `solved` (..., nz): the unknown joint variables at arrays[0], where they are known.
        """

    def _loaded(
        self, name: str, arrays: tuple[Array, ...], parameters: Any, wrenches: Any, activations: Array
    ) -> Any:
        """The same for what loads enter; the scalar 0 stands for zeros in the third array."""
        if activations is not None and np.size(activations):
            found = f"activations: shape {np.shape(activations)}"
            raise InputError(f"{found}; the model has no muscles, allowed: None")
        if len(arrays) > 2 and isinstance(arrays[2], int | float) and arrays[2] == 0:
            arrays = (*arrays[:2], self._zero_speeds, *arrays[3:])
        return self._call(name, arrays, parameters, wrenches)


def shaped(value: np.ndarray, q: Array, trailing: tuple[int, int]) -> np.ndarray:
    """A one-column matrix comes from its kernel as a vector: give it its two axes back."""
    return value if trailing[1] > 1 else value.reshape(*value.shape[:-1], *trailing) if value.size else value
