"""Symbols of one graph and the expressions that its quantities share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca

from condyle.dynamics.aba import aba
from condyle.dynamics.constrained import ConstrainedSystem
from condyle.dynamics.crba import crba
from condyle.dynamics.embedded import EmbeddedSystem
from condyle.dynamics.embedding import Embedding
from condyle.dynamics.forces import AppliedForces
from condyle.dynamics.kane.recursion import kane_forward
from condyle.dynamics.kinematics import Kinematics
from condyle.dynamics.linkage import Linkage, linkage
from condyle.dynamics.rnea import rnea
from condyle.dynamics.stabilisation import Projection, Stabilisation
from condyle.dynamics.wrenches import applied_wrenches
from condyle.mechanism.formulations import formulated
from condyle.mechanism.loops import closures
from condyle.mechanism.roles import Roles
from condyle.mechanism.tree import Tree
from condyle.model.parameters import promote

Transmitted = tuple[tuple[ca.SX, ca.SX], ...]


@dataclass(frozen=True)
class Forward:
    """udot (nu), multipliers (m); `transmit` makes the wrenches, which most graphs do without."""

    udot: ca.SX
    multipliers: ca.SX
    transmit: Callable[[], Transmitted]

    @cached_property
    def wrenches(self) -> Transmitted:
        """Per link the wrench of the parent on it, axes of the parent's frame."""
        return self.transmit()


#: Inputs of every graph, in the order of the calling convention; `udot` takes the place of `tau` where it is
#: given.
INPUTS = ("q", "u", "tau", "time", "parameters", "wrenches", "activations")


