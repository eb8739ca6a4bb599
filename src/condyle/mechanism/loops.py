"""The joints that close loops, and couplings, as constraints on the tree."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, final

import casadi as ca

from condyle.constraints.base import Configuration, Constraint
from condyle.constraints.coupling import Coupling as CouplingConstraint
from condyle.couplings.base import Coupling
from condyle.couplings.explicit import Explicit
from condyle.mechanism.ghost import ghost_of, on_ground
from condyle.model.body import Body
from condyle.model.model import Model
from condyle.spatial import Transform


def with_ghosts(model: Model) -> Model:
    """The model and, for every loop closed by a joint without closed equations, a ghost: a massless body on
    ground under the same joint, whose pose there is that of the joint. Its coordinates are joint variables.
    """
    ghosts = [
        (Body(ghost_of(joint)), on_ground(joint, model.ground, ghost_of(joint)))
        for joint in model.loops
        if joint.equations(Transform.identity()) is None
    ]
    if not ghosts:
        return model
    content: dict[str, Any] = {field.name: getattr(model, field.name) for field in fields(Model)}
    content["bodies"] = (*model.bodies, *(body for body, _ in ghosts))
    content["joints"] = (*model.joints, *(joint for _, joint in ghosts))
    return Model.unchecked(**content)


def closures(model: Model) -> tuple[Constraint, ...]:
    """One constraint per joint of `model.loops`, by its ghost where there is one."""
    if not model.loops:
        return ()
    from condyle.mechanism.joint_constraint import JointConstraint

    bodies = {body.name for body in model.bodies}
    return tuple(
        JointConstraint(joint.name, joint, ghost_of(joint) if ghost_of(joint) in bodies else None)
        for joint in model.loops
    )


@final
@dataclass(frozen=True)
class Coupled(Constraint):
    """The residual of a coupling, one equation per dependent joint variable."""

    coupling: Coupling

    @property
    def size(self) -> int:
        return len(self.coupling.dependents)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (*self.coupling.dependents, *self.coupling.independents)

    def residual(self, configuration: Configuration) -> ca.SX:
        values = configuration.coordinates
        q = ca.vertcat(*[values[name] for name in self.coupling.independents])
        return self.coupling.residual(q, ca.vertcat(*[values[name] for name in self.coupling.dependents]))

    def problems(self) -> list[str]:
        return self.coupling.problems()


def as_constraints(model: Model) -> Model:
    """The same motion with every coupling and every loop as a constraint with multipliers."""
    content: dict[str, Any] = {field.name: getattr(model, field.name) for field in fields(Model)}
    couplings = tuple(_constraint(coupling) for coupling in model.couplings)
    content["constraints"] = (*model.constraints, *couplings, *closures(model))
    content["couplings"] = content["loops"] = ()
    return Model.unchecked(**content)


def _constraint(coupling: Coupling) -> Constraint:
    if isinstance(coupling, Explicit):
        # A function's numbers keep their paths as parameters.
        return CouplingConstraint(coupling.name, coupling.dependent, coupling.independent, coupling.function)
    return Coupled(coupling.name, coupling)
