"""Which joint variables of a model with loops are independent, and which equations of the loops say
something new.

Found numerically, once, at the assembled default pose and at poses near it: rank is a property of generic
poses, where mechanisms such as Bricard's satisfy some equations by themselves.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from condyle.compiled.independent_set import ROUND_OFF, chosen_items, items_of, named_items
from condyle.compiled.loop_equations import LoopEquations
from condyle.errors import InputError, ModelError, Problem
from condyle.mechanism.roles import Roles
from condyle.mechanism.tree import Tree

_ASSEMBLED = 1e-9  # residual [m, rad] below which a pose counts as assembled
_RANK = 3e-5  # singular value, relative to the largest, below which a direction is free
_SINGULAR = 1e-6  # smallest singular value of the dependent columns, relative to the largest
_POSES, _ATTEMPTS, _MOVED = 3, 12, 0.05


@dataclass(frozen=True)
class LoopChoice:
    """Roles; the scalar loop equations that are solved for; the assembled default pose, all joint variables
    s (ns).

    names: one per loop equation ("E[0]"); redundant: those that follow from others, by index; rank at
    generic poses and at the default pose; conditioning: smallest over largest singular value of the
    equations on the dependent speeds, at the default pose; sizes: usual lengths of the rows that are solved
    for; equations: the loops, for other poses.
    """

    roles: Roles
    rows: tuple[int, ...]
    pose: np.ndarray
    names: tuple[str, ...]
    redundant: tuple[int, ...]
    rank: int
    default_rank: int
    conditioning: float
    sizes: tuple[float, ...]
    equations: LoopEquations

    @property
    def redundant_names(self) -> tuple[str, ...]:
        return tuple(self.names[i] for i in self.redundant)

    def best(self, s: np.ndarray) -> tuple[str, ...]:
        """Names of the best conditioned independent coordinates at another assembled pose."""
        equations, tree = self.equations, self.roles.tree
        items = items_of(tree, equations.roles)
        degrees = len(equations.free) - self.rank
        chosen = chosen_items(items, equations.matrix(s), _column_scale(equations), degrees)
        return tuple(name for item in chosen for name in item.names)


def choose_loops(tree: Tree, independent: tuple[str, ...] | None, default: np.ndarray) -> LoopChoice:
    """Assemble the default pose and choose, or check what the caller chose; typed errors name the
    coordinates.
    """
    equations = LoopEquations(tree, default)
    base = equations.roles
    items = items_of(tree, base)
    held = named_items(tree, items, independent) if independent is not None else None
    pose = _assembled(equations, None)
    generic = [equations.matrix(s) for s in _neighbours(equations, pose)] or [equations.matrix(pose)]
    free = equations.free
    scale = _column_scale(equations)
    ranks = [_rank(A[:, free]) for A in generic]
    rank = max(ranks)
    if held is not None:
        _check_count(tree, held, free, rank)
        pose = _assembled(equations, held)
    default = equations.matrix(pose)
    default_rank = _rank(default[:, free])
    A = default if default_rank == rank else generic[int(np.argmax(ranks))]
    if default_rank < rank:
        warnings.warn(
            f"model {tree.model.name!r}: the loops are singular in the default pose (rank {default_rank}, "
            f"{rank} nearby): motion is not determined there; start beside it",
            stacklevel=5,
        )
    chosen = held if held is not None else chosen_items(items, A, scale, len(free) - rank)
    _check_count(tree, chosen, free, rank)
    closing_speeds = tuple(k for item in items if item not in chosen for k in item.speeds)
    closing = tuple(k for item in items if item not in chosen for k in item.coordinates)
    columns = [base.independent_speeds.index(k) for k in closing_speeds]
    rows = _rows(generic, A, columns)
    solved = _rows_that_say_something(generic, columns)
    conditioning = _conditioning(A[np.ix_(solved, columns)])
    if len(rows) < rank or conditioning < _SINGULAR:
        raise InputError(_singular_set(tree, chosen, A, free, base))
    names = equations.names
    lengths = np.max([np.linalg.norm(matrix[solved], axis=1) for matrix in generic], axis=0)
    # Powers of two, so that the same model near another pose has the same graph.
    sizes = tuple(float(2.0 ** np.round(np.log2(length))) for length in lengths)
    redundant = tuple(i for i in range(len(names)) if i not in rows)
    roles = Roles(tree, closing, closing_speeds)
    return LoopChoice(
        roles, tuple(solved), pose, names, redundant, rank, default_rank, conditioning, sizes, equations
    )


def _assembled(equations: LoopEquations, held: list | None) -> np.ndarray:
    """The default pose with closed loops: as it is, else moved as little as possible, held coordinates not
    at all.
    """
    tree = equations.tree
    pose, residual = equations.assembled(equations.default, ())
    if equations.default_residual <= _ASSEMBLED:
        return pose
    if held is not None:
        fixed = tuple(k for item in held for k in item.speeds)
        pose, residual = equations.assembled(equations.default, fixed)
    if residual.size and not np.abs(residual).max() <= _ASSEMBLED:
        raise ModelError(f"model {tree.model.name!r}", _open_loops(equations, residual, held))
    return pose


def _open_loops(equations: LoopEquations, residual: np.ndarray, held: list | None) -> list[Problem]:
    problems = []
    named = ", ".join(repr(name) for name in equations.moving_names(held or []))
    for joint, part in equations.parts(residual):
        size = np.abs(part).max(initial=0.0)
        if not size <= _ASSEMBLED:
            left = f"{size:.3g} (m or rad) is left" if np.isfinite(size) else "the residual is not finite"
            kept = ", ".join(repr(name) for item in held for name in item.names) if held else ""
            what = f"the loop cannot close from the default pose: {left}, whatever {named} do"
            what += f" while {kept} stay" if kept else ""
            problems.append(Problem(f"loops.{joint}", what + "; change a default or a length"))
    return problems


def _neighbours(equations: LoopEquations, pose: np.ndarray) -> list[np.ndarray]:
    """Assembled poses near one."""
    generator = np.random.default_rng(0)
    found = []
    for _ in range(_ATTEMPTS):
        start = pose + _MOVED * equations.movable * generator.standard_normal(pose.size)
        near, residual = equations.assembled(start, ())
        if np.abs(residual).max(initial=0.0) <= _ASSEMBLED:
            found.append(near)
        if len(found) == _POSES:
            break
    return found


def _column_scale(equations: LoopEquations) -> np.ndarray:
    """A length for each speed that is a velocity, 1 for angular ones, so that both compare."""
    length = equations.length
    return np.array([length if linear else 1.0 for linear in equations.linear_speeds])


def _rank(A: np.ndarray) -> int:
    if not A.size:
        return 0
    sizes = np.linalg.norm(A, axis=1)
    said = sizes > ROUND_OFF * sizes.max()
    rows = A[said] / sizes[said][:, None]
    values = np.linalg.svd(rows, compute_uv=False) if rows.size else np.zeros(0)
    return int((values > _RANK * max(1.0, values.max(initial=0.0))).sum())


def _conditioning(A: np.ndarray) -> float:
    if not A.size:
        return 1.0
    sizes = np.linalg.norm(A, axis=1)
    if not (sizes > 0).all() or not np.isfinite(A).all():
        return 0.0
    values = np.linalg.svd(A / sizes[:, None], compute_uv=False)
    return float(values.min() / values.max())


def _rows_that_say_something(generic: list[np.ndarray], columns: list[int]) -> list[int]:
    """Rows that are not zero; more than there are columns where some follow from others in space."""
    sizes = np.max([np.linalg.norm(matrix[:, columns], axis=1) for matrix in generic], axis=0)
    return [int(k) for k in np.flatnonzero(sizes > ROUND_OFF * sizes.max(initial=0.0))]


def _rows(generic: list[np.ndarray], A: np.ndarray, columns: list[int]) -> list[int]:
    """As many rows as there are columns, the least dependent on each other; in their order."""
    sizes = np.max([np.linalg.norm(matrix[:, columns], axis=1) for matrix in generic], axis=0)
    rest = A[:, columns] / np.where(sizes > 0, sizes, 1.0)[:, None]
    rest = np.where((sizes > ROUND_OFF * sizes.max(initial=0.0))[:, None], rest, 0.0)
    rows: list[int] = []
    basis: list[np.ndarray] = []
    for _ in columns:
        left = np.linalg.norm(rest, axis=1)
        # Of equal ones the first.
        k = int(np.flatnonzero(left >= left.max() * (1 - 1e-9))[0])
        if not left[k] > _RANK:
            break
        direction = rest[k] / left[k]
        basis.append(direction)
        rows.append(k)
        for _ in range(2):
            rest = rest - np.outer(rest @ direction, direction)
    return sorted(rows)


def _check_count(tree: Tree, chosen: list, free: list[int], rank: int) -> None:
    degrees = len(free) - rank
    given = sum(len(item.speeds) for item in chosen if not item.locked)
    if given == degrees:
        return
    listed = ", ".join(name for item in chosen if not item.locked for name in item.names) or "none"
    raise InputError(
        f"model {tree.model.name!r} has {degrees} degrees of freedom: {len(free)} speeds less {rank} "
        f"independent loop equations; independent coordinates with {given} speeds were found: {listed}"
        + ("" if given else ". Joints with Euler parameters depend as a whole: a Gimbal can be split")
    )


def _singular_set(tree: Tree, chosen: list, A: np.ndarray, free: list[int], base: Roles) -> str:
    """An error that says which coordinates move although the given ones stand still."""
    given = {base.independent_speeds.index(k) for item in chosen for k in item.speeds}
    others = [k for k in free if k not in given]
    directions = np.linalg.svd(A[:, others])[2]
    motion = np.abs(directions[-1])
    speeds = [tree.speeds[base.independent_speeds[k]] for k in others]
    moving = [repr(name) for name, part in zip(speeds, motion, strict=True) if part > 0.05 * motion.max()]
    named = ", ".join(repr(name) for item in chosen if not item.locked for name in item.names)
    return (
        f"model {tree.model.name!r}: {named} do not determine the loops in the default pose: "
        f"{', '.join(moving)} can move although they stand still (a dead point of the choice); choose "
        "others, or none to have them chosen"
    )
