"""Bodies that stand free on ground, hung on the bodies that constraints tie them to.

In absolute coordinates every body has six speeds of its own, and each row of a joint touches two bodies. With
speeds relative to a neighbour instead, the rows of a joint touch one: what is solved is the same, and its
matrix falls apart into one block per joint and one per closed loop.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from condyle.joints.free import Free
from condyle.mechanism.tree import Tree
from condyle.model.model import Model
from condyle.spatial import Placement

_OF_CONSTRAINT, _OF_DRIVER = 1000, 1  # joints decide who carries whom, drivers where there is no joint


class Names(Protocol):
    """What says which coordinates it looks at."""

    @property
    def coordinates(self) -> tuple[str, ...]: ...


class Ties(Protocol):
    """What a constraint or a driver says of where it acts."""

    @property
    def size(self) -> int: ...

    @property
    def bodies(self) -> tuple[str, ...]: ...

    @property
    def coordinates(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Rehung:
    """`tree`: the same links, some of them on another parent; `moved`: (own index, index in the original).

    Every link of the original is in `tree`, in another order; `original[i]` is the place of the i-th there.
    """

    tree: Tree
    original: tuple[int, ...]
    moved: tuple[int, ...]  # indices in `tree` of links whose speeds are now relative to another body


def rehang(
    tree: Tree, constraints: Iterable[Ties], drivers: Iterable[Ties] = (), forces: Iterable[Names] = ()
) -> Rehung:
    """Grow a tree from ground along the ties of most rows; what is not tied stays on ground.

    So does a body whose coordinates are named by a constraint, a driver or a force: they mean its own.
    """
    constraints, drivers = list(constraints), list(drivers)
    named = {
        name.partition(".")[0] for item in (*constraints, *drivers, *forces) for name in item.coordinates
    }
    free = {
        link.body.name: link
        for link in tree.links
        if link.parent < 0 and _stands_free(link.joint) and link.joint.name not in named
    }
    ground = tree.model.ground
    weights: dict[tuple[str, str], float] = {}
    for weight, items in ((_OF_CONSTRAINT, constraints), (_OF_DRIVER, drivers)):
        for item in items:
            bodies = list(dict.fromkeys(item.bodies))
            for k, first in enumerate(bodies):
                for second in bodies[k + 1 :]:
                    pair = (min(first, second), max(first, second))
                    share = 2.0 / (len(bodies) * (len(bodies) - 1))
                    weights[pair] = weights.get(pair, 0.0) + weight * item.size * share
    # A ghost under a joint of its own carries nobody: its Euler parameters may not be known.
    standing = (link.body.name for link in tree.links if _stands_free(link.joint))
    placed = [ground, *(name for name in standing if name not in free)]
    parents: dict[str, str] = {}
    waiting = list(free)
    while waiting:
        best = max(
            (
                (weights.get((min(a, b), max(a, b)), 0.0), -i, -k, a, b)
                for i, b in enumerate(waiting)
                for k, a in enumerate(placed)
            ),
        )
        weight, body, parent = best[0], best[4], best[3]
        parents[body] = parent if weight > 0 else ground
        placed.append(body)
        waiting.remove(body)
    return _rebuilt(tree, parents)


def _rebuilt(tree: Tree, parents: dict[str, str]) -> Rehung:
    joints = []
    for link in tree.links:
        parent = parents.get(link.body.name, tree.model.ground)
        if parent == tree.model.ground:
            joints.append(link.joint)
        else:
            joints.append(Free(link.joint.name, parent, link.body.name))
    model = tree.model
    parts = {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}
    rehung = Tree(Model.unchecked(**parts | {"joints": tuple(joints)}))
    places = {link.joint.name: link.index for link in tree.links}
    original = tuple(places[link.joint.name] for link in rehung.links)
    moved = tuple(
        link.index for link in rehung.links if parents.get(link.body.name, model.ground) != model.ground
    )
    return Rehung(rehung, original, moved)


def _stands_free(joint: object) -> bool:
    return (
        isinstance(joint, Free)
        and joint.unit_groups == (0,)
        and joint.parent_frame == joint.child_frame == Placement()
    )
