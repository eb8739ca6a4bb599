"""A mechanism in absolute coordinates with drivers: kernels of its kinematics and of its multipliers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from condyle.compiled.identity import canonical, graph_key
from condyle.drivers import Driver
from condyle.dynamics.constraints import ConstraintEquations, constraint_equations
from condyle.dynamics.driven import (
    DrivenSystem,
    driven,
    largest,
    required_forces,
    symbols_of_targets,
)
from condyle.dynamics.linkage import Linkage, linkage
from condyle.errors import InputError, closest
from condyle.kernels import Kernel, build
from condyle.mechanism.absolute import absolute_tree
from condyle.mechanism.tree import Tree
from condyle.model.parameters import promote

if TYPE_CHECKING:
    from condyle.compiled.mechanism import Mechanism

#: Of rows that hold the mechanism together, and of driver rows, in least squares (paper 000, section 4.3).
WEIGHTS = (1000.0, 1.0)


@dataclass(frozen=True)
class Item:
    """A joint, a constraint or a driver: its rows, and the body whose motion they guide last."""

    name: str
    rows: slice
    bodies: tuple[str, ...]
    driver: bool

    @property
    def label(self) -> str:
        """A driver may have the name of its joint: "driver hip" beside "hip"."""
        return f"driver {self.name}" if self.driver else self.name

    @property
    def row_names(self) -> list[str]:
        return [f"{self.label}[{k}]" for k in range(self.rows.stop - self.rows.start)]


class DriverEquations:
    """Rows of all constraints, then of all drivers; coordinates are those of `tree`.

    `tree` is the mechanism's own, with a ghost more for every joint whose coordinates a driver names.
    """

    def __init__(
        self, mechanism: Mechanism, drivers: tuple[Driver, ...], weights: tuple[float, float] = WEIGHTS
    ) -> None:
        self.mechanism, self.drivers, self.weights = mechanism, drivers, weights
        self._kernels: dict[tuple[object, ...], Kernel] = {}
        self.tree: Tree = mechanism.tree
        named = {name for driver in drivers for name in driver.coordinates}
        if named - set(self.tree.coordinates):
            self.tree = absolute_tree(mechanism.model, drivers)
        #: Where the mechanism's own coordinates and speeds are.
        self.coordinates = [self.tree.coordinates.index(name) for name in mechanism.coordinates]
        self.speeds = [self.tree.speeds.index(name) for name in mechanism.speeds]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Constraints in the order of the tree's model, then drivers."""
        found, start = [], 0
        constraints = self.tree.model.constraints
        for k, item in enumerate((*constraints, *self.drivers)):
            rows = slice(start, start + item.size)
            found.append(Item(item.name, rows, item.bodies, k >= len(constraints)))
            start = rows.stop
        return tuple(found)

    def item(self, name: str) -> Item:
        """By its label ("hip", "driver hip"), or a driver by its own name where nothing else has that."""
        labels = {item.label: item for item in self.items}
        found = labels.get(name) or labels.get(f"driver {name}")
        if found is None:
            raise InputError(f"no joint, constraint or driver {name!r}{closest(name, labels)}")
        return found

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        return tuple(name for item in self.items for name in item.row_names)

    @cached_property
    def constraint_rows(self) -> int:
        """How many rows come before those of the drivers."""
        return sum(constraint.size for constraint in self.tree.model.constraints)

    @cached_property
    def target_slices(self) -> dict[str, slice]:
        """Where each driver's targets are."""
        found, start = {}, 0
        for driver in self.drivers:
            found[driver.name] = slice(start, start + len(driver.targets))
            start += len(driver.targets)
        return found

    @cached_property
    def free_speeds(self) -> tuple[int, ...]:
        """Speeds of the tree that are not locked."""
        return tuple(k for k in range(len(self.tree.speeds)) if k not in self.tree.locked_speeds)

    @cached_property
    def weighted(self) -> bool:
        """Whether there are more rows than speeds, so that weights matter."""
        return len(self.row_names) > len(self.free_speeds)

    @property
    def row_weights(self) -> tuple[float, ...] | None:
        """One per row; None where there are no more rows than speeds."""
        if not self.weighted:
            return None
        held = self.constraint_rows
        return (self.weights[0],) * held + (self.weights[1],) * (len(self.row_names) - held)

    def whole(self, q: np.ndarray) -> np.ndarray:
        """Coordinates (..., n) of the tree from the mechanism's own; others have their defaults."""
        found = np.broadcast_to(
            self.tree.default_coordinates, (*q.shape[:-1], len(self.tree.coordinates))
        ).copy()
        found[..., self.coordinates] = q
        return found

    # Kernels

    def step(self) -> Kernel:
        """(q, targets, scale, parameters) -> q after `scale` of a Newton step, measures of
        `condyle.solve.follow_frames`.
        """

        def trace(s: Symbols) -> ca.Function:
            system = s.system(self.row_weights)
            phi = system.equations.residual
            weights = system.weights or (1.0,) * phi.numel()
            merit = sum((weights[i] * weights[i] * phi[i] * phi[i] for i in range(phi.numel())), ca.SX(0))
            held = largest(phi[: self.constraint_rows]) if self.constraint_rows else ca.SX(0)
            change, _ = system.position_step()
            scale = ca.SX.sym("scale")
            values = system.given(merit, held, system.regularity)
            measures = ca.vertcat(largest(change), *values)
            following = s.moved(scale * change)
            return ca.Function(
                "step",
                [s.q, s.targets.values, scale, s.parameters],
                ca.cse([ca.densify(following), ca.densify(measures)]),
            )

        return self.kernel("step", trace)

    def motion(self) -> Kernel:
        """(q, targets, their rates, their accelerations, parameters) -> u, udot, residuals, regularity."""

        def trace(s: Symbols) -> ca.Function:
            system, t = s.system(self.row_weights), s.targets
            motion = system.motion()
            values = system.given(system.equations.residual, system.regularity)
            return ca.Function(
                "motion",
                [s.q, t.values, t.rates, t.accelerations, s.parameters],
                ca.cse([ca.densify(value) for value in (motion.u, motion.udot, *values)]),
            )

        return self.kernel("motion", trace)

    def matrix(self) -> Kernel:
        """(q, targets, parameters) -> D (rows, speeds of the tree), residuals (rows)."""

        def trace(s: Symbols) -> ca.Function:
            found = s.rows()
            values = [ca.densify(found.G), ca.densify(found.residual)]
            return ca.Function("matrix", [s.q, s.targets.values, s.parameters], ca.cse(values))

        return self.kernel("matrix", trace)

    def moved(self) -> Kernel:
        """(q, change of the integral of the tree's speeds) -> q."""

        def trace(s: Symbols) -> ca.Function:
            return ca.Function("moved", [s.q, s.udot], [s.moved(s.udot)])

        return self.kernel("moved", trace)

    def multipliers(self, weights: tuple[float, ...] | None, bodies: tuple[str, ...]) -> Kernel:
        """(q, u, udot, targets, parameters, wrenches) -> lambda (rows); with `weights`, one per row, that of
        least sum of (lambda / weight)^2, else of least norm.
        """

        def trace(s: Symbols) -> ca.Function:
            found = s.system(weights).multipliers(s.udot, bodies, s.wrenches if bodies else None)
            inputs = [s.q, s.u, s.udot, s.targets.values, s.parameters, s.wrenches]
            return ca.Function("multipliers", inputs, [ca.cse(ca.densify(found))])

        return self.kernel("multipliers", trace, weights, wrenches=bodies)

    def required(self, bodies: tuple[str, ...]) -> Kernel:
        """(q, u, udot, parameters, wrenches) -> g - M vdot (speeds of the tree): what D' lambda has to be."""

        def trace(s: Symbols) -> ca.Function:
            found = required_forces(s.linkage, s.udot, bodies, s.wrenches if bodies else None)
            inputs = [s.q, s.u, s.udot, s.parameters, s.wrenches]
            return ca.Function("required", inputs, [ca.cse(ca.densify(found))])

        return self.kernel("required", trace, wrenches=bodies)

    def kernel(
        self,
        name: str,
        trace: Callable[[Symbols], ca.Function],
        *extra: object,
        wrenches: tuple[str, ...] = (),
    ) -> Kernel:
        """The kernel of this name, traced when it is first asked for; `extra`: what else it depends on."""
        known = self._kernels.get((name, extra, wrenches))
        if known is not None:
            return known
        mechanism = self.mechanism
        memo = ("drivers", name, self.drivers, self.weights, extra, wrenches)
        found = mechanism.kernels.get(memo)
        if found is None:
            key, text = None, canonical(self.drivers)
            if text is not None:
                parts = ("drivers", name, mechanism.parameters, wrenches, text, self.weights, extra)
                key = graph_key(mechanism._text, *parts)
            found = mechanism.kernels[memo] = build(
                lambda: trace(Symbols(self, wrenches)), key=key, name=name
            )
        self._kernels[name, extra, wrenches] = found
        return found


