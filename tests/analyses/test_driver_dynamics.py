"""Multipliers and torques of drivers: against the minimal formulation, closed forms, and each other."""

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.drivers import AngleRotation, EulerRotation, Motion, PrescribedCoordinate
from condyle.errors import InputError
from condyle.forces import RotationalDamper
from condyle.solve.basic import basic_solutions
from condyle.spatial import Placement
from condyle.spatial.euler import angular_velocity
from condyle.studies.driver_chains import (
    GIRDLE,
    LEG,
    angle_drivers,
    euler_drivers,
    girdle_chain,
    leg_chain,
    motions,
)

TIMES = np.linspace(0.0, 1.0, 21)


@pytest.fixture(scope="module")
def leg():
    return cd.compile(leg_chain(), formulation="absolute")


@pytest.fixture(scope="module")
def euler(leg):
    return cd.kinematic_analysis(leg, euler_drivers(LEG), motions(LEG, TIMES))


@pytest.fixture(scope="module")
def girdle():
    mechanism = cd.compile(girdle_chain(), formulation="absolute")
    alone = cd.kinematic_analysis(mechanism, euler_drivers(GIRDLE), motions(GIRDLE, TIMES))
    consistent = {name: alone.relative_motion(name) for name in ("SC", "AC")}
    all_six = cd.kinematic_analysis(
        mechanism, angle_drivers(GIRDLE), consistent, overdetermined="least_squares"
    )
    return alone, all_six


def angles(joint):
    whole = Motion.of_expression(lambda t: ca.vertcat(*joint.angles(t)) * (np.pi / 180), TIMES)
    return whole.values, whole.rates, whole.accelerations


def minimal_state():
    hip = LEG[0].motion(TIMES)
    parts = [
        (
            hip.values,
            angular_velocity(hip.values, hip.rates),
            angular_velocity(hip.values, hip.accelerations),
        ),
        angles(LEG[1]),
        angles(LEG[2]),
    ]
    return [np.hstack([part[k] for part in parts]) for k in range(3)]


def balance(kinematics, found, wrenches=None):
    """Largest entry of D' lambda - (g - M vdot)."""
    equations = kinematics.equations
    q, u, udot, targets = kinematics.whole
    bodies = tuple(wrenches) if wrenches else ()
    loads = np.concatenate(list(wrenches.values()), axis=-1) if wrenches else None
    D = equations.matrix()(q, targets, None)[0]
    required = equations.required(bodies)(q, u, udot, None, loads)
    free = list(equations.free_speeds)
    return np.abs(np.einsum("kmn,km->kn", D, found.multipliers) - required)[:, free].max()


def test_torques_are_those_of_the_minimal_formulation(leg, euler):
    """Conjugate to the speeds of the ball, the pin and the universal joint; reactions too."""
    q, u, udot = minimal_state()
    tau = leg.minimal.inverse_dynamics(q, u, udot)
    found = cd.driver_dynamics(euler)
    assert balance(euler, found) < 1e-11
    stacked = np.hstack([found.torques[name] for name in ("hip", "knee", "ankle")])
    assert stacked == pytest.approx(tau, abs=1e-11)
    assert found.policy == "refuse" and found.redundant == 0 and found.undetermined == ()
    for name, (moment, force) in leg.minimal.joint_reactions(q, u, udot).items():
        assert found.reactions[name][0] == pytest.approx(moment, abs=1e-11)
        assert found.reactions[name][1] == pytest.approx(force, abs=1e-11)


