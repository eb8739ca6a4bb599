"""What can be asked of a mechanism: name -> inputs, outputs and their shapes. One line each."""

from __future__ import annotations

import casadi as ca

from condyle.compiled.closing import closing_step
from condyle.compiled.constraint_quantities import CONSTRAINT_QUANTITIES
from condyle.compiled.derivatives import forward_dynamics_derivatives, inverse_dynamics_derivatives
from condyle.compiled.graph import Graph
from condyle.compiled.points import point_quantity
from condyle.compiled.quantity import Outputs, Quantity
from condyle.dynamics.crba import crba
from condyle.dynamics.energy import center_of_mass, kinetic_energy, momentum, potential_energy
from condyle.dynamics.linkage import linkage
from condyle.dynamics.reactions import balanced_reactions, joint_reactions, multiplier_reactions
from condyle.dynamics.saddle import factor_saddle
from condyle.errors import InputError, closest


def _regularity(graph: Graph) -> Outputs:
    """How far the pose is from those where accelerations are not determined: 1 at best, 0 there."""
    if graph.tree.described is not None and graph.constrained is not None:
        # Ghosts have no mass of their own: what resists them comes with their constraints.
        factor = graph.constrained.factor
        return {"mass_pivot": factor.smallest_speed_pivot, "constraint_pivot": factor.smallest_relative_pivot}
    if graph.tree.rates:  # M on the rates of Euler parameters is singular at any pose
        tree = graph.tree.minimal
        M, locked = crba(linkage(tree, graph.q, ca.SX(len(tree.speeds), 1))), set(tree.locked_speeds)
    else:
        M, locked = graph.mass_matrix, set(graph.locked_speeds)
    free = [k for k in range(M.shape[0]) if k not in locked]
    mass = factor_saddle(M[free, free], ca.SX(0, len(free))).smallest_speed_pivot
    found = {"mass_pivot": mass}
    if graph.constrained is not None:
        found["constraint_pivot"] = graph.constrained.factor.smallest_relative_pivot
    if graph.embedding is not None:
        found["closing_pivot"] = graph.embedding.regularity
    return found


def _body_poses(graph: Graph) -> Outputs:
    poses = [graph.kinematics.pose(body) for body in graph.tree.bodies]
    return {
        "rotations": ca.vertcat(*[pose.R for pose in poses]),
        "positions": ca.horzcat(*[pose.p for pose in poses]).T,
    }


def _center_of_mass(graph: Graph) -> Outputs:
    rows = [
        graph.kinematics.pose(link.body.name).point(ca.SX(ca.vertcat(*link.body.center_of_mass)))
        for link in graph.tree.links[: len(graph.tree.bodies)]
    ]
    return {"centers": ca.horzcat(*rows, center_of_mass(graph.kinematics)).T}


def _markers(graph: Graph) -> Outputs:
    points = [
        graph.kinematics.pose(marker.body).point(ca.SX(ca.vertcat(*marker.position)))
        for marker in graph.tree.model.markers
    ]
    return {"markers": ca.horzcat(*points).T}


def _body_velocities(graph: Graph) -> Outputs:
    return {
        "velocities": ca.horzcat(*[graph.kinematics.spatial_velocity(body) for body in graph.tree.bodies]).T
    }


def _body_accelerations(graph: Graph) -> Outputs:
    rows = graph.kinematics.spatial_accelerations(graph.vdot)[: len(graph.tree.bodies)]
    return {"accelerations": ca.horzcat(*rows).T}


def _inverse_dynamics(graph: Graph) -> ca.SX:
    return graph.tau_of(graph.udot)


def _forward_dynamics(graph: Graph) -> ca.SX:
    return graph.forward.udot


def _bias(graph: Graph) -> ca.SX:
    return graph.tau_of(ca.SX(graph.u.numel(), 1))


def _potential_energy(graph: Graph) -> ca.SX:
    gravity = potential_energy(graph.kinematics)
    return gravity + graph.forces.potential if graph.forces else gravity


def _reactions(graph: Graph) -> ca.SX:
    wrenches = graph.transmitted(graph.udot)
    if graph.tree.described is not None:
        return balanced_reactions(graph.kinematics, wrenches)
    return joint_reactions(graph.linkage, wrenches)


