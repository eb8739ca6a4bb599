"""Motions of several joints together that no mass resists: found numerically, once, when a model is compiled.

The description's own checks see bodies one by one. What remains are motions that cancel out, as of two
coaxial pins with a massless body between them. Only models with a body that does not resist every motion on
its own are looked at.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from condyle.compiled.assembly import Assembly
from condyle.dynamics.crba import crba
from condyle.dynamics.linkage import linkage
from condyle.errors import ModelError, Problem
from condyle.mechanism.tree import Link, Tree

_SINGULAR = 1e-12  # smallest eigenvalue of a mass matrix scaled to unit diagonal
_TAKES_PART = 0.05  # of the largest entry of a motion
_POSES = 4


def check_resistance(tree: Tree) -> None:
    """Raise ModelError naming the body when the mass matrix is singular at every pose that is tried."""
    doubtful = [link for link in tree.links if not _resists(link)]
    free = [k for k in range(len(tree.speeds)) if k not in tree.locked_speeds]
    parents = {link.parent for link in tree.links}
    if not free or not any(link.index in parents for link in doubtful):
        return
    q, u = ca.SX.sym("q", len(tree.coordinates)), ca.SX(len(tree.speeds), 1)
    mass_matrix = ca.Function("mass_matrix", [q], [ca.densify(crba(linkage(tree, q, u)))])
    motion = np.zeros((len(free), 1))
    for pose in _poses(tree):
        M = np.array(mass_matrix(pose).full())[np.ix_(free, free)]
        if not np.isfinite(M).all():
            continue
        motion = _unresisted(M)
        if not motion.size:
            return
    sizes = np.zeros(len(tree.speeds))
    sizes[free] = np.linalg.norm(motion, axis=1)
    if not sizes.any():
        return
    moving = [link for link in tree.links if (sizes[link.u] > _TAKES_PART * sizes.max()).any()]
    guilty = next((link for link in moving if link in doubtful), moving[0])
    named = ", ".join(
        repr(tree.speeds[k])
        for link in moving
        for k in range(link.u.start, link.u.stop)
        if sizes[k] > _TAKES_PART * sizes.max()
    )
    what = f"no mass resists a motion in which {named} move together; give it inertia, or lock one of them"
    raise ModelError(f"model {tree.model.name!r}", [Problem(f"bodies.{guilty.body.name}", what)])


def check_embedded_resistance(tree: Tree, assembly: Assembly) -> None:
    """The same of the independent coordinates of a tree in which others depend on them, at the default
    pose.
    """
    if all(_resists(link) for link in tree.links):
        return
    graph = assembly.solver.graph
    (M_,) = graph.finished([ca.densify(graph.mass_matrix)])
    evaluate = ca.Function("mass_matrix", [graph.q, graph.dependent], [M_])
    free = [k for k in range(graph.u.numel()) if k not in graph.locked_speeds]
    M = np.array(evaluate(assembly.coordinates, assembly.unknown).full())[np.ix_(free, free)]
    if not free or not np.isfinite(M).all():
        return
    sizes = np.linalg.norm(_unresisted(M), axis=1) if _unresisted(M).size else np.zeros(len(free))
    if sizes.any():
        speeds = assembly.roles.speeds
        named = [repr(speeds[free[k]]) for k in np.flatnonzero(sizes > _TAKES_PART * sizes.max())]
        what = f"no mass resists a motion of {', '.join(named)} and what follows; give the bodies inertia"
        raise ModelError(f"model {tree.model.name!r}", [Problem("joints", what)])


def _resists(link: Link) -> bool:
    """Whether the body alone resists every motion, or does not move on its parent."""
    if not link.free:
        return True
    xx, yy, zz, xy, xz, yz = link.body.inertia
    moments = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    return bool(link.body.mass > 0 and moments[0] > _SINGULAR * moments[2])


def _poses(tree: Tree) -> list[np.ndarray]:
    """The default pose and some beside it; locked coordinates stay."""
    generator = np.random.default_rng(0)
    poses = [tree.default_coordinates]
    movable = np.ones(poses[0].size)
    for link in tree.links:
        movable[link.q.start : link.q.start + len(link.locked)] -= link.locked
    for _ in range(_POSES - 1):
        pose = poses[0] + 0.2 * movable * generator.uniform(-1, 1, movable.size)
        for start in tree.unit_groups:
            pose[start : start + 4] /= np.linalg.norm(pose[start : start + 4])
        poses.append(pose)
    return poses


def _unresisted(M: np.ndarray) -> np.ndarray:
    """Basis (n, k) of motions without inertia, each speed in units of its own resistance."""
    diagonal = np.diag(M)
    usual = np.where(diagonal > _SINGULAR * diagonal.max(), diagonal, 1.0)
    scale = 1 / np.sqrt(usual)
    values, vectors = np.linalg.eigh(M * np.outer(scale, scale))
    return vectors[:, values < _SINGULAR]