def test_external_wrenches_and_force_elements(leg):
    """A load on the foot and a damper at the knee reach the torques as in the minimal formulation."""
    chain = leg_chain()
    damper = RotationalDamper("damper", "thigh", "shank", 0.7)
    model = cd.Model(chain.name, chain.bodies, chain.joints, gravity=chain.gravity, forces=(damper,))
    mechanism = cd.compile(model, formulation="absolute")
    kinematics = cd.kinematic_analysis(mechanism, euler_drivers(LEG), motions(LEG, TIMES))
    load = np.stack([np.sin(TIMES + k) * 30 for k in range(6)], axis=-1)
    found = cd.driver_dynamics(kinematics, wrenches={"foot": load})
    q, u, udot = minimal_state()
    tau = mechanism.minimal.inverse_dynamics(q, u, udot, wrenches={"foot": load})
    stacked = np.hstack([found.torques[name] for name in ("hip", "knee", "ankle")])
    assert stacked == pytest.approx(tau, abs=1e-10)
    assert balance(kinematics, found, {"foot": load}) < 1e-10


def test_closed_forms_of_single_drivers(leg, euler):
    """The table of the specification: revolute by e_k, by e0, by an angle; spherical in either axes."""
    q, u, udot = minimal_state()
    knee = q[:, 4]
    wanted = leg.minimal.inverse_dynamics(q, u, udot)[:, 3]
    found = cd.driver_dynamics(euler)
    lambda_ = found.multipliers_of("driver knee")[:, 0]
    assert -lambda_ * np.cos(knee / 2) / 2 == pytest.approx(wanted, abs=1e-11)
    lambda_ = found.multipliers_of("driver hip")
    p = euler.relative_motion("hip").values
    along, across = p[:, :1] * lambda_, np.cross(p[:, 1:], lambda_)
    assert -(along + across) / 2 == pytest.approx(found.torques["hip"], abs=1e-11)
    R = leg.body_poses(euler.q)["thigh"][0]
    in_child = np.einsum("kji,kj->ki", R, found.torques["hip"])
    assert -(along - across) / 2 == pytest.approx(in_child, abs=1e-11)
    given = motions(LEG, TIMES)
    others = LEG[0].euler(), LEG[2].euler()
    cosine = EulerRotation("knee", "thigh", "shank", components=(0,))
    with pytest.warns(UserWarning, match="'knee': the components e0 come near a singularity"):
        found = cd.driver_dynamics(cd.kinematic_analysis(leg, (*others, cosine), given))
    lambda_ = found.multipliers_of("driver knee")[:, 0]
    assert lambda_ * np.sin(knee / 2) / 2 == pytest.approx(wanted, abs=1e-9)
    assert found.torques["knee"][:, 0] == pytest.approx(wanted, abs=1e-9)
    x = (1.0, 0.0, 0.0)
    single = AngleRotation("knee", "thigh", "shank", pairs=((x, x),))
    given["knee"] = Motion(*[part[:, None] for part in (knee, u[:, 3], udot[:, 3])])
    # The cosine does not tell the side of the knee: the start does. theta: from s_j to s_i about the axis.
    turned = cd.kinematic_analysis(leg, (*others, single), given, start=euler.q[0])
    found = cd.driver_dynamics(turned)
    lambda_ = found.multipliers_of("driver knee")[:, 0]
    assert lambda_ * np.sin(knee) == pytest.approx(wanted, abs=1e-9)


def test_coordinates_and_angles_give_the_same_torque(leg, euler):
    """A prescribed joint angle: its multiplier is minus the torque."""
    values, rates, accelerations = angles(LEG[1])
    drivers = (LEG[0].euler(), PrescribedCoordinate("knee", "knee.angle"), LEG[2].euler())
    given = motions(LEG, TIMES) | {"knee": Motion(values, rates, accelerations)}
    kinematics = cd.kinematic_analysis(leg, drivers, given)
    found, wanted = cd.driver_dynamics(kinematics), cd.driver_dynamics(euler)
    for joint in ("hip", "knee", "ankle"):
        assert found.torques[joint] == pytest.approx(wanted.torques[joint], abs=1e-10)
    assert -found.multipliers_of("driver knee") == pytest.approx(wanted.torques["knee"], abs=1e-10)


