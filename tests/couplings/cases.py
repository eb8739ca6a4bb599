"""Mechanisms with dependent joint variables, of every kind: a new kind is one line in a list."""

from __future__ import annotations

from math import pi

import casadi as ca

from condyle import Body, Coordinate, Model, Placement
from condyle.constraints import PointOnSurface
from condyle.couplings import Explicit, Sampled, sample
from condyle.forces import CoordinateSpring, LineSpring
from condyle.functions import Expression, Linear, MultivariatePolynomial, Polynomial, SIMMSpline
from condyle.joints import Ball, Free, Gimbal, Pin, Planar, Slider, Universal

SADDLE = MultivariatePolynomial(((0, 0), (1, 1), (2, 0)), (0.1, 0.3, -0.2))
KNEE = SIMMSpline((-2.0, -1.0, 0.0, 1.0, 2.0), (0.3, -0.2, 0.1, 0.4, 0.2))
OFFSET = Placement((0.1, -0.2, 0.3), (0.2, 0.4, -0.3))


def body(name: str, mass: float = 1.3) -> Body:
    return Body(name, mass, (0.1, -0.2, 0.05), (0.1, 0.2, 0.15, 0.01, 0.02, -0.01))


def rhythm() -> Model:
    """A chain and a branch: couplings of couplings, across joints, with Euler parameters among the rest."""
    return Model(
        "rhythm",
        tuple(body(name) for name in "abcde"),
        (
            Free("root", "ground", "a", child_frame=OFFSET),
            Universal("first", "a", "b", parent_frame=OFFSET),
            Slider("second", "b", "c", axis=(0.0, 0.6, 0.8), child_frame=OFFSET),
            Gimbal("third", "a", "d", parent_frame=OFFSET),
            Pin("last", "d", "e", child_frame=OFFSET),
        ),
        couplings=(
            Explicit("late", "second.displacement", ("first.y", "third.x"), SADDLE),
            Explicit("early", "first.y", ("first.x", "root.px"), _sum()),
            Explicit("spline", "third.y", ("last.angle",), KNEE),
            Explicit("linear", "third.z", ("last.angle",), Linear(-0.5, 0.2)),
        ),
        forces=(
            CoordinateSpring("coil", "third.y", 3.0),
            LineSpring("cord", "a", "c", (0.1, 0.0, 0.0), stiffness=20.0, rest=0.3),
        ),
    )


def _sum() -> Expression:
    return Expression(lambda x, y: ca.sin(x) * y + 0.3 * x, 2)


def follower() -> Model:
    """One degree of freedom is left, another is locked; massless bodies between that only couplings move."""
    return Model(
        "follower",
        (body("a"), Body("phantom"), body("b")),
        (
            Planar("plane", "ground", "a", coordinates=(Coordinate("py", 0.3, locked=True),)),
            Pin("turn", "a", "phantom", axis=(0.6, 0.0, 0.8)),
            Pin("back", "phantom", "b", parent_frame=OFFSET),
        ),
        couplings=(
            Explicit("turn", "turn.angle", ("plane.angle",), Polynomial((0.1, 0.4, -0.3))),
            Explicit("back", "back.angle", ("turn.angle",), Linear(-1.0)),
        ),
        gravity=(1.0, -9.0, 2.0),
    )


def gliding() -> Model:
    """A constraint stays beside a coupling; the coupling reads the angles of a ball, whose speeds are
    others.
    """
    return Model(
        "gliding",
        (body("a"), body("b"), body("c")),
        (
            Ball("ball", "ground", "a", orientation="xyz"),
            Slider("slide", "a", "b", parent_frame=OFFSET),
            Pin("pin", "b", "c", child_frame=OFFSET),
        ),
        constraints=(PointOnSurface("glide", "c", "ground", radii=(0.9, 0.7, 0.8)),),
        couplings=(Explicit("slide", "slide.displacement", ("ball.x", "ball.z"), SADDLE),),
    )


def tabulated() -> Model:
    """Functions that were fitted: two dependents of one coupling, with two inputs, and a Fourier series."""
    surface = Explicit("surface", "second.x", ("first.x", "first.y"), _sum())
    turn = Explicit("turn", "third.angle", ("first.x",), Expression(lambda x: 2 * x + 0.2 * ca.cos(x), 1))
    plane = sample(surface, "chebyshev", ((-3, 3), (-3, 3)), tolerance=(1e-6, 1e-5, 1e-3))
    cubic = sample(surface, "cubic", ((-3, 3), (-3, 3)), tolerance=(0.1, 0.5, 3.0), size=9)
    both = Sampled("both", ("second.x", "second.z"), plane.independent, (*plane.functions, *cubic.functions))
    return Model(
        "tabulated",
        tuple(body(name) for name in "abc"),
        (
            Universal("first", "ground", "a", parent_frame=OFFSET),
            Gimbal("second", "a", "b", child_frame=OFFSET),
            Pin("third", "b", "c", parent_frame=OFFSET),
        ),
        couplings=(both, sample(turn, "fourier", ((0, 2 * pi),), tolerance=(1e-9, 1e-9, 1e-9))),
    )


EXPLICIT = [rhythm(), follower(), gliding(), tabulated()]
