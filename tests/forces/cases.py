"""All kinds of forces on one tree, between bodies in every relation: a new kind is one line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import pi

import casadi as ca
import numpy as np

from condyle import Model, Placement
from condyle.forces import CircumductionCone, CoordinateSpring, Force, LineSpring, RotationalDamper
from condyle.functions import PeriodicCubicSpline, Polynomial
from condyle.joints import Ball, Free, Pin, Universal

from ..dynamics.mechanisms import Numbers, random_body, random_placement

#: Narrow, so that most random poses lie beyond it.
LIMITS = PeriodicCubicSpline((0.0, pi / 2, pi, 3 * pi / 2), (0.5, 0.3, 0.2, 0.4))
AXIS = (0.48, 0.6, 0.64)
FRAME = Placement((0.3, 0.1, 0.2), (0.4, -0.3, 0.9))
CONE = {"limits": LIMITS, "axis": AXIS, "frame": FRAME}


@dataclass(frozen=True)
class Case:
    """A force, and what it does with energy: "conserves", "dissipates", or anything."""

    force: Force
    energy: str = "any"

    def __str__(self) -> str:
        return f"{type(self.force).__name__}-{self.force.name}"


CASES = [
    Case(RotationalDamper("across", "a2", "b", 0.7), "dissipates"),
    Case(RotationalDamper("on_ground", "ground", "a2", 0.7), "dissipates"),
    Case(RotationalDamper("against_ground", "b", "ground", 0.7), "dissipates"),
    Case(RotationalDamper("to_ancestor", "a2", "base", 0.7), "dissipates"),
    Case(CoordinateSpring("spring", "knee.angle", 30.0, rest=0.2), "conserves"),
    Case(CoordinateSpring("damper", "ankle.y", damping=2.0), "dissipates"),
    Case(CoordinateSpring("both", "float.px", 3.0, 0.2, -0.4)),
    Case(LineSpring("line", "a2", "b", (0.1, 0.2, -0.3), (0.3, 0.0, 0.2), 40.0, rest=0.3), "conserves"),
    Case(
        LineSpring("line_damper", "b", "ground", (0.1, 0.2, 0.0), (0.0, 1.0, 0.0), damping=2.0), "dissipates"
    ),
    Case(
        LineSpring("line_both", "base", "a2", point_b=(0.3, 0.0, 0.2), stiffness=9.0, damping=0.5, rest=0.1)
    ),
    Case(CircumductionCone("surface", "base", "a2", **CONE)),
    Case(CircumductionCone("radial", "a2", "b", **CONE, normal="radial")),
    Case(CircumductionCone("gradient", "a2", "b", **CONE, normal="gradient"), "conserves"),
    Case(
        CircumductionCone("any_law", "ground", "b", **CONE, law=Polynomial((0, 5, 3)), normal="gradient"),
        "conserves",
    ),
    Case(CircumductionCone("damped", "a", "a2", **CONE, normal="gradient", damping=0.6)),
]


def tree(*forces: Force) -> Model:
    """Ground, a floating base; on it a - a2 (universal joint, pin) and b (ball): 12 speeds."""
    rng = np.random.default_rng(4)
    bodies = tuple(random_body(rng, name) for name in ("base", "a", "a2", "b"))
    places = [random_placement(rng) for _ in range(8)]
    joints = (
        Free("float", "ground", "base", places[0], places[1]),
        Universal("ankle", "base", "a", places[2], places[3], sequence="zy"),
        Pin("knee", "a", "a2", places[4], places[5]),
        Ball("hip", "base", "b", places[6], places[7]),
    )
    return Model("tree", bodies, joints, forces=forces)


def sample(rng: np.random.Generator) -> np.ndarray:
    e, f = rng.normal(size=4), rng.normal(size=4)
    parts = (e / np.linalg.norm(e), rng.uniform(-1, 1, 3), rng.uniform(-3, 3, 3), f / np.linalg.norm(f))
    return np.concatenate(parts)


@cache
def numbers(index: int | None) -> Numbers:
    """The tree with one of the cases, or with none."""
    forces = () if index is None else (CASES[index].force,)
    return Numbers(tree(*forces), sample, loads=() if forces else ("base", "a", "a2", "b"))


@cache
def actions(index: int) -> ca.Function:
    """(q, u) -> per pair (moment, force) in axes of the reference; generalised forces; potential."""
    graph = numbers(index).graph
    (action,) = graph.forces.actions
    pairs = [ca.vertcat(pair.moment, pair.force) for pair in action.pairs]
    outputs = [ca.horzcat(*pairs), ca.vertcat(*action.generalised.values()), action.potential]
    return ca.Function("actions", [graph.q, graph.u], [ca.densify(ca.SX(part)) for part in outputs])


def renamed(force: Force, **changes: object) -> Force:
    """The same with other numbers."""
    return replace(force, **changes)