@pytest.mark.parametrize("policy", ["minimum_norm", "weighted", "basic"])
def test_open_chains_have_one_answer(leg, euler, policy):
    """A-rot, 24 rows for 18 speeds: torques are those of E-rot whatever the policy."""
    kinematics = cd.kinematic_analysis(leg, angle_drivers(LEG), motions(LEG, TIMES))
    found, wanted = cd.driver_dynamics(kinematics, policy=policy), cd.driver_dynamics(euler)
    assert found.policy == policy and found.redundant == 6 and found.undetermined == ()
    assert balance(kinematics, found) < 1e-10
    for joint in wanted.torques:
        assert found.torques[joint] == pytest.approx(wanted.torques[joint], abs=1e-10)
        for one, other in zip(found.reactions[joint], wanted.reactions[joint], strict=True):
            assert one == pytest.approx(other, abs=1e-9)


def test_closed_chains_depend_on_the_policy(girdle):
    """The girdle by A-rot: each policy is what its name says, and the joints it concerns are named."""
    alone, all_six = girdle
    equations = all_six.equations
    q, u, udot, targets = all_six.whole
    D = equations.matrix()(q, targets, None)[0]
    required = equations.required(())(q, u, udot, None, None)
    wanted = cd.driver_dynamics(alone)
    with pytest.raises(InputError, match=r"20 rows for 12 speeds: 8 multipliers .* choice: SC, AC;"):
        cd.driver_dynamics(all_six)
    weights = np.array([10.0] * 3 + [2.0] * 3 + [1000.0, 0.5] + [1.0] * 6 + [3.0] * 6)
    by_name = {"SC": 10.0, "AC": 2.0, "AI": 0.5, "driver AC": 3.0}
    for k in (0, 7):
        expected = {
            "minimum_norm": np.linalg.lstsq(D[k].T, required[k], rcond=None)[0],
            "weighted": weights * np.linalg.lstsq((weights[:, None] * D[k]).T, required[k], rcond=None)[0],
            "basic": basic_solutions(D[k][None], required[k][None])[0][0],
        }
        for policy, lambda_ in expected.items():
            found = cd.driver_dynamics(
                all_six, policy=policy, weights=by_name if policy == "weighted" else None
            )
            assert found.multipliers[k] == pytest.approx(lambda_, abs=1e-9)
            assert found.undetermined == ("SC", "AC") and balance(all_six, found) < 1e-11
    norm = cd.driver_dynamics(all_six, policy="minimum_norm")
    assert 2.0 < np.abs(norm.torques["SC"] - wanted.torques["SC"]).max() < 2.45
    assert np.count_nonzero(cd.driver_dynamics(all_six, policy="basic").multipliers[3]) == 12


@pytest.mark.parametrize("policy", ["refuse", "basic"])
def test_promoted_numbers(policy):
    """A mass and a place given with the call do what they do in the description."""
    chain = leg_chain()
    promoted = cd.compile(
        chain, formulation="absolute", parameters=["shank.mass", "knee.parent_frame.translation[1]"]
    )
    drivers = euler_drivers(LEG) if policy == "refuse" else angle_drivers(LEG)
    found = cd.kinematic_analysis(promoted, drivers, motions(LEG, TIMES), parameters=[4.5, -0.3])
    bodies = tuple(replace(b, mass=4.5) if b.name == "shank" else b for b in chain.bodies)
    joints = tuple(
        replace(j, parent_frame=Placement((0.0, -0.3, 0.0))) if j.name == "knee" else j for j in chain.joints
    )
    written = cd.compile(cd.Model("leg", bodies, joints, gravity=chain.gravity), formulation="absolute")
    wanted = cd.kinematic_analysis(written, drivers, motions(LEG, TIMES))
    assert np.abs(found.q - wanted.q).max() < 1e-14
    one, other = cd.driver_dynamics(found, policy=policy), cd.driver_dynamics(wanted, policy=policy)
    for joint in ("hip", "knee", "ankle"):
        assert one.torques[joint] == pytest.approx(other.torques[joint], abs=1e-10)


