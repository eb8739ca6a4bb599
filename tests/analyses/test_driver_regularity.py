"""Regularity of component choices: closed forms of the specification, singular frames, closed chains."""

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.drivers import AngleRotation, EulerRotation, FullRotation, Motion
from condyle.errors import InputError
from condyle.joints import Gimbal, Pin, Reversed
from condyle.spatial import Placement
from condyle.studies.driver_chains import GIRDLE, LEG, euler_drivers, girdle_chain, leg_chain, motions

TIMES = np.linspace(0.0, 1.0, 101)
AXIS = tuple(np.array([0.04, 0.02, 1.0]) / np.linalg.norm([0.04, 0.02, 1.0]))


@pytest.fixture(scope="module")
def leg():
    return cd.compile(leg_chain(), formulation="absolute")


def by_name(report):
    return {choice.name: choice for choice in report.choices}


def test_closed_forms(leg):
    """Four triples of the ball, four components of the pin, six pairs of the universal joint."""
    given = motions(LEG, TIMES)
    found = cd.driver_regularity(leg, euler_drivers(LEG), given)
    p = given["hip"].values
    hip = by_name(found["hip"])
    for omitted in range(4):
        choice = hip[" ".join(f"e{k}" for k in range(4) if k != omitted)]
        assert choice.regularity == pytest.approx(np.abs(p[:, omitted]).min(), abs=1e-14)
        assert choice.frame == np.abs(p[:, omitted]).argmin()
        assert choice.passes == bool((p[1:, omitted] * p[:-1, omitted] < 0).any())
    half = given["knee"].values
    knee = by_name(found["knee"])
    assert knee["e3"].regularity == pytest.approx(np.abs(half[:, 0]).min(), abs=1e-14)
    assert knee["e0"].regularity == pytest.approx(np.abs(half[:, 3]).min(), abs=1e-14)
    assert knee["e1"].regularity == knee["e2"].regularity == 0.0
    b = Motion.of_expression(lambda t: ca.vertcat(*LEG[2].angles(t)) * np.pi / 180, TIMES).values
    wanted = np.abs(np.cos(b.sum(axis=1) / 2) * np.cos((b[:, 0] - b[:, 1]) / 2))
    ankle = by_name(found["ankle"])
    assert len(ankle) == 6 and ankle["e1 e3"].regularity == pytest.approx(wanted.min(), abs=1e-14)
    assert ankle["e1 e3"].frame == wanted.argmin()
    assert [report.best.name for report in found.values()] == ["e1 e2 e3", "e3", "e1 e3"]
    assert not any(report.warning for report in found.values())
    assert "e0 e1 e2: regularity 0.005 at frame 55, passes a singularity" in "\n".join(found["hip"].lines())


def test_bad_choices_are_warned_of(leg):
    """Near singular, passing a singularity, and the better choice; the analysis says it by itself."""
    given = motions(LEG, TIMES)
    drivers = (LEG[0].euler((0, 1, 2)), LEG[1].euler(), LEG[2].euler((0, 1)))
    found = cd.driver_regularity(leg, drivers, given)
    assert "e0 e1 e2 pass a singularity" in found["hip"].warning
    assert "frame 55); better: e1 e2 e3 (0.939" in found["hip"].warning
    assert found["knee"].warning == "" and "better: e1 e3" in found["ankle"].warning
    assert {choice.name for choice in found["hip"].singular} == {"e0 e1 e2", "e0 e1 e3", "e0 e2 e3"}
    with pytest.warns(UserWarning, match="'hip': the components e0 e1 e2 pass a singularity"):
        kinematics = cd.kinematic_analysis(leg, (drivers[0], *euler_drivers(LEG)[1:]), given)
    assert len(kinematics.remarks) == 1 and "at another orientation" in kinematics.remarks[0]


@pytest.mark.parametrize("turned", [False, True])
def test_revolute_with_a_tilted_axis(turned):
    """|u_k cos(phi/2)| and |sin(phi/2)|, whatever frames the joint and the driver have on the bodies."""
    joint_frame = Placement((0.1, 0.0, 0.0), (0.3, -0.5, 0.7)) if turned else Placement()
    # The axis in the joint's own frame, so that in the driver's, which is the body's, it is AXIS.
    R = np.array(ca.DM(joint_frame.transform().R))
    x, y, z = (float(value) for value in R.T @ AXIS)
    joint = Pin("knee", "ground", "shank", joint_frame, joint_frame, axis=(x, y, z))
    driver = EulerRotation("knee", "ground", "shank", components=(1,))
    body = cd.Body("shank", 1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    mechanism = cd.compile(cd.Model("knee", (body,), (joint,)), formulation="absolute")
    angle = 1.2 * np.sin(3 * TIMES) + 0.2
    p = np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * AXIS], axis=1)
    report = cd.driver_regularity(mechanism, (driver,), {"knee": Motion.of_orientations(TIMES, p)})["knee"]
    found = by_name(report)
    for k in range(3):
        wanted = np.abs(AXIS[k] * np.cos(angle / 2)).min()
        assert found[f"e{k + 1}"].regularity == pytest.approx(wanted, abs=1e-12)
    assert found["e0"].regularity == pytest.approx(np.abs(np.sin(angle / 2)).min(), abs=1e-12)
    assert "e1 come near a singularity" in report.warning and "better: e3" in report.warning
    assert report.chosen is found["e1"]


