"""Order of elimination of a model in absolute coordinates: from the leaves of the joints' tree to the root.

With the speeds of a body go the equations of the joint that carries it, so that a tree fills nothing: cost
and size grow with the number of bodies. Equations that close a loop wait until the loop is gone but for the
body that its branches have in common; what they fill stays inside the loop.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from condyle.constraints.base import Constraint
from condyle.dynamics.constraints import ConstraintEquations
from condyle.dynamics.saddle import entries
from condyle.mechanism.joint_constraint import JointConstraint
from condyle.mechanism.tree import Tree
from condyle.model.checks.massless import resists_all


def elimination_stages(
    tree: Tree, equations: ConstraintEquations, free: Sequence[int], independent: Sequence[int]
) -> list[list[int]] | None:
    """Rows of the saddle system (free speeds, then independent equations) by stage; None: in any order."""
    if tree.described is None:
        return None
    carried = {joint: index for index, joint in enumerate(tree.joints)}
    stage_of_speed = {
        k: carried.get(link.joint.name, link.index) if link.index >= len(tree.bodies) else link.index
        for link in tree.links
        for k in range(link.u.start, link.u.stop)
    }
    stages: list[list[int]] = [[] for _ in tree.bodies]
    for row, speed in enumerate(free):
        stages[stage_of_speed[speed]].append(row)
    owner = equation_owners(tree, equations)
    for row, equation in enumerate(independent):
        stages[owner[equation]].append(len(free) + row)
    return stages[::-1]


def equation_owners(tree: Tree, equations: ConstraintEquations) -> list[int]:
    """Per equation, the described link in whose stage it is eliminated."""
    described = tree.described or tree
    carried = {joint: index for index, joint in enumerate(tree.joints)}
    owners: list[int] = []
    for constraint, load in zip(tree.model.constraints, equations.loads, strict=True):
        links = [carried[name.rpartition(".")[0]] for name in constraint.coordinates]
        links += _within_loop(described, _bodies(described, constraint, load.bodies))
        owners += [min(links, default=0)] * load.size
    return owners


def _bodies(described: Tree, constraint: Constraint, asked: Sequence[str]) -> list[str]:
    """Bodies whose relative motion the constraint sees; a joint does not see ground, however written."""
    bodies = constraint.bodies if isinstance(constraint, JointConstraint) else asked
    return [body for body in bodies if body in described.places or body == described.model.ground]


def _within_loop(described: Tree, bodies: Sequence[str]) -> list[int]:
    """Links on the paths to these bodies, but for those that all paths share."""
    paths = [described.path(described.link_of(body)) for body in bodies]
    shared = set(paths[0]).intersection(*paths[1:]) if paths else set()
    return sorted({link for path in paths for link in path} - shared)


def augmentation(tree: Tree, equations: ConstraintEquations, independent: Sequence[int]) -> dict[int, ca.SX]:
    """Weights w of equations g: M + g' w g resists where a body alone does not, and has the same solution.

    Only for the bodies of an absolute formulation that are massless or lack inertia: their equations, but for
    those that are solved by substitution anyway. A weight is of the size of the model's masses [kg], or
    inertias [kg m^2].
    """
    if tree.described is None:
        return {}
    idle = [link for link in tree.links[: len(tree.bodies)] if not resists_all(link.body)]
    if not idle:
        return {}
    bodies = [link.body for link in tree.links[: len(tree.bodies)]]
    mass = sum((ca.SX(body.mass) for body in bodies), ca.SX(0)) / len(bodies)
    inertia = sum((ca.SX(sum(body.inertia[:3])) for body in bodies), ca.SX(0)) / (3 * len(bodies))
    inertia = ca.if_else(inertia > 0, inertia, 0.01 * mass)
    owners = equation_owners(tree, equations)
    found: dict[int, ca.SX] = {}
    for link in idle:
        moving = slice(link.u.start + 3, link.u.stop)
        for row in independent:
            own = ca.sparsify(equations.G[row, link.u])
            substituted = any(value.is_constant() for _, _, value in entries(own))
            if own.nnz() and not substituted and owners[row] <= link.index:
                found[row] = mass if ca.sparsify(equations.G[row, moving]).nnz() else inertia
    return found
