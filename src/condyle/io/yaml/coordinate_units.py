"""Whether the unit written for a coordinate's default or range fits the motion that it stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import casadi as ca
import numpy as np

from condyle.errors import Problem
from condyle.io.yaml.tree import Node
from condyle.io.yaml.units import EXAMPLES, dimension_of
from condyle.joints import Joint
from condyle.model import Model
from condyle.spatial import vee


def coordinate_unit_problems(model: Model, tree: Node, broken: Collection[str]) -> Iterator[Problem]:
    """A default of an angle in millimetres, a range of a translation in degrees; not of broken joints."""
    for joint in model.joints:
        if f"joints.{joint.name}" in broken:
            continue
        node = tree.value["joints"].value[joint.name]
        path = f"joints.{joint.name}"
        while "joint" in node.value:
            node, path = node.value["joint"], f"{path}.joint"
        coordinates = node.value.get("coordinates")
        units = list(_units(coordinates)) if coordinates is not None else []
        if not units:
            continue
        expected = dict(zip(joint.coordinate_names, coordinate_dimensions(joint), strict=True))
        for name, key, leaf, found in units:
            wanted = expected.get(name)
            if wanted is not None and found != wanted:
                allowed = (
                    f"a plain number, or like {EXAMPLES[wanted]!r}"
                    if wanted in EXAMPLES
                    else "a plain number"
                )
                what = f"{leaf.value!r} does not fit this coordinate ({wanted}); allowed: {allowed}"
                yield Problem(f"{leaf.line}:{leaf.column}", f"{path}.coordinates.{name}.{key}: {what}")


def _units(coordinates: Node) -> Iterator[tuple[str, str, Node, str | None]]:
    """Coordinate, field, value and dimension of everything that carries a unit."""
    for name, coordinate in coordinates.value.items():
        for key, node in coordinate.value.items():
            for leaf in node.value if isinstance(node.value, list) else [node]:
                if isinstance(leaf.value, str):
                    yield name, key, leaf, dimension_of(leaf.value)


def coordinate_dimensions(joint: Joint) -> tuple[str | None, ...]:
    """Dimension of each coordinate: "angle", "length", "dimensionless" (Euler parameters), or None.

    An angle turns B by as much as it grows, a length moves it so; the parameter of a curve does neither.
    """
    q = ca.SX.sym("q", len(joint.coordinate_names))
    X = joint.pose(q)
    turning = ca.jacobian(ca.vec(X.R), q)
    columns = [vee(ca.mtimes(ca.reshape(turning[:, k], 3, 3), X.R.T)) for k in range(q.numel())]
    rates = ca.Function("rates", [q], [ca.horzcat(*columns), ca.jacobian(X.p, q)])
    default = np.array([joint.coordinate(k).default for k in range(q.numel())])
    poses = [[np.array(ca.DM(part)) for part in rates(default + offset)] for offset in (0.0, 0.01)]
    unit = {start + k for start in joint.unit_groups for k in range(4)}
    return tuple("dimensionless" if k in unit else _dimension(poses, k) for k in range(q.numel()))


def _dimension(poses: list[list[np.ndarray]], k: int) -> str | None:
    turns = [float(np.linalg.norm(angular[:, k])) for angular, _ in poses]
    moves = [float(np.linalg.norm(linear[:, k])) for _, linear in poses]
    if all(abs(turn - 1.0) < 1e-9 for turn in turns):
        return "angle"
    if not any(turns) and all(abs(move - 1.0) < 1e-9 for move in moves):
        return "length"
    return None