@dataclass
class Graph:
    """The tree with promoted parameters as symbols, and symbols for every input.

    q, u and what is conjugate to them are of the independent coordinates; s and v are of all joint variables
    of the tree, the same symbols where none depends on others. What is built from the linkage holds s and v,
    which `finished` replaces. `dependent`: the joint variables that are solved for outside the graph.
    """

    tree: Tree
    parameters: tuple[str, ...] = ()
    wrench_bodies: tuple[str, ...] = ()
    independent: tuple[int, ...] | None = None  # scalar constraint equations that are solved for; None: all
    sizes: tuple[float, ...] = ()  # usual lengths of the constraints' rows
    roles: Roles | None = None
    closing_rows: tuple[int, ...] = ()  # scalar equations of the loops that are solved for
    closing_sizes: tuple[float, ...] = ()  # usual lengths of their rows
    stabilisation: Stabilisation = Projection()  # what forward dynamics asks of the constraints
    point: ca.SX = field(default_factory=lambda: ca.SX.sym("point", 3))

    def __post_init__(self) -> None:
        self.p = ca.SX.sym("parameters", len(self.parameters))
        if self.parameters:
            symbols = {path: self.p[i] for i, path in enumerate(self.parameters)}
            described = (self.tree.described or self.tree).model
            self.tree = formulated(promote(described, symbols), self.tree.formulation)
        roles = self.roles = Roles(self.tree) if self.roles is None else replace(self.roles, tree=self.tree)
        nq, nu = len(roles.coordinates), len(roles.speeds)
        self.q = self.s = ca.SX.sym("q", nq)
        self.u = self.v = ca.SX.sym("u", nu)
        if roles.embeds:
            self.s = ca.SX.sym("s", len(self.tree.coordinates))
            self.v = ca.SX.sym("v", len(self.tree.speeds))
        self.locked_speeds = roles.locked_speeds
        self.dependent = ca.SX.sym("dependent", len(roles.unknown))
        self.tau = ca.SX.sym("tau", nu)
        self.udot = ca.SX.sym("udot", nu)
        self.time = ca.SX.sym("time")
        self.wrenches = ca.SX.sym("wrenches", 6 * len(self.wrench_bodies))
        self.activations = ca.SX.sym("activations", 0)

    @cached_property
    def linkage(self) -> Linkage:
        return linkage(self.tree, self.s, self.v)

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
        return self.tau + self.on_speeds(self.forces.generalised.T).T if self.forces else self.tau

    @cached_property
    def embedding(self) -> Embedding | None:
        """How the joint variables follow from the independent ones; None where all are independent."""
        assert self.roles is not None
        if not self.roles.embeds:
            return None
        return Embedding(
            self.linkage, self.roles, closures(self.tree.model), self.closing_rows, self.closing_sizes
        )

    @cached_property
    def embedded(self) -> EmbeddedSystem | None:
        """The projected system, where joint variables depend on others."""
        if self.embedding is None:
            return None
        constraints = self.tree.model.constraints
        return EmbeddedSystem(self.embedding, self.u, constraints, self.independent, self.sizes)

    @cached_property
    def constrained(self) -> ConstrainedSystem | EmbeddedSystem | None:
        """The saddle system, where the model has constraints."""
        constraints = self.tree.model.constraints
        if not constraints:
            return None
        if self.embedded is not None:
            return self.embedded
        return ConstrainedSystem(self.linkage, constraints, self.independent, self.sizes)

    @cached_property
    def forward(self) -> Forward:
        """Accelerations, multipliers and transmitted wrenches at (q, u, tau)."""
        if self.embedded is not None:
            udot, multipliers = self.embedded.forward(self.effort, self.applied, self.stabilisation)
            return Forward(udot, multipliers, lambda: self.transmitted(udot, multipliers))
        system = self.constrained
        if not isinstance(system, ConstrainedSystem):
            solve = kane_forward if self.tree.rates else aba
            found = solve(self.linkage, self.effort, self.applied)
            own = None if self.forces else found.wrenches
            return Forward(
                found.udot, ca.SX(0, 1), lambda: own or rnea(self.linkage, found.udot, self.loads).wrenches
            )
        udot, multipliers = system.forward(self.effort, self.applied, self.stabilisation)
        return Forward(udot, multipliers, lambda: self._with_constraints(system, udot, multipliers))

    def _with_constraints(self, system: ConstrainedSystem, udot: ca.SX, multipliers: ca.SX) -> Transmitted:
        """Wrench of the parent on every link, with what the constraints apply."""
        loads = dict(self.loads)
        for index, (moment, force) in system.wrenches(multipliers).items():
            before = loads.get(index, (ca.SX(3, 1), ca.SX(3, 1)))
            loads[index] = (moment + before[0], force + before[1])
        return rnea(self.linkage, udot, loads).wrenches

    def tau_of(self, udot: ca.SX) -> ca.SX:
        """Inverse dynamics: what remains to be supplied where force elements do their part."""
        if self.embedded is not None:
            tau = self.embedded.inverse(udot, self.applied)
        else:
            tau = rnea(self.linkage, udot, self.applied).tau
        return tau - self.on_speeds(self.forces.generalised.T).T if self.forces else tau

    def transmitted(self, udot: ca.SX, multipliers: ca.SX | None = None) -> Transmitted:
        """Wrench of the parent on every link, `multipliers` those of an embedded system's constraints."""
        if self.embedded is None:
            return rnea(self.linkage, udot, self.loads).wrenches
        generalised = self.forces.generalised if self.forces else None
        return self.embedded.transmitted(udot, self.applied, self.loads, generalised, multipliers)

    @cached_property
    def mass_matrix(self) -> ca.SX:
        """M (nu x nu)."""
        return crba(self.linkage) if self.embedded is None else self.embedded.mass_matrix

    @cached_property
    def vdot(self) -> ca.SX:
        """Accelerations (nv) of the tree that belong to `udot`."""
        return self.udot if self.embedded is None else self.embedded.tree_udot(self.udot)

    @cached_property
    def qdot(self) -> ca.SX:
        """Rates (nq) of the independent coordinates."""
        rates = self.linkage.qdot()
        assert self.roles is not None
        return rates[list(self.roles.independent)] if self.roles.embeds else rates

    def on_speeds(self, matrix: ca.SX) -> ca.SX:
        """A matrix that multiplies the tree's speeds, as one that multiplies u."""
        return matrix if self.embedding is None else ca.mtimes(matrix, self.embedding.J)

    def with_speeds(self, values: list[ca.SX]) -> list[ca.SX]:
        """Expressions in s and u, the tree's speeds replaced."""
        if self.embedding is None:
            return values
        speeds = ca.densify(ca.mtimes(self.embedding.J, self.u))
        return ca.substitute(values, [self.v], [speeds])

    def at_positions(self, values: list[ca.SX]) -> list[ca.SX]:
        """Expressions in q and `dependent`, the tree's joint variables replaced."""
        if self.embedding is None:
            return values
        return ca.substitute(values, [self.s], [self.embedding.positions(self.q, self.dependent)])

    def finished(self, values: list[ca.SX]) -> list[ca.SX]:
        """Expressions in the graph's inputs only."""
        return self.at_positions(self.with_speeds(values))

    def symbol(self, name: str) -> ca.SX:
        """The symbol of an input by its name in the calling convention."""
        return self.p if name == "parameters" else getattr(self, name)