def test_determinants_are_those_of_the_equations(leg):
    """det D of the whole leg changes with the choice of the hip as the regularity does."""
    given = motions(LEG, TIMES)
    kinematics = cd.kinematic_analysis(leg, euler_drivers(LEG), given)
    sizes = {}
    for components in ((1, 2, 3), (0, 1, 2)):
        drivers = (LEG[0].euler(components), *euler_drivers(LEG)[1:])
        equations = type(kinematics.equations)(leg, drivers)
        sizes[components] = np.abs(np.linalg.det(equations.matrix()(*kinematics.whole[::3], None)[0]))
    ratio = sizes[0, 1, 2] / sizes[1, 2, 3]
    p = given["hip"].values
    assert ratio == pytest.approx(np.abs(p[:, 3] / p[:, 0]), rel=1e-9, abs=1e-12)


def test_gimbals_and_what_has_no_components():
    """A gimbal's determinant also vanishes where its own axes meet; other drivers have no choice."""
    body = cd.Body("thigh", 1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    for joint in (Gimbal("hip", "ground", "thigh"), Reversed(Gimbal("hip", "thigh", "ground"))):
        mechanism = cd.compile(cd.Model("hip", (body,), (joint,)), formulation="absolute")
        forward = ("ground", "thigh") if not isinstance(joint, Reversed) else ("thigh", "ground")
        angles = Motion.of_expression(lambda t: ca.vertcat(0.3 + 0 * t, t, 0.2), TIMES)
        given = {"hip": angles.as_orientation("xyz")}
        found = cd.driver_regularity(mechanism, (EulerRotation("hip", *forward),), given)["hip"]
        wanted = np.abs(given["hip"].values[:, 0]) * np.cos(TIMES)
        assert by_name(found)["e1 e2 e3"].regularity == pytest.approx(wanted.min(), abs=1e-12)
    full = cd.driver_regularity(mechanism, (FullRotation("hip", *forward),), given)["hip"]
    assert full.chosen is None and full.warning == ""
    x = (1.0, 0.0, 0.0)
    single = AngleRotation("hip", *forward, pairs=((x, x),))
    angle = Motion(*np.ones((3, 101, 1)))
    assert cd.driver_regularity(mechanism, (single,), {"hip": angle}) == {}


def test_fifteen_sets_of_the_girdle():
    """Sign changes, the best set, and the conditions that the specification has."""
    mechanism = cd.compile(girdle_chain(), formulation="absolute")
    kinematics = cd.kinematic_analysis(mechanism, euler_drivers(GIRDLE), motions(GIRDLE, TIMES))
    found = cd.chain_regularity(kinematics, ("SC", "AC"))
    assert len(found) == 15
    assert {choice.components for choice in found if choice.passes} == {
        ("SC.e1", "SC.e2", "AC.e1", "AC.e3"),
        ("SC.e1", "SC.e3", "AC.e1", "AC.e2"),
        ("SC.e1", "SC.e3", "AC.e1", "AC.e3"),
        ("SC.e2", "SC.e3", "AC.e1", "AC.e2"),
        ("SC.e3", "AC.e1", "AC.e2", "AC.e3"),
    }
    best = found[0]
    assert best.components == ("SC.e1", "SC.e2", "SC.e3", "AC.e3")
    assert (round(best.least_condition), round(best.largest_condition)) == (213, 398)
    named = {choice.components: choice for choice in found}
    own = named["SC.e1", "SC.e2", "SC.e3", "AC.e2"]
    assert (round(own.least_condition), round(own.largest_condition)) == (431, 3342)
    assert named["SC.e1", "AC.e1", "AC.e2", "AC.e3"].largest_condition == pytest.approx(7e4, rel=0.1)
    with pytest.raises(InputError, match="no rotational driver 'SX'; allowed: 'SC', 'AC'"):
        cd.chain_regularity(kinematics, ("SX",))
    with pytest.raises(InputError, match="no drivers named"):
        cd.chain_regularity(kinematics, ())
    with pytest.raises(InputError, match="4 freedoms are left to SC, AC with 2 components"):
        cd.chain_regularity(kinematics, ("SC", "AC"), (2,))
