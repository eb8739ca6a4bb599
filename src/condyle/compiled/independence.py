"""Which of a model's constraint equations are independent: found once, outside compiled code, and said."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import casadi as ca
import numpy as np

from condyle.compiled.assembly import Assembly, Values, assemble, closed
from condyle.compiled.graph import Graph
from condyle.dynamics.constraints import constraint_equations
from condyle.dynamics.linkage import linkage
from condyle.mechanism.tree import Tree

_INDEPENDENT = 3e-5  # part of a row that the others lack, relative to its length at generic poses
_ROUND_OFF = 1e-12  # rows shorter than this part of the longest are zero but for round-off
_ASSEMBLED = 1e-9  # residual [m, rad] below which a pose counts as assembled
_POSES, _ATTEMPTS = 3, 12


@dataclass(frozen=True)
class ConstraintReport:
    """names: one per scalar equation ("closure[0]"); rank at a generic pose; redundant equations by index.

    `default_rank` below `rank` says that the default pose itself is singular. `sizes`: length of each
    equation's row of G at generic poses.
    """

    names: tuple[str, ...]
    rank: int
    default_rank: int
    redundant: tuple[int, ...]
    sizes: tuple[float, ...] = ()

    @property
    def independent(self) -> tuple[int, ...]:
        return tuple(i for i in range(len(self.names)) if i not in self.redundant)

    @property
    def redundant_names(self) -> tuple[str, ...]:
        return tuple(self.names[i] for i in self.redundant)


def examine_constraints(tree: Tree, assembly: Assembly) -> ConstraintReport:
    """Rank of G at assembled poses near the default; warns when equations are redundant or the default is
    singular.
    """
    names = _names(tree)
    if not names:
        return ConstraintReport((), 0, 0, ())
    if tree.described is not None:
        return _with_joints(tree, examine_constraints(tree.described, assemble(tree.described, None)))
    graph = Graph(tree, roles=assembly.roles, closing_rows=assembly.rows)
    system = graph.constrained
    assert system is not None
    equations = system.equations
    rates = ca.jacobian(graph.qdot, graph.v)
    traced = graph.finished([equations.residual, equations.G, graph.on_speeds(rates)])
    evaluate = ca.Function("values", [graph.q, graph.dependent], traced)
    values = closed(evaluate, tree, assembly)
    roles = assembly.roles
    free = [k for k in range(len(roles.speeds)) if k not in roles.locked_speeds]
    default = assembly.coordinates
    locked = {tree.coordinates.index(tree.speeds[k]) for k in tree.locked_speeds}
    movable = np.array([k not in locked for k in roles.independent], dtype=float)
    generator = np.random.default_rng(0)
    assembled: list[np.ndarray] = []
    astray: list[np.ndarray] = []
    for _ in range(_ATTEMPTS):
        start = default + 0.05 * movable * generator.standard_normal(default.size)
        residual, G = _assembled(values, start, free)
        (assembled if residual < _ASSEMBLED else astray).append(G)
        if len(assembled) == _POSES:
            break
    generic = assembled or astray
    sizes = np.max([np.linalg.norm(G, axis=1) for G in generic], axis=0)
    best = max((_independent_rows(G, sizes) for G in generic), key=len)
    default_rank = len(_independent_rows(_assembled(values, default, free)[1], sizes))
    redundant = tuple(i for i in range(len(names)) if i not in best)
    report = ConstraintReport(names, len(best), default_rank, redundant, tuple(float(size) for size in sizes))
    title, count = f"model {tree.model.name!r}", len(redundant)
    if redundant:
        warnings.warn(
            f"{title}: {count} of {len(names)} constraint equations follow from the others and are left "
            f"out of the solution (their residuals are still watched): {', '.join(report.redundant_names)}",
            stacklevel=4,
        )
    if not assembled:
        listed = ", ".join(names)
        warnings.warn(
            f"{title}: no pose near the default one satisfies all constraints: {listed}", stacklevel=4
        )
    if default_rank < len(best):
        warnings.warn(
            f"{title}: the constraints are singular in the default pose (rank {default_rank}, "
            f"{len(best)} nearby): accelerations there are not determined",
            stacklevel=4,
        )
    return report


def _names(tree: Tree) -> tuple[str, ...]:
    return tuple(
        f"{constraint.name}[{i}]" for constraint in tree.model.constraints for i in range(constraint.size)
    )


def _with_joints(tree: Tree, own: ConstraintReport) -> ConstraintReport:
    """The report of a rewriting whose joints are constraints, from that of the constraints on the joints.

    The equations of the joints on a tree are independent, each through the body that its joint carries. What
    the model's own constraints lack beside them is what they lack on the joints' coordinates.
    """
    names = _names(tree)
    count = len(names) - len(own.names)
    q, u = ca.SX.sym("q", len(tree.coordinates)), ca.SX.sym("u", len(tree.speeds))
    G = constraint_equations(linkage(tree, q, u), tree.model.constraints).G
    lengths = ca.Function("lengths", [q, u], [ca.sqrt(ca.sum2(G * G))])
    default, still = tree.default_coordinates, np.zeros(len(tree.speeds))
    generator = np.random.default_rng(0)
    poses = [default + 0.05 * k * generator.standard_normal(default.size) for k in range(_POSES)]
    sizes = np.max([np.array(lengths(pose, still).full())[:, 0] for pose in poses], axis=0)
    redundant = tuple(count + i for i in own.redundant)
    return ConstraintReport(
        names, count + own.rank, count + own.default_rank, redundant, tuple(float(size) for size in sizes)
    )


def _assembled(values: Values, q: np.ndarray, free: list[int]) -> tuple[float, np.ndarray]:
    """(largest residual, G on the free speeds) after Gauss-Newton steps towards g = 0."""
    g, G = np.zeros((0, 1)), np.zeros((0, len(free)))
    for _ in range(50):
        g, G, rates = (np.array(item.full()) for item in values(q))
        G = G[:, free]
        if not np.isfinite(G).all() or np.abs(g).max(initial=0.0) < 1e-12:
            break
        step = np.linalg.lstsq(G, -g[:, 0], rcond=1e-10)[0]
        q = q + rates[:, free] @ step * min(1.0, 0.5 / max(np.abs(step).max(initial=0.0), 1e-12))
    return float(np.abs(g).max(initial=0.0)) if np.isfinite(g).all() else np.inf, G


def _independent_rows(G: np.ndarray, sizes: np.ndarray) -> list[int]:
    """Indices of independent rows, earlier rows preferred; `sizes`: each row's usual length."""
    basis: list[np.ndarray] = []
    rows = []
    for i, (row, size) in enumerate(zip(G, sizes, strict=True)):
        if not size > _ROUND_OFF * np.max(sizes):
            continue
        rest = row / size
        for direction in basis + basis:  # twice is enough for orthogonality at round-off
            rest = rest - (rest @ direction) * direction
        if np.linalg.norm(rest) > _INDEPENDENT:
            basis.append(rest / np.linalg.norm(rest))
            rows.append(i)
    return rows
