"""Which of a model's constraint equations are independent: found once, outside compiled code, and said."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

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
    equation's row of G at generic poses. `unmet`: residual of every equation that the closest pose misses,
    by name; empty where all can be satisfied.
    """

    names: tuple[str, ...]
    rank: int
    default_rank: int
    redundant: tuple[int, ...]
    sizes: tuple[float, ...] = ()
    unmet: Mapping[str, float] = field(default_factory=dict)

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
    closest = np.full(len(names), np.inf)
    for _ in range(_ATTEMPTS):
        start = default + 0.05 * movable * generator.standard_normal(default.size)
        g, G = _assembled(values, start, free)
        (assembled if np.abs(g).max() < _ASSEMBLED else astray).append(G)
        closest = min(closest, g, key=np.linalg.norm)
        if len(assembled) == _POSES:
            break
    generic = assembled or astray
    sizes = np.max([np.linalg.norm(G, axis=1) for G in generic], axis=0)
    best = max((_independent_rows(G, sizes) for G in generic), key=len)
    default_rank = len(_independent_rows(_assembled(values, default, free)[1], sizes))
    redundant = tuple(i for i in range(len(names)) if i not in best)
    unmet = {} if assembled else _unmet(names, closest)
    report = ConstraintReport(
        names, len(best), default_rank, redundant, tuple(float(size) for size in sizes), unmet
    )
    idle = [names[i] for i in range(len(names)) if not sizes[i] > _ROUND_OFF * np.max(sizes)]
    for text in _doubts(report, idle):
        warnings.warn(f"model {tree.model.name!r}: {text}", stacklevel=4)
    return report


def _doubts(report: ConstraintReport, idle: list[str]) -> list[str]:
    """What a user should know about a set of constraints, as sentences; `idle` rows change with no motion."""
    found = []
    following = [name for name in report.redundant_names if name not in report.unmet]
    if following:
        found.append(
            f"{len(following)} of {len(report.names)} constraint equations follow from the others and are "
            f"left out of the solution (their residuals are still watched): {', '.join(following)}"
        )
    if report.unmet:
        missed = ", ".join(f"{name} by {size:.3g}" for name, size in report.unmet.items())
        found.append(
            "no pose near the default one satisfies all constraints; the closest that was found misses "
            f"{missed} [m, rad or as the equation is written]; {_advice(report, idle)}"
        )
    if report.default_rank < report.rank:
        found.append(
            f"the constraints are singular in the default pose (rank {report.default_rank}, {report.rank} "
            "nearby): accelerations there are not determined"
        )
    return found


def _advice(report: ConstraintReport, idle: list[str]) -> str:
    """What to look at where constraints cannot be satisfied."""
    stuck = [name for name in idle if name in report.unmet]
    against = [name for name in report.redundant_names if name in report.unmet and name not in stuck]
    parts = []
    if stuck:
        parts.append(f"no motion of the model changes {', '.join(stuck)}: check the bodies, points and axes")
    if against:
        parts.append(
            f"{', '.join(against)} and the others ask for different things of the same motion: they "
            "contradict each other, change or leave out one of them"
        )
    return "; ".join(parts) or "check whether the bodies can reach: lengths, points, default coordinates"


def _unmet(names: tuple[str, ...], residual: np.ndarray) -> dict[str, float]:
    """Equations that are missed, but for those by less than a thousandth of the largest."""
    sizes = np.abs(residual)
    return {name: float(size) for name, size in zip(names, sizes, strict=True) if size > 1e-3 * sizes.max()}


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
    ranks = count + own.rank, count + own.default_rank
    return ConstraintReport(names, *ranks, redundant, tuple(float(size) for size in sizes), own.unmet)


def _assembled(values: Values, q: np.ndarray, free: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """(g, infinite where it cannot be evaluated; G on the free speeds) after Gauss-Newton steps to g = 0."""
    g, G = np.zeros((0, 1)), np.zeros((0, len(free)))
    for _ in range(50):
        g, G, rates = (np.array(item.full()) for item in values(q))
        G = G[:, free]
        if not np.isfinite(G).all() or np.abs(g).max(initial=0.0) < 1e-12:
            break
        step = np.linalg.lstsq(G, -g[:, 0], rcond=1e-10)[0]
        q = q + rates[:, free] @ step * min(1.0, 0.5 / max(np.abs(step).max(initial=0.0), 1e-12))
    return g[:, 0] if np.isfinite(g).all() else np.full(len(g), np.inf), G


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