def _forward_dynamics_and_reactions(graph: Graph) -> Outputs:
    found = graph.forward
    if graph.tree.described is not None and graph.constrained is not None:
        loads = graph.constrained.equations.loads
        reactions = multiplier_reactions(graph.kinematics, loads, found.multipliers)
    else:
        reactions = joint_reactions(graph.linkage, found.wrenches)
    return {"udot": found.udot, "reactions": reactions, "multipliers": found.multipliers}


def _coupling_bias(graph: Graph) -> ca.SX:
    return ca.SX(graph.v.numel(), 1) if graph.embedding is None else graph.embedding.bias


def _coupling_hessian(graph: Graph) -> ca.SX:
    """(nv x nu nu): rows H_k with bias_k = u' H_k u."""
    (bias,) = graph.with_speeds([ca.densify(_coupling_bias(graph))])
    rows = [ca.vec(ca.hessian(bias[k], graph.u)[0]).T / 2 for k in range(bias.numel())]
    # Constant in u, though the calls that pick the pieces of a long spline hide that.
    return ca.substitute(ca.vertcat(*rows), graph.u, ca.SX.zeros(graph.u.numel()))


_STATE = ("q", "u")
QUANTITIES: dict[str, Quantity] = {
    "forward_dynamics": Quantity((*_STATE, "tau"), lambda g: {"udot": _forward_dynamics(g)}),
    "forward_dynamics_and_reactions": Quantity((*_STATE, "tau"), _forward_dynamics_and_reactions),
    "inverse_dynamics": Quantity((*_STATE, "udot"), lambda g: {"tau": _inverse_dynamics(g)}),
    "mass_matrix": Quantity(("q",), lambda g: {"mass_matrix": g.mass_matrix}),
    "bias": Quantity(_STATE, lambda g: {"bias": _bias(g)}),
    "coordinate_rates": Quantity(_STATE, lambda g: {"qdot": g.qdot}),
    "joint_values": Quantity(("q",), lambda g: {"joint_values": g.s}),
    "joint_rates": Quantity(_STATE, lambda g: {"joint_rates": g.linkage.qdot()}),
    "coupling_matrix": Quantity(("q",), lambda g: {"coupling_matrix": g.on_speeds(ca.SX.eye(g.v.numel()))}),
    "coupling_bias": Quantity(_STATE, lambda g: {"coupling_bias": _coupling_bias(g)}),
    "coupling_hessian": Quantity(("q",), lambda g: {"coupling_hessian": _coupling_hessian(g)}),
    "regularity": Quantity(("q",), _regularity),
    "body_poses": Quantity(("q",), _body_poses),
    "body_velocities": Quantity(_STATE, _body_velocities),
    "body_accelerations": Quantity((*_STATE, "udot"), _body_accelerations),
    "center_of_mass": Quantity(("q",), _center_of_mass),
    "markers": Quantity(("q",), _markers),
    "kinetic_energy": Quantity(_STATE, lambda g: {"kinetic": kinetic_energy(g.kinematics)}),
    "potential_energy": Quantity(("q",), lambda g: {"potential": _potential_energy(g)}),
    "momentum": Quantity(_STATE, lambda g: {"momentum": momentum(g.kinematics)}),
    "joint_reactions": Quantity((*_STATE, "udot"), lambda g: {"reactions": _reactions(g)}),
    "inverse_dynamics_derivatives": Quantity((*_STATE, "udot"), inverse_dynamics_derivatives),
    "forward_dynamics_derivatives": Quantity((*_STATE, "tau"), forward_dynamics_derivatives),
}


#: Of mechanisms in which joint variables are solved for.
CLOSING_QUANTITIES = {"closing_step": Quantity(("q",), closing_step)}


def quantity(name: str, has_constraints: bool, solves: bool = False) -> Quantity:
    """The quantity of that name; an unknown one is an error with the closest match."""
    known = QUANTITIES | (CONSTRAINT_QUANTITIES if has_constraints else {})
    known = known | CLOSING_QUANTITIES if solves else known
    found = known.get(name) or point_quantity(name)
    if found is None:
        raise InputError(f"no quantity {name!r}{closest(name, known)}")
    return found
