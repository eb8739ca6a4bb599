"""Kinematic analysis: against the minimal formulation, with redundant rows, bad frames and wrong drivers."""

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.constraints import Distance
from condyle.drivers import (
    EulerRotation,
    FullRotation,
    Motion,
    PrescribedCoordinate,
    PrescribedPoint,
)
from condyle.errors import InputError, ModelError
from condyle.joints import Pin
from condyle.spatial import Placement
from condyle.spatial.euler import angular_velocity
from condyle.status import Status
from condyle.studies.driver_chains import (
    GIRDLE,
    LEG,
    angle_drivers,
    euler_drivers,
    girdle_chain,
    leg_chain,
    motions,
)

TIMES = np.linspace(0.0, 1.0, 41)


@pytest.fixture(scope="module")
def leg():
    return cd.compile(leg_chain(), formulation="absolute")


@pytest.fixture(scope="module")
def euler(leg):
    return cd.kinematic_analysis(leg, euler_drivers(LEG), motions(LEG, TIMES))


def degrees(*angles):
    """Angles in degrees, expressions of time, as a motion."""
    return Motion.of_expression(lambda t: ca.vertcat(*[a(t) for a in angles]) * np.pi / 180, TIMES)


def angle_motion(joint):
    return degrees(*[lambda t, k=k: joint.angles(t)[k] for k in range(len(joint.sequence))])


def minimal_motion(leg):
    """(q, u, udot) of the minimal formulation that the prescribed motion means."""
    hip, knee, ankle = (joint.motion(TIMES) for joint in LEG)
    knee, ankle = angle_motion(LEG[1]), angle_motion(LEG[2])
    q = np.hstack([hip.values, knee.values, ankle.values])
    turn = angular_velocity(hip.values, hip.rates)
    second = angular_velocity(hip.values, hip.accelerations)  # Gdot pdot = 0
    u = np.hstack([turn, knee.rates, ankle.rates])
    udot = np.hstack([second, knee.accelerations, ankle.accelerations])
    return q, u, udot


def test_same_motion_as_the_minimal_formulation(leg, euler):
    """Positions, velocities and accelerations of all bodies are those of joint angles and their rates."""
    q, u, udot = minimal_motion(leg)
    minimal = leg.minimal
    assert not euler.status.any() and euler.iterations.max() <= 4
    for body, (R, p) in minimal.body_poses(q).items():
        found = leg.body_poses(euler.q)[body]
        assert found[0] == pytest.approx(R, abs=1e-14) and found[1] == pytest.approx(p, abs=1e-14)
    for name, wanted, found in (
        ("velocities", minimal.body_velocities(q, u), leg.body_velocities(euler.q, euler.u)),
        (
            "accelerations",
            minimal.body_accelerations(q, u, udot),
            leg.body_accelerations(euler.q, euler.u, euler.udot),
        ),
    ):
        for body in wanted:
            for one, other in zip(wanted[body], found[body], strict=True):
                assert np.abs(one - other).max() < 1e-11 * (1 + np.abs(one).max()), (name, body)
    assert max(float(angle.max()) for angle in euler.deviation.values()) < 1e-14


def test_redundant_rows_give_the_same_motion(leg, euler):
    """A-rot, 24 rows for 18 speeds, least squares: residuals vanish where the data are consistent."""
    found = cd.kinematic_analysis(leg, angle_drivers(LEG), motions(LEG, TIMES))
    assert not found.status.any() and found.report.rows == 12 and found.report.driven == 6
    assert np.abs(found.residual).max() < 1e-14
    assert np.abs(found.q - euler.q).max() < 1e-13 and np.abs(found.udot - euler.udot).max() < 1e-10
    assert (found.regularity > 0.05).all() and (euler.regularity > 0.05).all()  # weights are no condition


