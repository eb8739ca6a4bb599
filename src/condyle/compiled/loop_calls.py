"""Calls of a mechanism: all joint variables, and how loops and implicit couplings determine them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from condyle.compiled.arguments import real_array
from condyle.compiled.assembly import Assembly
from condyle.compiled.branches import branches
from condyle.compiled.calls import Array, Calls, shaped
from condyle.compiled.closing import Closed, close, dependents
from condyle.compiled.loop_choice import LoopChoice
from condyle.compiled.reach import Reach, reach
from condyle.couplings.prescribed import Prescribed
from condyle.kernels import Kernel
from condyle.mechanism.roles import Roles
from condyle.mechanism.tree import Tree


class LoopCalls(Calls):
    """Of couplings and closed loops."""

    tree: Tree
    roles: Roles
    assembly: Assembly
    unit_groups: tuple[int, ...]
    parameter_defaults: np.ndarray
    #: Names of all joint variables, dependent ones included.
    joint_variables: tuple[str, ...]

    @abstractmethod
    def kernel(self, name: str, *, wrenches: tuple[str, ...] = ()) -> Kernel:
        """Compiled kernel of a quantity."""

    def joint_values(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """All joint variables s (..., ns) at independent coordinates q, in the order of `joint_variables`."""
        return self._call("joint_values", (q,), parameters, None) if self.roles.embeds else np.array(q, float)

    def best_coordinates(self, joint_values: Array) -> tuple[str, ...]:
        """Names of the best conditioned independent coordinates at an assembled pose, all joint variables
        (ns).
        """
        s = real_array("joint_values", joint_values, self.joint_variables)
        choice = self.assembly.choice
        return self.coordinates if choice is None else choice.best(s)

    def loop_regularity(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """(...) how well q determines what is solved for: 1 at best, 0 at a dead point or where branches
        meet.

        Of the block of equations that fares worst, the squared volume of its matrix over the product of the
        squared lengths of its rows, independent coordinates included.
        """
        if not self.roles.unknown:
            return np.ones(np.shape(q)[:-1])
        solved = dependents(self, q, parameters)[0]
        found = self._call("regularity", (q,), parameters, None, solved)[-1][..., 0]
        return np.where(np.isfinite(solved).all(axis=-1), found, 0.0)

    def close(self, q: Array, *, parameters: Any = None) -> Closed:
        """All joint variables at independent coordinates q, and how they were found.

        Where couplings are implicit or loops closed, Newton's method follows the straight way from the
        default pose to q, so that the assembly is the one that is continuously connected to the default
        pose. The other calls do the same; their results are NaN where the status here is not OK.
        """
        return close(self, q, parameters)

    def joint_rates(self, q: Array, u: Array, *, parameters: Any = None) -> np.ndarray:
        """Rates (..., ns) of all joint variables."""
        return self._call("joint_rates", (q, u), parameters, None)

    def coupling_matrix(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """J (..., nv, nu): the speeds of the whole tree are v = J u."""
        found = self._call("coupling_matrix", (q,), parameters, None)
        return shaped(found, q, (len(self.tree.speeds), len(self.speeds)))

    def coupling_hessian(self, q: Array, *, parameters: Any = None) -> np.ndarray:
        """H (..., nv, nu, nu), symmetric: vdot = J udot + u' H u; Hessians where speeds are rates.

        With `coupling_matrix` the paper's gradients and Hessians of every joint variable.
        """
        nv, nu = len(self.tree.speeds), len(self.speeds)
        found = self._call("coupling_hessian", (q,), parameters, None)
        return np.reshape(found, (*np.shape(q)[:-1], nv, nu, nu))

    def reach(self, coordinate: str, lower: float, upper: float, *, parameters: Any = None) -> Reach:
        """How far a coordinate can go from the default pose within limits, and what ends its way: dead
        points and singular poses.
        """
        return reach(self, coordinate, lower, upper, parameters)

    @property
    def coordinate_roles(self) -> dict[str, str]:
        """Of every joint variable: "independent", "locked" (independent, but held at its default), "coupled"
        (it follows from a coupling), "prescribed" (from time) or "closing" (from the loops).
        """
        sources = {
            "coupled": {name for coupling in self.roles.couplings for name in coupling.dependents},
            "closing": {self.joint_variables[k] for k in self.roles.closing},
            "prescribed": {
                name
                for coupling in self.roles.couplings
                if isinstance(coupling, Prescribed)
                for name in coupling.dependents
            },
        }
        found = {}
        for name in self.joint_variables:
            role = "locked" if self.roles.is_locked(name) else "independent"
            for source, names in sources.items():
                role = source if name in names else role
            found[name] = role
        return found

    @property
    def loop_report(self) -> LoopChoice | None:
        """Of embedded loops: which equations follow from others, rank, conditioning; None without loops."""
        return self.assembly.choice

    def branches(self, q: Array, *, starts: int = 200, parameters: Any = None) -> np.ndarray:
        """Assemblies (k, ns), all joint variables, that were found at one set of coordinates q (nq).

        The first is that of the default pose, if it reaches q; the others are found from `starts` random
        starts (the same ones every time), so that some may be missing. `near` takes one of them on. None: q
        is out of reach.
        """
        return branches(self, q, starts, parameters)
