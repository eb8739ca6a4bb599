"""Constraint residuals of a linkage, their velocity matrix G and their bias, through body twists.

Residuals are written in poses of bodies. They are differentiated with respect to twists, not coordinates,
with the poses' entries as symbols: so a constraint costs the same whatever joints lie beneath it, as a
derivation by hand would have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import casadi as ca

from condyle.constraints.base import Configuration
from condyle.dynamics.body_motion import body_motion
from condyle.dynamics.constraint_loads import Load
from condyle.dynamics.linkage import Linkage, euler_parameters_along
from condyle.dynamics.stabilisation import Stabilisation
from condyle.errors import InputError, closest
from condyle.spatial import Transform, euler_parameters_rate_matrix, relative_euler_parameters
from condyle.spatial.vectors import skew


class Residual(Protocol):
    """What is differentiated here: a constraint, or a driver with symbols for its targets."""

    @property
    def name(self) -> str: ...

    @property
    def bodies(self) -> tuple[str, ...]: ...

    def residual(self, configuration: Configuration) -> ca.SX:
        """g (size x 1)."""
        ...


@dataclass(frozen=True)
class Targets:
    """Symbols of prescribed values, and of their rates and accelerations, which residuals may contain."""

    values: ca.SX
    rates: ca.SX
    accelerations: ca.SX


@dataclass(frozen=True)
class ConstraintEquations:
    """g (m), G (m x nu), bias: gddot = G udot + bias; loads per constraint; drift: gdot = G u + drift.

    Drift is 0 but where targets move: nu = -drift, gamma = -bias.
    """

    residual: ca.SX
    G: ca.SX
    bias: ca.SX
    loads: tuple[Load, ...]
    drift: ca.SX

    def wanted(self, u: ca.SX, stabilisation: Stabilisation) -> ca.SX:
        """G udot (m) that the equations ask for: gamma, with what a stabilisation adds [ankle, eq. 1]."""
        added = stabilisation.feedback(self.residual, ca.mtimes(self.G, u) + self.drift)
        return -self.bias if added is None else added - self.bias


@dataclass
class _Symbols:
    """Poses of bodies as free symbols, in the common frame C; `in_ground` says whether a pose in ground was
    asked for.
    """

    constraint: Residual
    poses: dict[str, Transform]
    coordinates: Mapping[str, ca.SX]
    in_ground: bool = False
    parameters: dict[str, ca.SX] = field(default_factory=dict)  # Euler parameters that were asked for

    def pose(self, body: str) -> Transform:
        self.in_ground = True
        return self._known(body)

    def relative_pose(self, reference: str, body: str) -> Transform:
        return self._known(reference).inverse() @ self._known(body)

    def relative_euler_parameters(self, reference: str, body: str) -> ca.SX:
        p_A, p_B = (self._parameters(name) for name in (reference, body))
        return relative_euler_parameters(p_A, p_B)

    def _parameters(self, body: str) -> ca.SX:
        self._known(body)
        return self.parameters.setdefault(body, ca.SX.sym("p", 4))

    def _known(self, body: str) -> Transform:
        if body not in self.poses:
            name = self.constraint.name
            raise InputError(
                f"constraint {name!r} looks at body {body!r}{closest(body, self.poses)}; name it in of_bodies"
            )
        return self.poses[body]


def constraint_equations(
    linkage: Linkage, constraints: Sequence[Residual], targets: Targets | None = None
) -> ConstraintEquations:
    """All constraints stacked in model order; `targets`: symbols of theirs that move in time."""
    nothing = ca.SX(0, 1)
    targets = targets or Targets(nothing, nothing, nothing)
    parts = [_Equations(linkage, constraint, targets) for constraint in constraints]
    nu = len(linkage.tree.speeds)
    if not parts:
        return ConstraintEquations(ca.SX(0, 1), ca.SX(0, nu), ca.SX(0, 1), (), ca.SX(0, 1))
    loads, start = [], 0
    for part in parts:
        size = part.residual.numel()
        loads.append(Load(start, part.twist_matrices, part.ancestor, tuple(part.motions), size))
        start += size
    return ConstraintEquations(
        ca.vertcat(*[part.residual for part in parts]),
        ca.vertcat(*[part.G for part in parts]),
        ca.vertcat(*[part.bias for part in parts]),
        tuple(loads),
        ca.vertcat(*[part.drift for part in parts]),
    )


class _Equations:
    """One constraint on a linkage."""

    def __init__(self, linkage: Linkage, constraint: Residual, targets: Targets) -> None:
        self.linkage, self.constraint, self.targets = linkage, constraint, targets
        tree = linkage.tree
        bodies = tuple(dict.fromkeys(constraint.bodies))
        if self._asks_for_ground(bodies):
            bodies = tuple(dict.fromkeys((tree.model.ground, *bodies)))
        paths = [tree.path(tree.link_of(body)) for body in bodies]
        shared = 0
        while paths and all(len(path) > shared and path[shared] == paths[0][shared] for path in paths):
            shared += 1
        self.motions = {
            body: body_motion(linkage, path[shared:], path) for body, path in zip(bodies, paths, strict=True)
        }
        self.ancestor = paths[0][shared - 1] if shared and any(len(path) == shared for path in paths) else -1
        self._differentiate()

    def _asks_for_ground(self, bodies: tuple[str, ...]) -> bool:
        """Whether the residual looks at a pose in ground, so that C must be ground."""
        trial = _Symbols(self.constraint, {body: _free_pose() for body in bodies}, self._coordinates())
        self.constraint.residual(trial)
        return trial.in_ground

    def _coordinates(self) -> dict[str, ca.SX]:
        return {name: self.linkage.q[i] for i, name in enumerate(self.linkage.tree.coordinates)}

    def _differentiate(self) -> None:
        linkage, names = self.linkage, self.linkage.tree.coordinates
        q, rates = linkage.q, ca.SX.sym("qdot", len(names))
        symbols, values, along = [], [], []
        poses, twists, actual_twists = {}, {}, {}
        for body, motion in self.motions.items():
            if motion.X.R.is_constant() and motion.X.p.is_constant():
                poses[body] = motion.X
                continue
            poses[body], V = _free_pose(), ca.SX.sym("V", 6)
            R, p, twists[body] = poses[body].R, poses[body].p, V
            actual_twists[body] = ca.mtimes(motion.J, linkage.u)
            symbols += [ca.vec(R), p]
            values += [ca.vec(ca.densify(motion.X.R)), ca.densify(motion.X.p)]
            along += [ca.vec(ca.mtimes(skew(V[:3]), R)), V[3:]]
        seen = _Symbols(self.constraint, poses, self._coordinates())
        g = ca.SX(self.constraint.residual(seen))
        for body, p in seen.parameters.items():
            symbols.append(p)
            values.append(ca.densify(euler_parameters_along(linkage, *self.motions[body].path)))
            N = euler_parameters_rate_matrix(p)
            along.append(ca.mtimes(N, twists[body][:3]) if body in twists else ca.SX.zeros(4))
        moving = self.targets
        state = ca.vertcat(*symbols, q, moving.values)
        flow = ca.vertcat(*along, rates, moving.rates)
        gdot = ca.jtimes(g, state, flow)
        V_all = ca.vertcat(*twists.values()) if twists else ca.SX(0, 1)
        by_twist = ca.jacobian(gdot, V_all)
        by_rate = ca.jacobian(gdot, rates)
        curvature = ca.jtimes(gdot, state, flow)
        drift = ca.SX(g.numel(), 1)
        if moving.values.numel() and ca.depends_on(g, moving.values):
            drift = ca.jtimes(g, moving.values, moving.rates)
            curvature = curvature + ca.jtimes(g, moving.values, moving.accelerations)
        old = ca.vertcat(*symbols, V_all, rates)
        qdot = linkage.qdot()
        new = ca.densify(ca.vertcat(*values, *[actual_twists[body] for body in twists], qdot))
        g, by_twist, by_rate, curvature, drift = ca.substitute(
            [g, by_twist, by_rate, curvature, ca.densify(drift)], [old], [new]
        )
        self.residual, self.drift = g, ca.sparsify(drift)
        self.twist_matrices = {
            body: (self.motions[body].X, ca.sparsify(by_twist[:, 6 * k : 6 * k + 6]))
            for k, body in enumerate(twists)
        }
        rate_matrix = ca.jacobian(qdot, linkage.u) if by_rate.nnz() else ca.SX(q.numel(), linkage.u.numel())
        G = ca.mtimes(ca.sparsify(by_rate), rate_matrix)
        bias = ca.densify(curvature)
        if by_rate.nnz() and ca.depends_on(rate_matrix, q):
            bias = bias + ca.mtimes(by_rate, ca.jtimes(qdot, q, qdot))
        for body, (_, matrix) in self.twist_matrices.items():
            G = G + ca.mtimes(matrix, self.motions[body].J)
            bias = bias + ca.mtimes(matrix, self.motions[body].bias)
        self.G, self.bias = ca.sparsify(G), ca.sparsify(bias)


def _free_pose() -> Transform:
    return Transform(ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3))
