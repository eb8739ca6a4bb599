"""Couplings and loops: what they name exists, every joint variable has one source, none depends on itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from condyle.couplings.order import cycle
from condyle.couplings.prescribed import CLOCK, Prescribed
from condyle.errors import Problem, closest
from condyle.spatial import Transform

if TYPE_CHECKING:
    from condyle.model.model import Model


def dependent_problems(model: Model, broken: Collection[str] = ()) -> Iterator[Problem]:
    """What is wrong between couplings, loops and the tree; `broken` elements are not missed."""
    if not model.couplings and not model.loops:
        return
    if {"bodies", "joints", "couplings", "loops"}.intersection(broken):
        return
    yield from _couplings(model, broken)
    yield from _loops(model, broken)


def _couplings(model: Model, broken: Collection[str]) -> Iterator[Problem]:
    locked, rates = _coordinates(model)
    source: dict[str, str] = {}
    sound = True
    for coupling in model.couplings:
        where = f"couplings.{coupling.name}"
        for name in (*coupling.dependents, *coupling.independents):
            if name not in locked:
                if f"joints.{name.rpartition('.')[0]}" not in broken:
                    yield Problem(where, f"unknown joint variable {name!r}{closest(name, locked)}")
                sound = False
        for name in coupling.dependents:
            if name in source:
                what = f"{name!r} already follows from coupling {source[name]!r}: they contradict each other"
                yield Problem(where, what)
                sound = False
            source.setdefault(name, coupling.name)
            if locked.get(name):
                yield Problem(where, f"{name!r} is locked, so it cannot depend on others; unlock it")
            if not rates.get(name, True):
                what = f"{name!r} cannot depend on others: the speeds of its joint are not coordinate rates"
                yield Problem(where, what)
    around = cycle(model.couplings) if sound else ()
    if around:
        shown = " <- ".join(repr(name) for name in around)
        yield Problem(f"couplings.{_owner(model, around[0])}", f"a cycle: {shown}; nothing would be free")


def _owner(model: Model, name: str) -> str:
    return next(coupling.name for coupling in model.couplings if name in coupling.dependents)


def _coordinates(model: Model) -> tuple[dict[str, bool], dict[str, bool]]:
    """Of every joint variable: whether it is locked; whether a speed is its rate."""
    timed = any(isinstance(coupling, Prescribed) for coupling in model.couplings)
    locked: dict[str, bool] = {CLOCK: True} if timed else {}
    rates: dict[str, bool] = {}
    for joint in model.joints:
        try:
            names, same = joint.coordinate_names, joint.coordinate_names == joint.speed_names
        except Exception:  # a joint whose own numbers are wrong is reported by its own check
            continue
        for index, name in enumerate(names):
            locked[f"{joint.name}.{name}"] = joint.coordinate(index).locked
            rates[f"{joint.name}.{name}"] = same
    return locked, rates


def _loops(model: Model, broken: Collection[str]) -> Iterator[Problem]:
    places = [model.ground, *(body.name for body in model.bodies)]
    for joint in model.loops:
        where = f"loops.{joint.name}"
        for label, body in (("parent", joint.parent), ("child", joint.child)):
            if body not in places and f"bodies.{body}" not in broken:
                yield Problem(f"{where}.{label}", f"unknown body {body!r}{closest(body, places)}")
        if joint.parent == joint.child:
            yield Problem(where, f"joins {joint.parent!r} to itself; a loop joins two bodies of the tree")
        closed = not joint.problems() and joint.equations(Transform.identity()) is not None
        if closed and joint.coordinates:
            what = "the coordinates of a joint that closes a loop are no joint variables; leave them out"
            yield Problem(where, what)
