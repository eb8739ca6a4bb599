"""The compiled mechanism: names, kernels, states; batched calls of every quantity (`*_calls` modules)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from condyle.compiled.arguments import parameter_values, real_array, wrench_values
from condyle.compiled.assembly import Assembly, Near, assemble, replaced
from condyle.compiled.calls import Array
from condyle.compiled.closing import dependents
from condyle.compiled.constraint_calls import ConstraintCalls
from condyle.compiled.conversion import from_minimal
from condyle.compiled.dynamics_calls import DynamicsCalls
from condyle.compiled.energy_calls import EnergyCalls
from condyle.compiled.graph import INPUTS, Graph
from condyle.compiled.identity import canonical, graph_key
from condyle.compiled.independence import ConstraintReport, examine_constraints
from condyle.compiled.kinematics_calls import KinematicsCalls
from condyle.compiled.loop_calls import LoopCalls
from condyle.compiled.projection import project
from condyle.compiled.quantities import quantity
from condyle.compiled.resistance import check_embedded_resistance, check_resistance
from condyle.compiled.root import with_root
from condyle.compiled.state_status import joint_measures, state_status
from condyle.couplings.prescribed import CLOCK
from condyle.errors import InputError, closest
from condyle.kernels import Kernel, build
from condyle.mechanism.clock import with_clock
from condyle.mechanism.formulations import formulated
from condyle.mechanism.loops import as_constraints, with_ghosts
from condyle.model.model import Model
from condyle.model.parameters import leaves, resolve

#: How couplings and closed loops may be treated.
TREATMENTS = ("embed", "multipliers")


def compile(
    model: Model,
    *,
    parameters: Iterable[str] = (),
    formulation: str = "minimal",
    loops: str = "embed",
    independent: Iterable[str] | str | None = None,
    near: Mapping[str, float] | None = None,
) -> Mechanism:
    """The mechanism of a model. Kernels are built when they are first asked for, or taken from the cache.

    `parameters` names numeric leaves ("thigh.mass", "knee.axis[0]") that become inputs of every call.
    `formulation`: "minimal" (the joints' coordinates), "absolute" (Euler parameters and position of every
    body, joints as constraints) or "kane" (as minimal, with the rates of Euler parameters as speeds; trees
    only).
    `loops`: "embed" makes couplings and closed loops plain differential equations in the independent
    coordinates; "multipliers" treats the same equations as constraints on all joint variables, as does the
    absolute formulation.
    `independent` names the independent joint variables of a model with loops; by default they are chosen in
    the default pose, the best conditioned.
    `near` {joint variable: value} takes the place of defaults where implicit couplings and loops are
    assembled: of several assemblies, the one near by.
    """
    named = (independent,) if isinstance(independent, str) else independent
    named = None if named is None else tuple(named)
    start = None if near is None else tuple(near.items())
    return Mechanism(model, tuple(parameters), formulation, loops, named, start)


class Mechanism(DynamicsCalls, KinematicsCalls, ConstraintCalls, EnergyCalls, LoopCalls):
    """A model with its equations compiled. Arrays have leading batch axes; SI units and radians."""

    def __init__(
        self,
        model: Model,
        parameters: tuple[str, ...] = (),
        formulation: str = "minimal",
        loops: str = "embed",
        independent: tuple[str, ...] | None = None,
        near: Near | None = None,
    ) -> None:
        if loops not in TREATMENTS:
            raise InputError(f"loops: unknown treatment {loops!r}{closest(str(loops), TREATMENTS)}")
        self._given = (model, parameters, formulation, loops, independent, near)
        model = with_ghosts(with_clock(model))
        depends = bool(model.couplings or model.loops)
        if depends and (loops == "multipliers" or formulation == "absolute"):
            model = as_constraints(model)
            if independent is not None:
                treatment = (
                    "loops='multipliers'" if loops == "multipliers" else f"formulation={formulation!r}"
                )
                raise InputError(
                    f"independent: with {treatment} all joint variables are; loops='embed' has a choice"
                )
        self.model = model
        self.formulation = formulation
        self.parameters = parameters
        # Walking through the model takes longer than loading a kernel: only where a number is promoted.
        known, paths = (leaves(model), resolve(model, parameters)) if parameters else ({}, {})
        #: The model's own values of the promoted leaves, in order.
        self.parameter_defaults = np.array([known[paths[given]] for given in parameters], dtype=float)
        self.tree = formulated(model, formulation)
        self.assembly: Assembly = assemble(self.tree, independent, near)
        self.roles = self.assembly.roles
        if not depends:
            check_resistance(self.tree.described or self.tree.minimal)
        elif self.roles.embeds:
            check_embedded_resistance(self.tree, self.assembly)
        #: Names of the independent coordinates, the order of q, and of their speeds, the order of u.
        self.coordinates = self.roles.coordinates
        self.speeds = self.roles.speeds
        #: Start indices in q of groups of four Euler parameters.
        self.unit_groups = self.roles.unit_groups
        #: Names of all joint variables, dependent ones included.
        self.joint_variables = self.tree.coordinates
        self.bodies = self.tree.bodies
        self.joints = self.tree.joints
        self.markers = tuple(marker.name for marker in model.markers)
        self.kernels: dict[Any, Kernel] = {}  # those built so far
        self._zero_speeds = np.zeros(len(self.speeds))

    def __repr__(self) -> str:
        return (
            f"Mechanism({self.model.name!r}, {len(self.coordinates)} coordinates, {len(self.speeds)} speeds)"
        )

    def __reduce__(self):
        return Mechanism, self._given

    @cached_property
    def _text(self) -> str | None:
        return canonical(self.model)

    @cached_property
    def constraint_report(self) -> ConstraintReport:
        """Rank of the constraints near the default pose, and which equations follow from others."""
        return examine_constraints(self.tree, self.assembly)

    @cached_property
    def _independent(self) -> tuple[int, ...] | None:
        return self.constraint_report.independent if self.constrained else None

    @property
    def constrained(self) -> bool:
        """Whether there are constraints: the model's own, or joints in absolute coordinates."""
        return bool(self.tree.model.constraints)

    @property
    def _structure(self) -> Any:
        """What else than the model shapes the graphs: equations that are left out, independent
        coordinates.
        """
        return self._independent if not self.roles.embeds else (self._independent, self.assembly.key)

    @cached_property
    def joint_measures(self) -> ca.Function | None:
        """How far the joints are from their singular poses, for `state_status`."""
        return joint_measures(self.tree.minimal)

    def default_state(self) -> tuple[np.ndarray, np.ndarray]:
        """(q, u) of the default pose at rest; where joint variables are prescribed, time runs from 0."""
        running = [float(name == CLOCK) for name in self.speeds]
        return self.assembly.coordinates.copy(), np.array(running)

    def near(
        self, joint_values: Mapping[str, float] | Array, independent: Iterable[str] | None = None
    ) -> Mechanism:
        """The same mechanism with its default pose at, and its loops closed near, these joint variables.

        joint_values: all of them (ns), or some by name; the others stay at the default pose. `independent`:
        other independent coordinates; () has them chosen there.
        """
        if isinstance(joint_values, Mapping):
            s = replaced(self.tree, self.assembly.pose, tuple(joint_values.items()))
        else:
            s = real_array("near", joint_values, self.joint_variables)
        named = self._given[4] if independent is None else tuple(independent) or None
        pairs = zip(self.joint_variables, s, strict=True)
        return Mechanism(*self._given[:4], named, tuple((name, float(value)) for name, value in pairs))

    def state_status(self, q: Array, u: Array | None = None, *, parameters: Any = None) -> np.ndarray:
        """`condyle.Status` (...) of each state: whether the mechanism can be evaluated there.

        BAD_INPUT: NaN or infinity, Euler parameters more than 1e-3 from unit length, a coordinate outside the
        data of its joint's functions (results there are extrapolations). SINGULAR: within about 1e-6 rad of a
        pose where the mass matrix, N(q) or the constraints lose rank; calls return infinite, NaN or
        meaningless accelerations there. INFEASIBLE: implicit couplings or loops cannot be closed there, or
        not on the straight way from the default pose. Else OK.
        """
        return state_status(self, q, self._zero_speeds if u is None else u, None, parameters)

    # Kernels and functions

    def kernel(self, name: str, *, wrenches: tuple[str, ...] = ()) -> Kernel:
        """Compiled kernel of a quantity: its own inputs, then time-free parameters and wrenches if there are
        any.
        """
        found = self.kernels.get((name, wrenches))
        if found is None:
            self._quantity(name)
            key = graph_key(self._text, name, self.parameters, wrenches, self._structure, self.formulation)
            found = build(lambda: self._trace(name, wrenches), key=key, name=name)
            self.kernels[name, wrenches] = found
        return found

    def function(self, name: str, *, wrenches: Iterable[str] = ()) -> ca.Function:
        """casadi.Function with the inputs q, u, tau (or udot), time, parameters, wrenches, activations.

        Where couplings are implicit or loops closed, it holds a root finder that starts at the default pose.
        """
        asked = self._quantity(name)
        graph = self.graph(tuple(wrenches))
        outputs = asked.build(graph)
        values = graph.finished(list(outputs.values()))
        names: list[str] = list(INPUTS)
        if "udot" in asked.inputs:
            names[2] = "udot"
        names += [extra for extra in asked.inputs if extra not in (*INPUTS, "udot")]
        symbols = [graph.symbol(n) for n in names]
        if self.roles.unknown:
            return with_root(
                _plain(name), graph, symbols, ca.cse(values), names, list(outputs), self.assembly
            )
        return ca.Function(_plain(name), symbols, ca.cse(values), names, list(outputs))

    def graph(self, wrenches: tuple[str, ...] = ()) -> Graph:
        """Fresh symbols and expressions of this mechanism, for building other functions."""
        sizes = self.constraint_report.sizes if self.constrained else ()
        return Graph(
            self.tree,
            self.parameters,
            wrenches,
            self._independent,
            sizes,
            self.roles,
            self.assembly.rows,
            self.assembly.sizes,
        )

    def _quantity(self, name: str):
        return quantity(name, self.constrained, bool(self.roles.unknown))

    def _trace(self, name: str, wrenches: tuple[str, ...]) -> ca.Function:
        graph = self.graph(wrenches)
        asked = self._quantity(name)
        outputs = asked.build(graph)
        names = [*asked.inputs, "parameters", "wrenches"]
        if self.roles.unknown:
            names.append("dependent")
        symbols = [graph.symbol(n) for n in names]
        values = graph.finished(list(outputs.values()))
        return ca.Function(_plain(name), symbols, ca.cse(values), names, list(outputs))

    def _call(
        self, name: str, arrays: tuple[Array, ...], parameters: Any, wrenches: Any, solved: Array = None
    ) -> Any:
        """Evaluate a kernel; `solved` (..., nz): the unknown joint variables at arrays[0], where they are
        known.
        """
        bodies, loads = wrench_values(wrenches, self.bodies) if wrenches else ((), None)
        kernel = self.kernels.get((name, bodies)) or self.kernel(name, wrenches=bodies)
        if self.roles.unknown:
            if solved is None:
                solved = dependents(self, arrays[0], parameters)[0]
            p = parameter_values(parameters, self.parameters, self.parameter_defaults)
            return kernel(*arrays, p if self.parameters else None, loads, solved)
        if not self.parameters and parameters is None:
            return kernel(*arrays, None, loads)
        return kernel(*arrays, parameter_values(parameters, self.parameters, self.parameter_defaults), loads)

    def project(
        self, q: Array, u: Array, *, tolerance: float = 1e-10, iterations: int = 50, parameters: Any = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(q, u, status): the nearest state in the kinetic metric with residuals within the tolerance."""
        return project(self, q, u, tolerance, iterations, parameters)

    # Formulations

    @cached_property
    def minimal(self) -> Mechanism:
        """The mechanism of the same model in minimal coordinates; itself, if it is that."""
        return self if self.formulation == "minimal" else Mechanism(self.model, self.parameters)

    def from_minimal(
        self, q: Array, u: Array, *, parameters: Any = None, trajectory: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """State (q, u) of this formulation, absolute or kane, from one in minimal coordinates.

        In absolute coordinates Euler parameters have e0 >= 0; with `trajectory` the last leading axis is
        time, and signs continue the frame before.
        """
        return from_minimal(self, q, u, parameters, trajectory)


def _plain(name: str) -> str:
    """A name that CasADi accepts: bodies may be called anything."""
    return name.partition(":")[0]