class Symbols:
    """Fresh symbols of one graph."""

    def __init__(self, owner: DriverEquations, wrench_bodies: tuple[str, ...] = ()) -> None:
        mechanism = owner.mechanism
        self.owner, self.tree, self.wrench_bodies = owner, owner.tree, wrench_bodies
        self.parameters = ca.SX.sym("parameters", len(mechanism.parameters))
        if mechanism.parameters:
            symbols = {path: self.parameters[i] for i, path in enumerate(mechanism.parameters)}
            readers = owner.drivers if owner.tree is not mechanism.tree else ()
            self.tree = absolute_tree(promote(mechanism.model, symbols), readers)
        self.q = ca.SX.sym("q", len(self.tree.coordinates))
        self.u = ca.SX.sym("u", len(self.tree.speeds))
        self.udot = ca.SX.sym("udot", len(self.tree.speeds))
        self.wrenches = ca.SX.sym("wrenches", 6 * len(wrench_bodies))
        self.targets = symbols_of_targets(owner.drivers)

    @cached_property
    def linkage(self) -> Linkage:
        return linkage(self.tree, self.q, self.u)

    def system(self, weights: Sequence[float] | None) -> DrivenSystem:
        """The equations on this graph's symbols."""
        constraints = self.tree.model.constraints
        return DrivenSystem(self.linkage, constraints, self.owner.drivers, self.targets, weights)

    def rows(self) -> ConstraintEquations:
        """All rows in the tree's own speeds."""
        rows = [*self.tree.model.constraints, *driven(self.owner.drivers, self.targets)]
        return constraint_equations(self.linkage, rows, self.targets)

    def moved(self, change: ca.SX) -> ca.SX:
        """q after a change of the integral of the speeds; Euler parameters p + N dpi, of unit length."""
        values = ca.vertsplit(ca.densify(self.q + self.linkage.qdot_along(change)))
        for start in self.tree.unit_groups:
            group = ca.vertcat(*values[start : start + 4])
            length = ca.norm_2(group)
            values[start : start + 4] = [value / length for value in values[start : start + 4]]
        return ca.vertcat(*values)
