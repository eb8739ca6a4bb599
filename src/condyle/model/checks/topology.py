"""The tree: every body hangs from ground by exactly one joint, and everything named exists."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from condyle.errors import Problem, closest

if TYPE_CHECKING:
    from condyle.model.model import Model


def topology_problems(model: Model, broken: Collection[str] = ()) -> Iterator[Problem]:
    """Unknown names, bodies with no or several joints, loops, joints that carry the ground.

    `broken` elements may be absent from the model; they are not missed.
    """
    if not {"bodies", "joints"}.intersection(broken):
        yield from _references(model, broken)
        yield from _joint_counts(model, complete=not any(name.startswith("joints.") for name in broken))
        yield from _loops(model)


def _references(model: Model, broken: Collection[str]) -> Iterator[Problem]:
    bodies = [body.name for body in model.bodies]
    bodies += [name.removeprefix("bodies.") for name in broken if name.startswith("bodies.")]
    bodies = list(dict.fromkeys(bodies))
    places = [model.ground, *bodies]
    for joint in model.joints:
        if joint.parent not in places:
            what = f"unknown body {joint.parent!r}{closest(joint.parent, places)}"
            yield Problem(f"joints.{joint.name}.parent", what)
        if joint.child == model.ground:
            what = f"{model.ground!r} cannot be a child: it does not move; swap parent and child by Reversed"
            yield Problem(f"joints.{joint.name}.child", what)
        elif joint.child not in bodies:
            what = f"unknown body {joint.child!r}{closest(joint.child, bodies)}"
            yield Problem(f"joints.{joint.name}.child", what)
    for section in ("frames", "markers"):
        for element in getattr(model, section):
            if element.body not in places:
                what = f"unknown body {element.body!r}{closest(element.body, places)}"
                yield Problem(f"{section}.{element.name}.body", what)
    coordinates = [f"{joint.name}.{name}" for joint in model.joints for name in _coordinate_names(joint)]
    unit = {f"{joint.name}.{name}" for joint in model.joints for name in _euler_parameters(joint)}
    for force in model.forces:
        for name in unit.intersection(force.coordinates):
            what = f"{name!r} is an Euler parameter, which has no force of its own; take a pair of bodies"
            yield Problem(f"forces.{force.name}", what)
    for section in ("constraints", "forces"):
        for element in getattr(model, section):
            for body in element.bodies:
                if body and body not in places:
                    what = f"unknown body {body!r}{closest(body, places)}"
                    yield Problem(f"{section}.{element.name}", what)
            for name in element.coordinates:
                if name and name not in coordinates and f"joints.{name.rpartition('.')[0]}" not in broken:
                    what = f"unknown coordinate {name!r}{closest(name, coordinates)}"
                    yield Problem(f"{section}.{element.name}", what)


def _joint_counts(model: Model, complete: bool) -> Iterator[Problem]:
    for body in dict.fromkeys(body.name for body in model.bodies):
        carriers = [joint.name for joint in model.joints if joint.child == body]
        if not carriers and complete:
            children = [joint.child for joint in model.joints if joint.parent == body]
            hint = "; it is only a parent" if children else ""
            what = (
                f"no joint has it as child{hint}; every body hangs from ground (a free body by a free joint)"
            )
            yield Problem(f"bodies.{body}", what)
        elif len(carriers) > 1:
            named = ", ".join(repr(name) for name in carriers)
            what = f"is the child of {len(carriers)} joints ({named}); keep one, move the others to `loops`"
            yield Problem(f"bodies.{body}", what)


def _loops(model: Model) -> Iterator[Problem]:
    parents = {joint.child: joint.parent for joint in model.joints}
    settled: set[str] = set()
    for start in parents:
        trail: list[str] = []
        body = start
        while body in parents and body not in settled and body not in trail:
            trail.append(body)
            body = parents[body]
        if body in trail and body != model.ground:
            loop = trail[trail.index(body) :][::-1]
            shown = " -> ".join([loop[-1], *loop])
            yield Problem(f"bodies.{body}", f"hangs from itself: {shown} (parent -> child), away from ground")
        settled.update(trail)


def _euler_parameters(joint: object) -> tuple[str, ...]:
    try:
        return tuple(joint.coordinate_names[k + i] for k in joint.unit_groups for i in range(4))  # type: ignore[attr-defined]
    except Exception:  # as below
        return ()


def _coordinate_names(joint: object) -> tuple[str, ...]:
    try:
        return joint.coordinate_names  # type: ignore[attr-defined]
    except Exception:  # a joint whose own numbers are wrong is reported by its own check
        return ()