def test_inconsistent_rows_are_met_in_least_squares(leg):
    """Data whose axis is not the knee's: joints hold, driver rows are met in least squares, smoothly."""
    given = motions(LEG, TIMES)
    tilt = np.radians(4.0)
    tilted = Motion.of_expression(
        lambda t: ca.vertcat(tilt, *[a * np.pi / 180 for a in LEG[1].angles(t)]), TIMES
    )
    given["knee"] = tilted.as_orientation("xz")
    found = cd.kinematic_analysis(leg, angle_drivers(LEG), given)
    assert not found.status.any()
    assert found.constraint_residual.max() < 1e-8
    assert 1e-4 < found.driver_residual.max() < 0.1
    assert found.deviation["knee"].min() > np.radians(3.9)
    step = TIMES[1]
    slope = (found.q[2:] - found.q[:-2]) / (2 * step)
    assert np.abs(slope - leg.coordinate_rates(found.q, found.u)[1:-1]).max() < 0.05
    assert found.iterations.max() <= 5  # strong weights must not shorten steps


def test_nothing_jumps(leg):
    """Positions, velocities and accelerations from sampled data are each other's slopes at every frame."""
    times = np.linspace(0.0, 1.0, 201)
    rng = np.random.default_rng(5)
    given = {}
    for joint in LEG:
        p = joint.motion(times).values * np.where(rng.random(len(times)) < 0.5, -1.0, 1.0)[:, None]
        given[joint.name] = Motion.of_orientations(times, p)
    found = cd.kinematic_analysis(leg, euler_drivers(LEG), given)
    assert not found.status.any()
    rates = leg.coordinate_rates(found.q, found.u)
    slopes = np.gradient(found.q, times, axis=0, edge_order=2)
    assert np.abs(slopes - rates)[1:-1].max() < 5e-3 * np.abs(rates).max()
    slopes = np.gradient(found.u, times, axis=0, edge_order=2)
    assert np.abs(slopes - found.udot)[10:-10].max() < 5e-3 * np.abs(found.udot).max()


def test_closed_chain(leg):
    """The girdle: 12 rows for 12 speeds; the condition that the specification has."""
    mechanism = cd.compile(girdle_chain(), formulation="absolute")
    found = cd.kinematic_analysis(mechanism, euler_drivers(GIRDLE), motions(GIRDLE, np.linspace(0, 1, 101)))
    assert not found.status.any() and np.abs(found.residual).max() < 1e-14
    D, _ = found.equations.matrix()(found.whole[0], found.whole[3], None)
    cond = np.linalg.cond(D)
    assert cond.min() == pytest.approx(431, abs=0.5) and cond.max() == pytest.approx(3342, abs=0.6)


@pytest.mark.parametrize("lanes", [1, 4])
def test_trials_side_by_side(leg, euler, lanes):
    """Leading axes are trials; what one gives does not depend on the others."""
    given = motions(LEG, TIMES)
    stacked = {
        name: Motion(*[np.stack([part, part[::-1]] * 2) for part in (m.values, m.rates, m.accelerations)])
        for name, m in given.items()
    }
    found = cd.kinematic_analysis(leg, euler_drivers(LEG), stacked, lanes=lanes)
    assert found.q.shape == (4, *euler.q.shape) and found.status.shape == (4, len(TIMES))
    assert np.abs(found.q[0] - euler.q).max() < 1e-14 and np.abs(found.udot[2] - euler.udot).max() < 1e-11
    assert np.abs(found.u[1] - euler.u[::-1]).max() < 1e-12


def test_missing_frames_do_not_stop_the_others(leg, euler):
    """Frames without data have their status and NaN velocities; all others are as before."""
    given = motions(LEG, TIMES)
    values = given["knee"].values.copy()
    values[[0, 17, 18]] = np.nan
    given["knee"] = Motion(values, given["knee"].rates, given["knee"].accelerations)
    found = cd.kinematic_analysis(leg, euler_drivers(LEG), given)
    bad = np.isin(np.arange(len(TIMES)), (0, 17, 18))
    assert (found.status == np.where(bad, Status.BAD_INPUT, Status.OK)).all()
    assert np.isnan(found.u[bad]).all() and np.isfinite(found.q).all()
    assert np.abs(found.q[~bad] - euler.q[~bad]).max() < 1e-14
    assert "BAD_INPUT" in found.explain(17)


