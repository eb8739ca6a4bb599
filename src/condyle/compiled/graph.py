"""Symbols of one graph and the expressions that its quantities share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca

from condyle.dynamics.aba import aba
from condyle.dynamics.constrained import ConstrainedSystem
from condyle.dynamics.forces import AppliedForces
from condyle.dynamics.kinematics import Kinematics
from condyle.dynamics.linkage import Linkage, linkage
from condyle.dynamics.rnea import rnea
from condyle.dynamics.wrenches import applied_wrenches
from condyle.mechanism.formulations import formulated
from condyle.mechanism.tree import Tree
from condyle.model.parameters import promote


@dataclass(frozen=True)
class Forward:
    """udot (nu), multipliers (m); per link the wrench of the parent on it, axes of the parent's frame."""

    udot: ca.SX
    multipliers: ca.SX
    wrenches: tuple[tuple[ca.SX, ca.SX], ...]


#: Inputs of every graph, in the order of the calling convention; `udot` takes the place of `tau` where it is
#: given.
INPUTS = ("q", "u", "tau", "time", "parameters", "wrenches", "activations")


@dataclass
class Graph:
    """The tree with promoted parameters as symbols, and symbols for every input."""

    tree: Tree
    parameters: tuple[str, ...] = ()
    wrench_bodies: tuple[str, ...] = ()
    independent: tuple[int, ...] | None = None  # scalar constraint equations that are solved for; None: all
    sizes: tuple[float, ...] = ()  # usual lengths of the constraints' rows
    point: ca.SX = field(default_factory=lambda: ca.SX.sym("point", 3))

    def __post_init__(self) -> None:
        self.p = ca.SX.sym("parameters", len(self.parameters))
        if self.parameters:
            symbols = {path: self.p[i] for i, path in enumerate(self.parameters)}
            described = (self.tree.described or self.tree).model
            self.tree = formulated(promote(described, symbols), self.tree.formulation)
        nq, nu = len(self.tree.coordinates), len(self.tree.speeds)
        self.q = ca.SX.sym("q", nq)
        self.u = ca.SX.sym("u", nu)
        self.tau = ca.SX.sym("tau", nu)
        self.udot = ca.SX.sym("udot", nu)
        self.time = ca.SX.sym("time")
        self.wrenches = ca.SX.sym("wrenches", 6 * len(self.wrench_bodies))
        self.activations = ca.SX.sym("activations", 0)

    @cached_property
    def linkage(self) -> Linkage:
        return linkage(self.tree, self.q, self.u)

    @cached_property
    def kinematics(self) -> Kinematics:
        return Kinematics(self.linkage)

    @cached_property
    def applied(self):
        """External wrenches per link, in link axes."""
        return applied_wrenches(self.kinematics, self.wrench_bodies, self.wrenches)

    @cached_property
    def forces(self) -> AppliedForces | None:
        """The model's force elements, where it has any."""
        forces = self.tree.model.forces
        return AppliedForces(self.linkage, forces) if forces else None

    @cached_property
    def loads(self):
        """All wrenches per link, those of force elements among them: for reactions."""
        return self.forces.with_wrenches(self.applied) if self.forces else self.applied

    @property
    def effort(self) -> ca.SX:
        """Tau (nu) with what force elements add to it."""
        return self.tau + self.forces.generalised if self.forces else self.tau

    @cached_property
    def constrained(self) -> ConstrainedSystem | None:
        """The saddle system, where the model has constraints."""
        constraints = self.tree.model.constraints
        if not constraints:
            return None
        return ConstrainedSystem(self.linkage, constraints, self.independent, self.sizes)

    @cached_property
    def forward(self) -> Forward:
        """Accelerations, multipliers and transmitted wrenches at (q, u, tau)."""
        if self.constrained is None:
            found = aba(self.linkage, self.effort, self.applied)
            wrenches = rnea(self.linkage, found.udot, self.loads).wrenches if self.forces else found.wrenches
            return Forward(found.udot, ca.SX(0, 1), wrenches)
        udot, multipliers = self.constrained.forward(self.effort, self.applied)
        loads = dict(self.loads)
        for index, (moment, force) in self.constrained.wrenches(multipliers).items():
            before = loads.get(index, (ca.SX(3, 1), ca.SX(3, 1)))
            loads[index] = (moment + before[0], force + before[1])
        return Forward(udot, multipliers, rnea(self.linkage, udot, loads).wrenches)

    def symbol(self, name: str) -> ca.SX:
        """The symbol of an input by its name in the calling convention."""
        return self.p if name == "parameters" else getattr(self, name)
