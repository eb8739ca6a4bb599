"""Mechanisms with dependent joint variables, of every kind: a new kind is one line in a list."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import casadi as ca

from condyle import Body, Coordinate, Model, Placement
from condyle.constraints import PointOnSurface
from condyle.couplings import Explicit, FiniteDifference, Implicit, Projection, Sampled, sample
from condyle.forces import CoordinateSpring, LineSpring
from condyle.functions import Expression, Linear, MultivariatePolynomial, Polynomial, SIMMSpline
from condyle.joints import (
    Ball,
    Custom,
    Cylindrical,
    Free,
    Gimbal,
    Pin,
    Planar,
    Reversed,
    Slider,
    Universal,
)
from condyle.library import andrews, bricard, four_bars, governor

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


def lever() -> Model:
    """Two implicit dependents of two coordinates, one of which follows from a third; another follows from
    them.
    """
    return Model(
        "lever",
        tuple(body(name) for name in "abcd"),
        (
            Free("root", "ground", "a", child_frame=OFFSET),
            Universal("first", "a", "b", parent_frame=OFFSET),
            Planar("second", "b", "c", child_frame=OFFSET),
            Pin("last", "a", "d", child_frame=OFFSET),
        ),
        couplings=(
            Explicit("after", "second.px", ("second.py", "second.angle"), SADDLE),
            Implicit("pair", ("second.py", "second.angle"), ("first.x", "last.angle"), _pair()),
            Explicit("before", "first.x", ("first.y",), Linear(0.7, 0.1)),
        ),
    )


def _pair() -> tuple[Expression, Expression]:
    """Regular for all arguments: the diagonal dominates."""
    return (
        Expression(lambda x, y, s, t: 2 * s + 0.5 * ca.sin(t) - x * y - 0.3, 4),
        Expression(lambda x, y, s, t: 3 * t + ca.cos(s - x) + y, 4),
    )


def crank() -> Model:
    """A slider crank on a floating base; a coupling inside the loop, one that reads what the loop
    determines.
    """
    return Model(
        "crank",
        tuple(body(name) for name in "abcde"),
        (
            Free("root", "ground", "a", child_frame=OFFSET),
            Pin("crank", "a", "b", coordinates=(Coordinate("angle", 0.7),)),
            Pin("rod", "b", "c", Placement((0.4, 0.0, 0.0)), coordinates=(Coordinate("angle", -1.0),)),
            Slider("piston", "a", "d", axis=(1.0, 0.0, 0.0), coordinates=(Coordinate("displacement", 1.3),)),
            Pin("tail", "d", "e", axis=(0.6, 0.8, 0.0), child_frame=OFFSET),
        ),
        couplings=(Explicit("tail", "tail.angle", ("rod.angle",), Polynomial((0.1, 0.4, -0.3))),),
        loops=(Pin("wrist", "c", "d", Placement((1.0, 0.0, 0.0))),),
    )


def spatial() -> Model:
    """Two loops in space, one through a ball that depends as a whole; a locked coordinate; a constraint
    stays.
    """
    return Model(
        "spatial",
        tuple(body(name) for name in "abcd"),
        (
            Pin("in", "ground", "a", axis=(0.0, 0.6, 0.8), coordinates=(Coordinate("angle", 0.3),)),
            Ball("ball", "a", "b", Placement((0.5, 0.1, 0.0))),
            Universal("out", "ground", "c", Placement((1.4, 0.0, 0.3))),
            Planar("side", "c", "d", coordinates=(Coordinate("py", 0.3, locked=True),)),
        ),
        loops=(
            Cylindrical(
                "end", "b", "c", Placement((0.8, 0.0, 0.2)), Placement((0.1, 0.5, 0.0), (0.3, 0.0, 0.5))
            ),
        ),
    )


def glide() -> Model:
    """A constraint stays beside a loop."""
    loop = four_bars(1, 0.4)
    return Model(
        "glide",
        (*loop.bodies, body("rider")),
        (*loop.joints, Planar("rider", "b0", "rider", parent_frame=OFFSET)),
        constraints=(PointOnSurface("glide", "rider", "u0", radii=(0.9, 0.7, 0.8)),),
        loops=loop.loops,
    )


def rolling() -> Model:
    """A ring closed by the reverse of a joint that slides as it turns: one without closed equations."""
    knee = Custom(
        "knee",
        "d",
        "c",
        Placement((0.9, 0.0, 0.0)),
        Placement((1.2, 0.0, 0.0)),
        coordinates=(Coordinate("flexion", 0.2),),
        rz=Linear(),
        tx=KNEE,
        ty=Polynomial((0.0, 0.05, 0.1)),
    )
    return Model(
        "rolling",
        tuple(body(name) for name in "abcd"),
        (
            Free("root", "ground", "a", child_frame=OFFSET),
            Pin("crank", "a", "b", coordinates=(Coordinate("angle", 1.0),)),
            Pin("rod", "b", "c", Placement((0.6, 0.0, 0.0)), coordinates=(Coordinate("angle", -0.6),)),
            Pin("rocker", "a", "d", Placement((1.5, 0.0, 0.0)), coordinates=(Coordinate("angle", 1.6),)),
        ),
        loops=(Reversed(knee),),
    )


def differentiated() -> Model:
    """A lever's equations, differentiated by projection; a chain with Euler parameters at its root."""
    return Model(
        "differentiated",
        tuple(body(name) for name in "abc"),
        (
            Free("root", "ground", "a", child_frame=OFFSET),
            Universal("first", "a", "b", parent_frame=OFFSET),
            Universal("second", "b", "c", child_frame=OFFSET),
        ),
        couplings=(Projection("pair", ("second.x", "second.y"), ("first.x", "first.y"), _pair()),),
    )


def molecule() -> Model:
    """Derivatives by differences are good to the square of the step: fine enough for every law that has no
    differences of its own.
    """
    pair = FiniteDifference("pair", ("second.x", "second.y"), ("first.x", "first.y"), _pair(), step=1e-3)
    return replace(differentiated(), name="molecule", couplings=(pair,))


IMPLICIT = [lever(), differentiated(), molecule()]
#: Good to about the square of their step, where others are exact.
BY_DIFFERENCES = ("molecule",)
LOOPS = [andrews(0.4), four_bars(3, 0.3), crank(), spatial(), glide(), rolling(), bricard(), governor()]
#: More equations than the motion needs: which joint carries how much is not determined.
OVER_CONSTRAINED = ("bricard",)
DAMPED = ("governor",)
