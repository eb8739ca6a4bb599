"""What one quantity is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca

from condyle.compiled.graph import Graph

Outputs = dict[str, ca.SX]


@dataclass(frozen=True)
class Quantity:
    """`inputs`: names of the calling convention that the caller gives, in its order; `build`: graph ->
    outputs.
    """

    inputs: tuple[str, ...]
    build: Callable[[Graph], Outputs]
