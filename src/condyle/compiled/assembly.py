"""Roles of joint variables, and an assembled default pose: settled once, when a mechanism is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from condyle.compiled.loop_choice import LoopChoice, choose_loops
from condyle.compiled.solved import Solver, unsolved_couplings
from condyle.errors import InputError, ModelError, closest
from condyle.mechanism.roles import Roles
from condyle.mechanism.tree import Tree

#: Independent coordinates -> matrices.
Values = Callable[[np.ndarray], list[Any]]
#: Joint variables by name, and their values.
Near = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Assembly:
    """Roles; the loop equations that are solved for, by index; the default pose: independent q and solved
    z. `choice`: how the roles of a model with loops came about.
    """

    roles: Roles
    coordinates: np.ndarray
    unknown: np.ndarray
    rows: tuple[int, ...] = ()
    choice: LoopChoice | None = None

    @property
    def key(self) -> str:
        """Tells assemblies of one model apart."""
        return f"{self.roles.text} {self.rows} {self.sizes}"

    @property
    def sizes(self) -> tuple[float, ...]:
        """Usual lengths of the loop equations' rows."""
        return self.choice.sizes if self.choice is not None else ()

    @property
    def pose(self) -> np.ndarray:
        """All joint variables (ns) of the default pose."""
        if not self.roles.embeds:
            return self.coordinates.copy()
        return np.array(self.solver.positions(self.coordinates, self.unknown).full())[:, 0]

    @property
    def unknown_unit_groups(self) -> tuple[int, ...]:
        """Start indices in s of Euler parameters that are solved for."""
        return tuple(k for k in self.roles.tree.unit_groups if k in self.roles.unknown)

    @cached_property
    def solver(self) -> Solver:
        """The unknown joint variables at other coordinates, one pose at a time."""
        return Solver(self.roles, self.rows)


def assemble(tree: Tree, independent: tuple[str, ...] | None, near: Near | None = None) -> Assembly:
    """The roles of a tree's joint variables, and its default pose with everything solved.

    `near`: values that take the place of the model's defaults.
    """
    default = replaced(tree, tree.default_coordinates, near or ())
    if tree.model.loops:
        choice = choose_loops(tree, independent, default)
        roles, rows = choice.roles, choice.rows
        s = choice.pose
    else:
        choice, roles, rows, s = None, Roles(tree), (), default
        if independent is not None:
            _check_given(roles, independent)
    q, z = s[list(roles.independent)], s[list(roles.unknown)]
    assembly = Assembly(roles, q, z, rows, choice)
    if not roles.implicit:
        return assembly  # loops are closed by their choice
    found, closed = assembly.solver.settle(q, z)
    if not closed:
        problems = unsolved_couplings(assembly.solver, q, found)
        raise ModelError(f"model {tree.model.name!r}", problems)
    return Assembly(roles, q, found, rows, choice)


def replaced(tree: Tree, s: np.ndarray, near: Near) -> np.ndarray:
    """Joint variables s (ns) with some of them replaced."""
    wrong = [
        f"unknown joint variable {name!r}{closest(name, tree.coordinates)}"
        for name, _ in near
        if name not in tree.coordinates
    ]
    wrong += [f"{name!r} is {value!r}; allowed: a number" for name, value in near if not np.isfinite(value)]
    if wrong:
        raise InputError("near: " + "; ".join(wrong))
    s = np.array(s, dtype=float)
    for name, value in near:
        s[tree.coordinates.index(name)] = value
    return s


def _check_given(roles: Roles, independent: tuple[str, ...]) -> None:
    wrong = [
        f"{name!r} is not independent{closest(name, roles.coordinates)}"
        for name in independent
        if name not in roles.coordinates
    ]
    wrong += [
        f"{name!r} is missing: nothing determines it"
        for name in roles.coordinates
        if name not in independent and not roles.is_locked(name)
    ]
    if wrong:
        raise InputError("independent (the model has no loops, so there is no choice): " + "; ".join(wrong))


def closed(evaluate: ca.Function, tree: Tree, assembly: Assembly) -> Values:
    """A function of (q, z) as one of q, on the branch of the default pose."""
    if not assembly.roles.unknown:
        return lambda q: evaluate.call([q, assembly.unknown])

    def values(q: np.ndarray) -> list[Any]:
        z, found = assembly.solver.settle(q, assembly.unknown)
        return evaluate.call([q, z if found else np.full(z.size, np.nan)])

    return values
