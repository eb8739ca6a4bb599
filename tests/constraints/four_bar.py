"""A planar four-bar in several closures, and its closed form: crank, coupler and rocker angles from the
crank's.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from condyle import Body, Model, Placement
from condyle.constraints import Ball, Configuration, Constraint, Custom, Weld
from condyle.joints import Coordinate, Pin

GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.4, 1.1, 0.8
LENGTHS = {"crank": CRANK, "coupler": COUPLER, "rocker": ROCKER}
BODIES = tuple(
    Body(
        name,
        1.0 + length,
        (0.5 * length, 0.05, 0.0),
        (0.06 * length, 0.06 * length, 0.1 * length, 0.0, 0.0, 0.0),
    )
    for name, length in LENGTHS.items()
)


def angles(crank: float | ca.SX) -> ca.SX:
    """Relative pin angles (crank, coupler, rocker) that close the loop, elbow up, by the law of cosines."""
    tip = ca.vertcat(CRANK * ca.cos(crank), CRANK * ca.sin(crank))
    rest = ca.vertcat(GROUND, 0) - tip
    d2 = ca.dot(rest, rest)
    bend = ca.acos(
        (d2 - COUPLER**2 - ROCKER**2) / (2 * COUPLER * ROCKER)
    )  # of the rocker against the coupler
    toward = ca.atan2(rest[1], rest[0]) + ca.atan2(ROCKER * ca.sin(bend), COUPLER + ROCKER * ca.cos(bend))
    return ca.vertcat(crank, toward - crank, -bend)


def pose(crank: float) -> np.ndarray:
    return np.array(ca.DM(angles(ca.DM(crank))).full())[:, 0]


def pins(default: float = 0.9) -> list[Pin]:
    """Crank on ground, coupler on the crank, rocker on the coupler, assembled by default."""
    start = pose(default)
    found, parent, reach = [], "ground", 0.0
    for name, value in zip(LENGTHS, start, strict=True):
        frame = Placement((reach, 0.0, 0.0))
        found.append(Pin(name, parent, name, frame, coordinates=(Coordinate("angle", float(value)),)))
        parent, reach = name, LENGTHS[name]
    return found


def _planar(configuration: Configuration) -> ca.SX:
    end = configuration.relative_pose("ground", "rocker").point(ca.SX([ROCKER, 0.0, 0.0]))
    return ca.vertcat(end[0] - GROUND, end[1])


PLANAR = Custom("loop", _planar, 2, ("ground", "rocker"))
BALL = Ball("loop", "ground", "rocker", (GROUND, 0.0, 0.0), (ROCKER, 0.0, 0.0))
TWICE = (PLANAR, Custom("again", _planar, 2, ("ground", "rocker")))


def closed(*constraints: Constraint, default: float = 0.9) -> Model:
    """The chain of three pins with these constraints."""
    return Model("four-bar", BODIES, tuple(pins(default)), constraints=constraints)


def cut_at_ground(default: float = 0.9) -> Model:
    """Four pins, the last carrying a light foot that is welded to ground."""
    foot = Body("foot", 1e-3, (0.0, 0.0, 0.0), (1e-6, 1e-6, 1e-6, 0.0, 0.0, 0.0))
    last = Coordinate("angle", float(-pose(default).sum()))
    ankle = Pin("ankle", "rocker", "foot", Placement((ROCKER, 0.0, 0.0)), coordinates=(last,))
    weld = Weld("loop", "ground", "foot", Placement((GROUND, 0.0, 0.0)))
    return Model("four-bar", (*BODIES, foot), (*pins(default), ankle), constraints=(weld,))


def parallelogram(crank: float) -> Model:
    """Sides 1 and 1/2: at crank angle 0 all links lie in line, where its two branches meet."""
    joints, parent, reach = [], "ground", 0.0
    for name, length, angle in (
        ("crank", 0.5, crank),
        ("coupler", 1.0, -crank),
        ("rocker", 0.5, crank - np.pi),
    ):
        coordinates = (Coordinate("angle", angle),)
        joints.append(Pin(name, parent, name, Placement((reach, 0.0, 0.0)), coordinates=coordinates))
        parent, reach = name, length

    def closure(configuration: Configuration) -> ca.SX:
        end = configuration.relative_pose("ground", "rocker").point(ca.SX([0.5, 0.0, 0.0]))
        return ca.vertcat(end[0] - 1.0, end[1])

    loop = Custom("loop", closure, 2, ("ground", "rocker"))
    return Model("parallelogram", BODIES, tuple(joints), constraints=(loop,))


def crank_motion() -> ca.Function:
    """(crank angle, its rate, torque on the crank) -> its acceleration, from T(angle, rate) and V(angle)
    alone.
    """
    a, rate, torque = ca.SX.sym("a"), ca.SX.sym("rate"), ca.SX.sym("torque")
    T, V = ca.SX(0), ca.SX(0)
    joint, heading = ca.vertcat(0, 0), ca.SX(0)
    for body, turn in zip(BODIES, ca.vertsplit(angles(a)), strict=True):
        heading = heading + turn
        R = ca.vertcat(
            ca.horzcat(ca.cos(heading), -ca.sin(heading)), ca.horzcat(ca.sin(heading), ca.cos(heading))
        )
        center = joint + ca.mtimes(R, ca.DM(body.center_of_mass[:2]))
        v, w = ca.jtimes(center, a, rate), ca.jtimes(heading, a, rate)
        T += 0.5 * (body.mass * ca.dot(v, v) + body.inertia[2] * w * w)
        V += body.mass * 9.80665 * center[1]
        joint = joint + LENGTHS[body.name] * R[:, 0]
    momentum = ca.gradient(T, rate)
    mass = ca.gradient(momentum, rate)
    acceleration = (torque - ca.jtimes(momentum, a, rate) + ca.gradient(T - V, a)) / mass
    return ca.Function("crank", [a, rate, torque], [acceleration])


def speeds(crank: float, rate: float) -> np.ndarray:
    """Pin speeds of the closed loop."""
    a = ca.SX.sym("a")
    return rate * ca.Function("slopes", [a], [ca.jacobian(angles(a), a)])(crank).full()[:, 0]