def test_locked_joints_need_no_driver():
    """An ankle whose two coordinates are locked: torques of the others are the minimal formulation's."""
    chain = leg_chain()
    locks = (cd.Coordinate("z", 0.1, locked=True), cd.Coordinate("x", -0.2, locked=True))
    joints = tuple(replace(j, coordinates=locks) if j.name == "ankle" else j for j in chain.joints)
    mechanism = cd.compile(
        cd.Model("leg", chain.bodies, joints, gravity=chain.gravity), formulation="absolute"
    )
    given = {joint.name: joint.motion(TIMES) for joint in LEG[:2]}
    kinematics = cd.kinematic_analysis(mechanism, euler_drivers(LEG)[:2], given)
    assert not kinematics.status.any() and kinematics.report.freedoms == 4
    found = cd.driver_dynamics(kinematics)
    q, u, udot = minimal_state()
    q[:, 5:], u[:, 4:], udot[:, 4:] = (0.1, -0.2), 0.0, 0.0
    tau = mechanism.minimal.inverse_dynamics(q, u, udot)
    assert np.hstack([found.torques["hip"], found.torques["knee"]]) == pytest.approx(tau[:, :4], abs=1e-10)


def test_frames_that_failed_have_no_loads(leg, euler):
    """NaN where the kinematics has a status; the others are as before."""
    given = motions(LEG, TIMES)
    values = given["hip"].values.copy()
    values[4] = np.nan
    given["hip"] = Motion(values, given["hip"].rates, given["hip"].accelerations)
    for drivers, policy in ((euler_drivers(LEG), "refuse"), (angle_drivers(LEG), "basic")):
        kinematics = cd.kinematic_analysis(leg, drivers, given)
        found, wanted = cd.driver_dynamics(kinematics, policy=policy), cd.driver_dynamics(euler)
        assert np.isnan(found.torques["hip"][4]).all() and np.isnan(found.multipliers[4]).all()
        rest = np.arange(len(TIMES)) != 4
        assert found.torques["ankle"][rest] == pytest.approx(wanted.torques["ankle"][rest], abs=1e-10)


def test_trials_side_by_side(leg, euler):
    """Leading axes are trials."""
    given = {
        name: Motion(*[np.stack([part, part[::-1]]) for part in (m.values, m.rates, m.accelerations)])
        for name, m in motions(LEG, TIMES).items()
    }
    found = cd.driver_dynamics(cd.kinematic_analysis(leg, euler_drivers(LEG), given))
    wanted = cd.driver_dynamics(euler)
    assert found.torques["knee"].shape == (2, len(TIMES), 1)
    assert found.torques["hip"][1] == pytest.approx(wanted.torques["hip"][::-1], abs=1e-10)


def test_wrong_questions_are_said(euler):
    for call, words in (
        ({"policy": "minimal_norm"}, "did you mean 'minimum_norm'"),
        ({"weights": {"hip": 1.0}}, "weights are for policy='weighted'"),
        ({"wrenches": {"foto": np.zeros(6)}}, "did you mean 'foot'"),
    ):
        with pytest.raises(InputError, match=words):
            cd.driver_dynamics(euler, **call)
    with pytest.raises(InputError, match="no joint, constraint or driver 'hpi'"):
        cd.driver_dynamics(euler).multipliers_of("hpi")


def test_weights_are_checked(girdle):
    with pytest.raises(InputError, match="weight of 'SC' is 0; allowed: > 0"):
        cd.driver_dynamics(girdle[1], policy="weighted", weights={"SC": 0})
    with pytest.raises(InputError, match="'S_C'; did you mean 'SC'"):
        cd.driver_dynamics(girdle[1], policy="weighted", weights={"S_C": 1})
