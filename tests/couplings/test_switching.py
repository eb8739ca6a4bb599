"""Dead points: independent coordinates that determine the loops no more, and motions that pass them."""

from __future__ import annotations

from dataclasses import replace
from math import acos, atan2, cos, sin

import casadi as ca
import numpy as np
import pytest

from condyle import Body, Coordinate, Model, Placement, Status, compile
from condyle.analyses import StateEvent, simulate
from condyle.errors import InputError
from condyle.joints import Pin
from condyle.library import bricard, four_bars
from condyle.solve import DormandPrince853

GROUND, CRANK, ROD, ROCKER = 4.0, 1.0, 3.5, 3.0


def angles(crank: float) -> tuple[float, float, float]:
    """Crank, rod against the crank, rocker (both measured as the pins do), by the law of cosines."""
    x, y = CRANK * cos(crank), CRANK * sin(crank)
    to_pivot = np.hypot(GROUND - x, -y)
    turn = acos((ROD**2 + to_pivot**2 - ROCKER**2) / (2 * ROD * to_pivot))
    heading = atan2(-y, GROUND - x) + turn
    tip = np.array([x + ROD * cos(heading), y + ROD * sin(heading)])
    return crank, heading - crank, atan2(tip[1], tip[0] - GROUND)


def crank_rocker(crank: float = 1.0) -> Model:
    """The crank turns fully, the rocker swings between its two dead points."""
    start = angles(crank)

    def bar(name: str, length: float) -> Body:
        moment = length**2 / 12
        return Body(name, 1.0, (length / 2, 0.0, 0.0), (0.0, moment, moment, 0.0, 0.0, 0.0))

    def pin(name: str, parent: str, child: str, x: float, k: int) -> Pin:
        return Pin(
            name, parent, child, Placement((x, 0.0, 0.0)), coordinates=(Coordinate("angle", start[k]),)
        )

    return Model(
        "crank_rocker",
        (bar("crank", CRANK), bar("rod", ROD), bar("rocker", ROCKER)),
        (
            pin("crank", "ground", "crank", 0.0, 0),
            pin("rod", "crank", "rod", CRANK, 1),
            pin("rocker", "ground", "rocker", GROUND, 2),
        ),
        loops=(Pin("loop", "rod", "rocker", Placement((ROD, 0.0, 0.0)), Placement((ROCKER, 0.0, 0.0))),),
        gravity=(0.0, -1.0, 0.0),
    )


def test_motion_goes_on_in_other_coordinates() -> None:
    """Full turns of the crank, described by the rocker: as those described by the crank itself."""
    by_crank = compile(crank_rocker(), independent=("crank.angle",))
    by_rocker = compile(crank_rocker(), independent=("rocker.angle",))
    times = np.linspace(0, 4, 21)
    q, _ = by_crank.default_state()
    options = {"method": DormandPrince853(), "rtol": 1e-11, "atol": 1e-12}
    exact = simulate(by_crank, q, [4.0], times, **options)
    assert exact.q[-1, 0] - exact.q[0, 0] > 2 * np.pi
    speed = by_crank.joint_rates(q, np.array([4.0]))[2]
    start, _ = by_rocker.default_state()
    stuck = simulate(by_rocker, start, [speed], times, **options)
    assert stuck.status in (Status.SINGULAR, Status.INFEASIBLE, Status.STEP_TOO_SMALL)
    found = simulate(by_rocker, start, [speed], times, switch_below=1e-2, **options)
    assert found.status == Status.OK
    assert len(found.switches) >= 1
    assert found.switches[0].before == ("rocker.angle",)
    assert np.allclose(found.joint_values, exact.joint_values, atol=1e-7)
    assert np.allclose(found.q[:, 0], exact.joint_values[:, 2], atol=1e-7)
    assert found.u.shape == (21, 1)
    assert found.energy_drift < 1e-8