def test_signs_of_the_data_do_not_matter(leg, euler):
    """Flips from frame to frame, and a start on the other side, change nothing."""
    rng = np.random.default_rng(1)
    given = {}
    for name, m in motions(LEG, TIMES).items():
        sign = np.where(rng.random(len(TIMES)) < 0.5, -1.0, 1.0)[:, None]
        sign[:3] = [[-1.0], [1.0], [-1.0]]
        given[name] = Motion(sign * m.values, sign * m.rates, sign * m.accelerations)
    found = cd.kinematic_analysis(leg, euler_drivers(LEG), given, start=euler.q[0])
    assert not found.status.any() and np.abs(found.q - euler.q).max() < 1e-13
    assert np.abs(found.u - euler.u).max() < 1e-12 and np.abs(found.udot - euler.udot).max() < 1e-10


def test_every_kind_of_driver(leg, euler):
    """FullRotation, coordinates of a joint, of a body, and points lead to the same motion as E-rot."""
    given = motions(LEG, TIMES)
    drivers = (
        FullRotation("hip", "ground", "thigh"),
        PrescribedCoordinate("knee", "knee.angle"),
        EulerRotation("ankle", "shank", "foot", components=((0.1, 0.9, 0.0, 0.2), 3)),
    )
    found = cd.kinematic_analysis(leg, drivers, given | {"knee": angle_motion(LEG[1])})
    assert not found.status.any() and np.abs(found.q - euler.q).max() < 1e-13
    assert np.abs(found.udot - euler.udot).max() < 1e-9
    point = leg.point_motion(euler.q, euler.u, euler.udot, "shank", (0.0, -0.24, 0.0))
    drivers = (drivers[0], PrescribedPoint("heel", "shank", (0.0, -0.24, 0.0), along=("x",)), drivers[2])
    heel = Motion(*[part[:, :1] for part in point])
    given = {"hip": given["hip"], "ankle": given["ankle"], "heel": heel}
    found = cd.kinematic_analysis(leg, drivers, given, start=euler.q[0])
    assert not found.status.any() and np.abs(found.q - euler.q).max() < 1e-9


def test_mirrored_hip_is_told(leg):
    """Components e0, e1, e2: every row vanishes, at the mirror image; the remark says so [000, figure 6]."""
    given = motions(LEG, TIMES)
    given["hip"] = degrees(lambda t: 10 + 30 * ca.sin(2 * np.pi * t)).as_orientation("z")
    drivers = (LEG[0].euler((0, 1, 2)), *euler_drivers(LEG)[1:])
    with pytest.warns(UserWarning, match="'hip': its rows vanish, but at another orientation"):
        found = cd.kinematic_analysis(leg, drivers, given)
    assert np.abs(found.residual).max() < 1e-9 and not found.status.any()
    assert np.degrees(found.deviation["hip"].max()) == pytest.approx(40.0, abs=1e-6)
    assert len(found.remarks) == 1


def two_cranks():
    """Two pins on ground, their ends a rod apart; the second is too short to follow a whole turn."""
    bodies = tuple(
        cd.Body(name, 1.0, (0, -0.1, 0), (0.01, 0.01, 0.01, 0, 0, 0)) for name in ("left", "right")
    )
    joints = (
        Pin("a", "ground", "left", coordinates=(cd.Coordinate("angle", 0.0),)),
        Pin("b", "ground", "right", Placement((0.5, 0.0, 0.0))),
    )
    rod = Distance("rod", "left", "right", (0.0, -0.3, 0.0), (0.0, -0.2, 0.0), length=np.hypot(0.5, 0.1))
    return cd.Model("cranks", bodies, joints, (rod,))


def test_what_cannot_be_assembled_is_named():
    """Out of reach: INFEASIBLE, the rows named; frames that can be assembled again are."""
    mechanism = cd.compile(two_cranks(), formulation="absolute")
    angle = Motion.of_expression(lambda t: 1.6 * ca.sin(np.pi * t), TIMES)
    found = cd.kinematic_analysis(mechanism, (PrescribedCoordinate("crank", "a.angle"),), {"crank": angle})
    bad = found.status != Status.OK
    assert bad.any() and not bad[[0, -1]].any() and (found.status[bad] == Status.INFEASIBLE).all()
    frame = int(np.flatnonzero(bad)[len(np.flatnonzero(bad)) // 2])
    assert "INFEASIBLE" in found.explain(frame) and "rod[0]" in found.explain(frame)
    assert found.constraint_residual[frame] > 1e-3
    assert np.abs(found.q[-1] - found.q[0]).max() < 1e-9


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d[:2], "6 freedoms, the drivers guide 4: 2 of them are left open, at ankle"),
        (lambda d: d[1:], "3 of them are left open, at hip"),
        (
            lambda d: (*d, EulerRotation("again", "thigh", "shank", components=(3,))),
            "7: 1 too many; drivers that could be left out: knee, again",
        ),
        (
            lambda d: (d[0], EulerRotation("knee", "thigh", "shank", components=(1,)), d[2]),
            "left open, at knee",
        ),
    ],
)
def test_counts_and_names_of_wrong_drivers(leg, change, words):
    """Under- and over-determined sets, and rows that guide nothing."""
    drivers = change(euler_drivers(LEG))
    given = motions(LEG, TIMES) | {"again": LEG[1].motion(TIMES)}
    given = {driver.name: given[driver.name] for driver in drivers}
    with pytest.raises(InputError, match=words):
        cd.kinematic_analysis(leg, drivers, given)


