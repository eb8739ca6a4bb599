"""Roles of joint variables, and an assembled default pose: settled once, when a mechanism is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from condyle.mechanism.roles import Roles
from condyle.mechanism.tree import Tree

#: Independent coordinates -> matrices.
Values = Callable[[np.ndarray], list[Any]]


@dataclass(frozen=True)
class Assembly:
    """Roles; the loop equations that are solved for, by index; the default pose: independent q and solved
    z.
    """

    roles: Roles
    coordinates: np.ndarray
    unknown: np.ndarray
    rows: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """Tells assemblies of one model apart."""
        return f"{self.roles.text} {self.rows}"


def assemble(tree: Tree, independent: tuple[str, ...] | None) -> Assembly:
    """The roles of a tree's joint variables."""
    roles = Roles(tree)
    defaults = tree.default_coordinates
    return Assembly(roles, defaults[list(roles.independent)], np.zeros(0))


def closed(evaluate: ca.Function, tree: Tree, assembly: Assembly) -> Values:
    """A function of (q, z) as one of q."""
    return lambda q: evaluate.call([q, assembly.unknown])