def test_torques_and_events_keep_their_coordinates() -> None:
    """A torque on the rocker does the same work whatever coordinates describe the motion."""
    by_crank = compile(crank_rocker(), independent=("crank.angle",))
    by_rocker = compile(crank_rocker(), independent=("rocker.angle",))
    rocker, _ = by_rocker.default_state()
    q, _ = by_crank.default_state()
    speed = by_crank.joint_rates(q, np.array([4.0]))[2]
    times = np.linspace(0, 2, 6)

    def damper(t: ca.SX, q: ca.SX, u: ca.SX) -> ca.SX:
        return -0.1 * u

    crossing = StateEvent(lambda t, q, u: q[0] - rocker[0])
    found = simulate(
        by_rocker, rocker, [speed], times, tau=[0.2], controller=damper, events=[crossing], switch_below=1e-2,
        rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    assert found.status == Status.OK
    assert found.switches
    work = 0.2 * (found.q[:, 0] - found.q[0, 0])
    assert (found.energy[1:] < found.energy[0] + work[1:]).all()  # the damper takes some
    assert found.events.time.size
    assert np.allclose(found.events.state[:, 0], rocker[0], atol=1e-9)


def test_members_switch_by_themselves() -> None:
    mechanism = compile(crank_rocker(), independent=("rocker.angle",))
    q, _ = mechanism.default_state()
    speeds = np.array([[0.1], [1.5], [np.nan]])
    options = {"switch_below": 1e-2, "rtol": 1e-9, "atol": 1e-11}
    found = simulate(mechanism, q, speeds, np.linspace(0, 1.5, 4), **options)
    assert list(found.status) == [Status.OK, Status.OK, Status.BAD_INPUT]
    assert {switch.member for switch in found.switches} == {1} or found.switches[0].member in (0, 1)
    alone = simulate(
        mechanism, q, speeds[1], np.linspace(0, 1.5, 4), switch_below=1e-2, rtol=1e-9, atol=1e-11
    )
    assert np.array_equal(alone.joint_values, found.joint_values[1])


def test_regularity_falls_towards_a_dead_point() -> None:
    mechanism = compile(crank_rocker(), independent=("rocker.angle",))
    q, _ = mechanism.default_state()
    furthest = acos((GROUND**2 + ROCKER**2 - (ROD + CRANK) ** 2) / (2 * GROUND * ROCKER))
    dead = np.pi - furthest
    poses = np.linspace(q[0], dead + 1e-3, 5)[:, None]
    values = mechanism.loop_regularity(poses)
    assert (np.diff(values) < 0).all()
    assert 0 < values[-1] < 1e-3
    assert mechanism.loop_regularity(np.array([dead - 1e-3])) == 0
    assert mechanism.state_status([dead - 1e-3]) == Status.INFEASIBLE


def test_refused() -> None:
    mechanism = compile(crank_rocker())
    with pytest.raises(InputError, match=r"switch_below is -1; allowed: a positive number"):
        simulate(mechanism, *mechanism.default_state(), 1.0, switch_below=-1)
    chain = compile(Model("m", (Body("a", 1.0, inertia=(1, 1, 1, 0, 0, 0)),), (Pin("p", "ground", "a"),)))
    with pytest.raises(InputError, match="there is no embedded loop"):
        simulate(chain, *chain.default_state(), 1.0, switch_below=0.1)


def test_branches_and_the_way_to_another() -> None:
    """At one crank angle the rod and rocker stand on either side; `near` takes the other side on."""
    mechanism = compile(crank_rocker(), independent=("crank.angle",))
    q, _ = mechanism.default_state()
    found = mechanism.branches(q)
    assert len(found) == 2
    assert np.allclose(found[0], mechanism.assembly.pose, atol=1e-12)
    other = mechanism.near(found[1])
    assert np.allclose(other.joint_values(q), found[1], atol=1e-12)
    assert np.allclose(mechanism.near({"rocker.angle": found[1, 2]}).joint_values(q), found[1], atol=1e-9)
    # Both stay on their side however far the crank turns.
    turned = q + np.linspace(0, 2 * np.pi, 9)[:, None]
    for side in (mechanism, other):
        assert np.allclose(side.joint_values(turned)[-1, 2], side.joint_values(q)[2], atol=1e-10)
    rocker = compile(crank_rocker(), independent=("rocker.angle",))
    assert rocker.branches(np.array([0.3])).shape == (0, 3)


def test_best_coordinates() -> None:
    """Near the rocker's dead point others describe the motion, and the joint variables turn no faster than
    they.
    """
    mechanism = compile(crank_rocker(), independent=("rocker.angle",))
    crank = compile(crank_rocker(), independent=("crank.angle",))
    s = crank.joint_values(np.array([0.56]))
    best = mechanism.best_coordinates(s)
    assert best != ("rocker.angle",)
    there = mechanism.near(s, best)
    assert np.abs(there.coupling_matrix(there.default_state()[0])).max() <= 1 + 1e-12


def test_reach_ends_at_dead_points() -> None:
    """The rocker swings between the poses where crank and rod are in line."""
    mechanism = compile(crank_rocker(), independent=("rocker.angle",))
    inner, outer = (
        np.pi - acos((GROUND**2 + ROCKER**2 - reach**2) / (2 * GROUND * ROCKER))
        for reach in (ROD + CRANK, ROD - CRANK)
    )
    found = mechanism.reach("rocker.angle", 0.0, 3.0)
    assert found.ends == ("dead point", "dead point")
    assert np.allclose((found.lower, found.upper), (inner, outer), atol=1e-5)
    assert found.moving == (("crank.angle", "rod.angle"),) * 2
    crank = compile(crank_rocker(), independent=("crank.angle",)).reach("crank.angle", -7.0, 7.0)
    assert crank.ends == ("asked", "asked")
    assert (crank.lower, crank.upper) == (-7.0, 7.0)
    with pytest.raises(InputError, match="does not contain"):
        mechanism.reach("rocker.angle", 2.5, 3.0)
    with pytest.raises(InputError, match=r"unknown coordinate 'crank.angle'"):
        mechanism.reach("crank.angle", 0.0, 1.0)


def test_reach_ends_where_motions_meet() -> None:
    """Four-bars with parallel sides fold flat at a right angle of lean."""
    found = compile(four_bars(2, 0.3)).reach("upright_0.angle", -2.0, 1.0)
    assert found.ends == ("singular", "asked")
    assert abs(found.lower + np.pi / 2) < 1e-5


def test_what_is_over_constrained_closes_or_says_so() -> None:
    """Least squares find a nearest pose everywhere; a pose where the ring stays open is none of the
    mechanism.
    """
    mechanism = compile(bricard())
    q, _ = mechanism.default_state()
    ring = mechanism.loop_report
    assert ring is not None
    found = mechanism.branches(q)
    assert len(found) >= 1
    for s in found:
        assert np.abs(ring.equations._values(s)[0]).max() < 1e-9
    # A ring of other lengths cannot move: least squares come to rest at a pose that leaves it open.
    changed = compile(bricard(), parameters=("ring.child_frame.translation[0]",))
    length = changed.parameter_defaults
    at = np.array([0.3])
    assert changed.close(at, parameters=length).status == Status.OK
    assert changed.close(at, parameters=length + 0.02).status in (Status.NOT_CONVERGED, Status.SINGULAR)
    # A plane four-bar that stands askew: five equations of rank two, and a rocker beyond its dead point.
    askew = Placement((0.0, 0.0, 0.0), (0.4, 0.3, 0.2))
    model = crank_rocker()
    turned = tuple(
        replace(joint, parent_frame=turned_by(askew, joint.parent_frame))
        if joint.parent == "ground"
        else joint
        for joint in model.joints
    )
    tilted = compile(replace(model, joints=turned), independent=("rocker.angle",))
    level = compile(model, independent=("rocker.angle",))
    at = np.array([[1.8], [2.3], [1.7], [2.6]])
    assert np.allclose(tilted.joint_values(at[:2]), level.joint_values(at[:2]), atol=1e-10)
    assert (tilted.close(at[2:]).status == Status.SINGULAR).all()
    assert np.isnan(tilted.joint_values(at[2:])[:, 0]).all()
    assert len(tilted.branches(at[1])) == 2
    assert len(tilted.branches(at[3])) == 0


def turned_by(turn: Placement, frame: Placement) -> Placement:
    X = turn.transform() @ frame.transform()
    R, p = (np.array(ca.DM(part).full()) for part in (X.R, X.p))
    return Placement.from_matrix(R, p[:, 0])