def test_surplus_drivers_in_least_squares(leg, euler):
    """Two drivers of one knee that contradict each other by 2 degrees meet in the middle, if asked for."""
    given = motions(LEG, TIMES)
    given["again"] = degrees(lambda t: LEG[1].angles(t)[0] + 2.0).as_orientation("z")
    drivers = (*euler_drivers(LEG), EulerRotation("again", "thigh", "shank", components=(3,)))
    found = cd.kinematic_analysis(leg, drivers, given, overdetermined="least_squares")
    assert not found.status.any() and found.constraint_residual.max() < 1e-9
    assert np.degrees(found.deviation["knee"]) == pytest.approx(1.0, abs=2e-2)


def test_weights_hold_the_joints_together():
    """Drivers that strain the linkage open it less, the heavier its rows: as the square of the weight."""
    mechanism = cd.compile(two_cranks(), formulation="absolute")
    drivers = tuple(PrescribedCoordinate(name, f"{name}.angle") for name in ("a", "b"))
    given = {
        "a": Motion.of_expression(lambda t: 0.3 * t, TIMES),
        "b": Motion.of_expression(lambda t: 0.1 * t, TIMES),
    }
    with pytest.raises(InputError, match="1 too many; drivers that could be left out: a, b"):
        cd.kinematic_analysis(mechanism, drivers, given)
    open_by = [
        cd.kinematic_analysis(
            mechanism, drivers, given, overdetermined="least_squares", weights=(weight, 1.0), assembled=1e-3
        ).constraint_residual[-1]
        for weight in (100.0, 1000.0)
    ]
    assert 1e-9 < open_by[1] < 1e-6 and open_by[0] == pytest.approx(100 * open_by[1], rel=0.05)


def test_wrong_input_is_said(leg):
    """All at once, with the closest name."""
    given = motions(LEG, TIMES)
    with pytest.raises(InputError, match="compile\\(model, formulation='absolute'\\)"):
        cd.kinematic_analysis(leg.minimal, euler_drivers(LEG), given)
    drivers = (
        EulerRotation("hip", "ground", "thihg"),
        EulerRotation("hip", "shank", "foot", components=(7,)),
    )
    with pytest.raises(ModelError) as error:
        cd.kinematic_analysis(leg, drivers, given)
    for words in ("did you mean 'thigh'?", "given twice", "allowed: 0, 1, 2, 3"):
        assert words in str(error.value)
    with pytest.raises(InputError, match="no motion for driver 'knee'"):
        cd.kinematic_analysis(leg, euler_drivers(LEG), {"hip": given["hip"], "ankle": given["ankle"]})
    with pytest.raises(InputError, match="unknown driver 'hpi'; did you mean 'hip'"):
        cd.kinematic_analysis(leg, euler_drivers(LEG), {**given, "hpi": given["hip"]})
    wrong = Motion(2 * given["hip"].values, given["hip"].rates, given["hip"].accelerations)
    with pytest.raises(InputError, match="frame 0 has Euler parameters of length 2"):
        cd.kinematic_analysis(leg, euler_drivers(LEG), {**given, "hip": wrong})
    nothing = Motion(np.nan * given["hip"].values, given["hip"].rates, given["hip"].accelerations)
    with pytest.raises(InputError, match="no frame has data"):
        cd.kinematic_analysis(leg, euler_drivers(LEG), {**given, "hip": nothing})
